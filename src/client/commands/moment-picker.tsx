import { useState } from 'preact/hooks'
import { Button } from '#client/ui/button.tsx'
import { MomentField } from './moment-field.tsx'
import { inAnHour, isoLocal, type Moment, nextMoments, shortMoment } from './moments.ts'

interface MomentPickerProps {
  /** What is offered; for sending later if it is left out. */
  readonly moments?: readonly Moment[]
  /** The name of the button that takes the time one has set. */
  readonly action: string
  readonly isBusy: boolean
  readonly onPick: (at: Date) => void
}

/** Offers times to come, and a field for another one. */
export function MomentPicker({
  moments = nextMoments(),
  action,
  isBusy,
  onPick,
}: MomentPickerProps) {
  const [own, setOwn] = useState(() => isoLocal(inAnHour()))
  return (
    <>
      <div class="moment-rows">
        {moments.map(({ label, at }) => (
          <Button key={label} isBusy={isBusy} onClick={() => onPick(at)}>
            <span class="moment-label">{label}</span>
            <span class="moment-time">{shortMoment(at)}</span>
          </Button>
        ))}
      </div>
      <form
        class="moment-own"
        onSubmit={(event) => {
          event.preventDefault()
          onPick(new Date(own))
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
