import { useState } from 'preact/hooks'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { t, tSent } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialogs.ts'

/** Reports a message to the moderators. */
export function ReportDialog({ app, message, onClose }: MessageDialogProps) {
  const types = app.store.realm.value.server_report_message_types ?? []
  const [type, setType] = useState(types[0]?.key ?? 'other')
  const [text, setText] = useState('')
  const needsText = type === 'other' && text.trim() === ''
  return (
    <FormDialog
      title={t('Report message')}
      size="small"
      action={t('Report')}
      isInvalid={needsText}
      onSave={async () => {
        const params = { report_type: type, description: text }
        await app.api.post(`/messages/${message.id}/report`, params)
        app.notify(t('Your report was sent to the moderators.'))
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <label class="field">
            <span class="field-label">{t('What is wrong with this message?')}</span>
            <select
              class="input"
              value={type}
              onChange={(event) => setType(event.currentTarget.value)}
            >
              {types.map(({ key, name }) => (
                <option key={key} value={key}>
                  {tSent(name)}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span class="field-label">{t('Details')}</span>
            <textarea
              class="input"
              rows={4}
              maxLength={1000}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <p class="field-help">
            {t('The moderators of this organization see the message and who reported it.')}
          </p>
        </>
      )}
    </FormDialog>
  )
}
