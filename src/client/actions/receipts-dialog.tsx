import { useEffect, useState } from 'preact/hooks'
import { problemOf } from '#client/commands/attempt.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t, tn } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialogs.ts'
import { PeopleRows } from './people-rows.tsx'

/** The people who have read a message. */
export function ReceiptsDialog({ app, message, onClose }: MessageDialogProps) {
  const [readers, setReaders] = useState<readonly number[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    app.api.get<{ user_ids: number[] }>(`/messages/${message.id}/read_receipts`).then(
      (reply) => setReaders(reply.user_ids),
      (error: unknown) => setProblem(problemOf(error)),
    )
  }, [app, message.id])
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
      <PeopleRows app={app} userIds={readers ?? []} onLeave={onClose} />
    </Dialog>
  )
}
