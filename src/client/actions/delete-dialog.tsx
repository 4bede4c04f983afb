import { useState } from 'preact/hooks'
import { deleteMessage } from '#client/commands/message-actions.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialogs.ts'

/** Asks before a message is deleted. */
export function DeleteDialog({ app, message, onClose }: MessageDialogProps) {
  const [isBusy, setBusy] = useState(false)
  async function remove(): Promise<void> {
    setBusy(true)
    if (await deleteMessage(app, message.id)) onClose()
    else setBusy(false)
  }
  return (
    <Dialog
      title={t('Delete message')}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={() => void remove()} autoFocus>
            {t('Delete')}
          </Button>
        </>
      }
    >
      <p>{t('The message and the files that only it links to are removed for everybody.')}</p>
    </Dialog>
  )
}
