import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { openSurface } from '#client/commands/surfaces.tsx'
import { useSave } from '#client/settings/ui/use-save.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t, tn } from '#client/ui/t.ts'

/** The longest comment of the mail, in characters. */
const longestComment = 1000

/** Asks how to deactivate a person or a bot. */
export function askToDeactivate(userId: number): void {
  openSurface((close) => <DeactivateDialog userId={userId} onClose={close} />)
}

interface DeactivateDialogProps {
  readonly userId: number
  readonly onClose: () => void
}

function DeactivateDialog({ userId, onClose }: DeactivateDialogProps) {
  const app = useApp()
  const { store, api } = app
  const [tells, setTells] = useState(false)
  const [comment, setComment] = useState('')
  const user = store.users.get(userId)
  const saving = useSave(undefined, () =>
    user?.isBot
      ? api.delete(`/bots/${userId}`)
      : api.delete(`/users/${userId}`, {
          deactivation_notification_comment: tells ? comment.trim() : undefined,
        }),
  )
  if (!user) return null
  const { name, isBot } = user
  const bots = [...store.users.all.values()].filter(
    ({ ownerId, isActive }) => ownerId === userId && isActive,
  )
  async function deactivate(): Promise<void> {
    if (!(await saving.save(undefined))) return
    app.notify(t('{name} is deactivated.', { name }))
    onClose()
  }
  return (
    <Dialog
      title={t('Deactivate {name}?', { name })}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="danger"
            isBusy={saving.status.kind === 'saving'}
            onClick={() => void deactivate()}
          >
            {t('Deactivate')}
          </Button>
        </>
      }
    >
      <div class="form">
        {isBot ? (
          <p>{t('It stops working at once. Its messages stay, and it can be reactivated.')}</p>
        ) : (
          <ul class="plain-points">
            <li>{t('They are logged out everywhere and cannot log in again.')}</li>
            <li>{t('Their messages and files stay.')}</li>
            <li>{t('Their invitations end.')}</li>
            {bots.length > 0 && (
              <li>
                {tn(
                  bots.length,
                  'Their bot stops working: {names}.',
                  'Their {count} bots stop working: {names}.',
                  { names: bots.map((bot) => bot.name).join(', ') },
                )}
              </li>
            )}
            <li>{t('You can reactivate them: they keep their role, channels and groups.')}</li>
          </ul>
        )}
        {!isBot && (
          <label class="check-row">
            <input
              type="checkbox"
              checked={tells}
              onChange={(event) => setTells(event.currentTarget.checked)}
            />
            {t('Tell them by mail, where the server can send mail')}
          </label>
        )}
        {tells && (
          <label class="field">
            <span class="field-label">{t('What the mail says besides')}</span>
            <textarea
              class="input"
              rows={3}
              maxLength={longestComment}
              value={comment}
              onInput={(event) => setComment(event.currentTarget.value)}
            />
          </label>
        )}
        {saving.status.kind === 'failed' && (
          <p class="field-problem" role="alert">
            {saving.status.problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
