import type { ReadonlySignal } from '@preact/signals'
import { MessageSquareQuote, MoreHorizontal, Pencil, SmilePlus, Star } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { AddReaction } from '#client/commands/add-reaction.tsx'
import { startEditing } from '#client/commands/editing.ts'
import { toggleStar } from '#client/commands/message-actions.ts'
import { canEdit } from '#client/commands/permissions.ts'
import { quote } from '#client/messages/quote.ts'
import type { Message } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { openMessageMenu } from './message-menu.tsx'

interface MessageButtonsProps {
  readonly message: Message
  /** Whether the row was under the pointer or focused: before, nobody sees the buttons. */
  readonly isReached: ReadonlySignal<boolean>
}

/**
 * The buttons that a row shows under the pointer or the focus. Until then there is only the last
 * one, for screen readers: a third of what a row costs to draw would be out of sight.
 */
export function MessageButtons({ message, isReached }: MessageButtonsProps) {
  const app = useApp()
  return (
    <div class="message-buttons" role="toolbar" aria-label={t('Actions')}>
      {isReached.value && <QuickButtons message={message} />}
      <IconButton
        label={t('More actions')}
        icon={isReached.value ? MoreHorizontal : undefined}
        size={16}
        aria-haspopup="menu"
        onClick={(event) => openMessageMenu(app, message.id, event.currentTarget)}
      />
    </div>
  )
}

function QuickButtons({ message }: { readonly message: Message }) {
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
