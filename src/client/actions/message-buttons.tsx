import type { ReadonlySignal } from '@preact/signals'
import { MessageSquareQuote, MoreHorizontal, Pencil, SmilePlus, Star } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { AddReaction } from '#client/commands/add-reaction.tsx'
import { startEditing } from '#client/commands/editing.ts'
import { quote, toggleStar } from '#client/commands/message-actions.ts'
import { canEdit } from '#client/commands/permissions.ts'
import type { Message } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { IconNode } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { openMessageMenu } from './message-menu.tsx'

interface MessageButtonsProps {
  readonly message: Message
  /** Whether the row was under the pointer or focused: before, nobody sees the icons. */
  readonly isReached: ReadonlySignal<boolean>
}

/** The buttons that a row shows under the pointer or the focus. */
export function MessageButtons({ message, isReached }: MessageButtonsProps) {
  const app = useApp()
  // Without hidden icons, forty rows have about a thousand elements fewer.
  const drawn = (icon: IconNode) => (isReached.value ? icon : undefined)
  const isStarred = message.flags.has('starred')
  return (
    <div class="message-buttons" role="toolbar" aria-label={t('Actions')}>
      <AddReaction messageId={message.id} icon={drawn(SmilePlus)} />
      <IconButton
        label={t('Quote')}
        icon={drawn(MessageSquareQuote)}
        size={16}
        onClick={() => void quote(app, message)}
      />
      {canEdit(app.store, message) && (
        <IconButton
          label={t('Edit')}
          icon={drawn(Pencil)}
          size={16}
          onClick={() => startEditing(app, message)}
        />
      )}
      <IconButton
        label={t('Star')}
        icon={drawn(Star)}
        size={16}
        aria-pressed={isStarred}
        onClick={() => void toggleStar(app, message)}
      />
      <IconButton
        label={t('More actions')}
        icon={drawn(MoreHorizontal)}
        size={16}
        aria-haspopup="menu"
        onClick={(event) => openMessageMenu(app, message.id, event.currentTarget)}
      />
    </div>
  )
}
