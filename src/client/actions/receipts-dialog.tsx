import { useEffect, useState } from 'preact/hooks'
import { Avatar } from '#client/ui/avatar.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t, tn } from '#client/ui/t.ts'
import { problemOf } from './attempt.ts'
import type { MessageDialogProps } from './message-dialogs.ts'

/** Who has read a message. */
export function ReceiptsDialog({ app, message, onClose }: MessageDialogProps) {
  const [readers, setReaders] = useState<readonly number[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    app.api.get<{ user_ids: number[] }>(`/messages/${message.id}/read_receipts`).then(
      (reply) => setReaders(reply.user_ids),
      (error: unknown) => setProblem(problemOf(error)),
    )
  }, [app, message.id])
  const users = (readers ?? [])
    .map((id) => app.store.users.get(id))
    .filter((user) => user !== undefined)
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <Dialog title={t('Read receipts')} size="small" onClose={onClose}>
      {problem && <p class="field-problem">{problem}</p>}
      {readers && (
        <p class="field-help">
          {readers.length === 0
            ? t('Nobody has read this message yet.')
            : tn(readers.length, 'Read by one person:', 'Read by {count} people:')}
        </p>
      )}
      <ul class="people-rows">
        {users.map((user) => (
          <li key={user.id}>
            <a
              class="person-row"
              href={app.router.href({ kind: 'user', userId: user.id })}
              onClick={onClose}
            >
              <Avatar user={user} size={24} />
              <span class="ellipsis">{user.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
