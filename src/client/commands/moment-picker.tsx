import { useState } from 'preact/hooks'
import { Button } from '#client/ui/button.tsx'
import { isoLocal } from '#client/ui/dates.ts'
import { MomentField } from './moment-field.tsx'
import { inAnHour, type Moment, nextMoments, shortMoment } from './moments.ts'
import { useBusy } from './use-busy.ts'

interface MomentPickerProps {
  /** The offered times; default: those for sending later. */
  readonly moments?: readonly Moment[]
  /** The label of the button for the chosen time. */
  readonly action: string
  readonly onPick: (at: Date) => Promise<unknown>
}

/** Offers future times, and a field for another one. */
export function MomentPicker({ moments = nextMoments(), action, onPick }: MomentPickerProps) {
  const [isBusy, busily] = useBusy()
  const [own, setOwn] = useState(() => isoLocal(inAnHour()))
  return (
    <>
      <div class="stack tight moment-rows">
        {moments.map(({ label, at }) => (
          <Button key={label} isBusy={isBusy} onClick={() => void busily(onPick(at))}>
            <span>{label}</span>
            <span class="moment-time">{shortMoment(at)}</span>
          </Button>
        ))}
      </div>
      <form
        class="row tight moment-own"
        onSubmit={(event) => {
          event.preventDefault()
          void busily(onPick(new Date(own)))
        }}
      >
        <MomentField value={own} onChange={setOwn} />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </form>
    </>
  )
}
