import { useFetched } from '#client/commands/use-fetched.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t, tn } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'
import { PeopleRows } from './people-rows.tsx'

/** The people who have read a message. */
export function ReceiptsDialog({ app, message, onClose }: MessageDialogProps) {
  const { value, problem } = useFetched(undefined, () =>
    app.api.get<{ user_ids: number[] }>(`/messages/${message.id}/read_receipts`),
  )
  const readers = value?.user_ids
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
