import { useState } from 'preact/hooks'
import { inAnHour } from '#client/commands/moments.ts'
import { Button } from '#client/ui/button.tsx'
import { isoLocal } from '#client/ui/dates.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { timeMarkdown } from './completion-edit.ts'

interface TimeDialogProps {
  /** Called with the Markdown of the moment. */
  readonly onPick: (time: string) => void
  readonly onClose: () => void
}

/** Asks for a moment that everyone sees in their own time zone. */
export function TimeDialog({ onPick, onClose }: TimeDialogProps) {
  const [value, setValue] = useState(() => isoLocal(nextHour()))
  return (
    <Dialog title={t('Time')} size="small" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          onPick(`${timeMarkdown(new Date(value).getTime() / 1000)} `)
        }}
      >
        <input
          class="input"
          type="datetime-local"
          required
          autoFocus
          aria-label={t('Time')}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p class="field-help">{t('Everyone sees it in their own time zone.')}</p>
        <Button kind="primary" type="submit">
          {t('Insert')}
        </Button>
      </form>
    </Dialog>
  )
}

function nextHour(): Date {
  const at = inAnHour()
  at.setMinutes(0, 0, 0)
  return at
}
