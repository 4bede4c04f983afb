import { FormDialog } from '#client/commands/form-dialog.tsx'
import { t } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'

/** Asks before a message is deleted. */
export function DeleteDialog({ app, message, onClose }: MessageDialogProps) {
  return (
    <FormDialog
      title={t('Delete message')}
      size="small"
      action={t('Delete')}
      isDanger
      isActionFocused
      onSave={() => app.api.delete(`/messages/${message.id}`)}
      onClose={onClose}
    >
      <p>{t('The message, and files that only it links to, are removed for everyone.')}</p>
    </FormDialog>
  )
}
