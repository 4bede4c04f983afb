import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormCheck, FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { listText, t, tn } from '#client/ui/t.ts'

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
  if (!user) return null
  const { name, isBot } = user
  const bots = [...store.users.all.values()].filter(
    ({ ownerId, isActive }) => ownerId === userId && isActive,
  )
  return (
    <FormDialog
      title={t('Deactivate {name}?', { name })}
      size="small"
      action={t('Deactivate')}
      isDanger
      onSave={async () => {
        if (isBot) await api.delete(`/bots/${userId}`)
        else {
          await api.delete(`/users/${userId}`, {
            deactivation_notification_comment: tells ? comment.trim() : undefined,
          })
        }
        app.notify(t('{name} is deactivated.', { name }))
      }}
      onClose={onClose}
    >
      {isBot ? (
        <p>{t('It stops working at once. Its messages stay, and it can be reactivated.')}</p>
      ) : (
        <ul class="stack tight plain-points">
          <li>{t('They are logged out everywhere and cannot log in again.')}</li>
          <li>{t('Their messages and files stay.')}</li>
          <li>{t('Their invitations end.')}</li>
          {bots.length > 0 && (
            <li>
              {tn(
                bots.length,
                'Their bot stops working: {names}.',
                'Their {count} bots stop working: {names}.',
                {
                  names: listText(
                    bots.map((bot) => bot.name),
                    'narrow',
                  ),
                },
              )}
            </li>
          )}
          <li>{t('You can reactivate them: they keep their role, channels and groups.')}</li>
        </ul>
      )}
      {!isBot && (
        <FormCheck
          label={t('Notify them by email, if the server can send email')}
          isChecked={tells}
          onChange={setTells}
        />
      )}
      {tells && (
        <FormText
          label={t('Comment to include in the email')}
          value={comment}
          onInput={setComment}
          maxLength={longestComment}
          isLong
        />
      )}
    </FormDialog>
  )
}
