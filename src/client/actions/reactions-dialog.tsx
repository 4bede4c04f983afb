import { EmojiGlyph, votesOf } from '#client/messages/reactions.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'
import { PeopleRows } from './people-rows.tsx'

/** The people who reacted to a message, by emoji, for users who cannot hover over a reaction. */
export function ReactionsDialog({ app, message, onClose }: MessageDialogProps) {
  const votes = votesOf(app.store.messages.get(message.id)?.reactions ?? [])
  return (
    <Dialog title={t('Reactions')} size="small" onClose={onClose}>
      {votes.length === 0 && <p class="field-help">{t('There are no reactions anymore.')}</p>}
      {votes.map(({ reaction, userIds }) => (
        <section key={`${reaction.type}:${reaction.code}`} class="voters">
          <h3 class="row">
            <EmojiGlyph emoji={reaction} /> {`:${reaction.name}: ${userIds.length}`}
          </h3>
          <PeopleRows app={app} userIds={userIds} onLeave={onClose} />
        </section>
      ))}
    </Dialog>
  )
}
