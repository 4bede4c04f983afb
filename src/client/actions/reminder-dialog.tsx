import { useState } from 'preact/hooks'
import { attempt } from '#client/commands/attempt.ts'
import { FormText } from '#client/commands/form-fields.tsx'
import { MomentPicker } from '#client/commands/moment-picker.tsx'
import { shortMoment } from '#client/commands/moments.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'

/** Asks when the user wants to be reminded of a message. */
export function ReminderDialog({ app, message, onClose }: MessageDialogProps) {
  const [note, setNote] = useState('')
  async function remind(at: Date): Promise<void> {
    const params = {
      message_id: message.id,
      scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
      note,
    }
    const reply = await attempt(app, app.api.post('/reminders', params))
    if (!reply) return
    app.notify(t('You will be reminded {when}.', { when: shortMoment(at) }))
    onClose()
  }
  return (
    <Dialog title={t('Remind me')} size="small" onClose={onClose}>
      <div class="form">
        <FormText
          label={t('Note')}
          value={note}
          onInput={setNote}
          maxLength={app.store.realm.value.max_reminder_note_length}
        />
        <MomentPicker action={t('Set')} onPick={remind} />
      </div>
    </Dialog>
  )
}
