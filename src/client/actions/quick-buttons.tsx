import { MessageSquareQuote, Pencil, SmilePlus, Star } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { AddReaction } from '#client/commands/add-reaction.tsx'
import { startEditing } from '#client/commands/editing.ts'
import { toggleStar } from '#client/commands/message-actions.ts'
import { canEdit } from '#client/commands/permissions.ts'
import { quote } from '#client/messages/quote.ts'
import type { Message } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** What is done most often to a message, with one click. */
export function QuickButtons({ message }: { readonly message: Message }) {
  const app = useApp()
  const isStarred = message.flags.has('starred')
  return (
    <>
      <AddReaction messageId={message.id} icon={SmilePlus} />
      <IconButton
        label={t('Quote')}
        icon={MessageSquareQuote}
        size={16}
        onClick={() => void quote(app, message)}
      />
      {canEdit(app.store, message) && (
        <IconButton
          label={t('Edit')}
          icon={Pencil}
          size={16}
          onClick={() => startEditing(app, message)}
        />
      )}
      <IconButton
        label={t('Star')}
        icon={Star}
        size={16}
        aria-pressed={isStarred}
        onClick={() => void toggleStar(app, message)}
      />
    </>
  )
}
