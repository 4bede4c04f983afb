import { useState } from 'preact/hooks'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { t, tSent } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'

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
      <FormChoice
        label={t('What is wrong with this message?')}
        value={type}
        choices={types.map(({ key, name }) => ({ value: key, label: tSent(name) }))}
        onChange={setType}
      />
      <FormText
        label={t('Details')}
        value={text}
        onInput={setText}
        maxLength={1000}
        isLong
        rows={4}
      />
      <p class="field-help">
        {t('The moderators of this organization see the message and who reported it.')}
      </p>
    </FormDialog>
  )
}
