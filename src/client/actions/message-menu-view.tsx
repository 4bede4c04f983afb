import { Plus } from 'lucide'
import type { App } from '#client/app.ts'
import { usePins } from '#client/commands/pins.ts'
import { favouriteReactions, toggleReaction } from '#client/commands/reactions.ts'
import type { Message } from '#client/state/model.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Menu } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { emojiText } from '#shared/emoji-text.ts'
import { messageCommands } from './message-commands.ts'
import { messageItems } from './message-items.ts'

interface MessageMenuProps {
  readonly app: App
  readonly id: number
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** The menu of a message: everything that can be done with it. */
export function MessageMenu({ app, id, anchor, onClose }: MessageMenuProps) {
  const message = app.store.messages.get(id)
  usePins(app, message?.conversation)
  if (!message) return null
  return (
    <Menu
      label={t('Message')}
      anchor={anchor}
      placement="bottom-end"
      items={messageItems(app, message, anchor, 'react')}
      onClose={onClose}
      head={<QuickReactions app={app} message={message} anchor={anchor} onClose={onClose} />}
    />
  )
}

interface QuickReactionsProps {
  readonly app: App
  readonly message: Message
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** The six reactions that this browser's user uses most, each with one touch, and all others. */
function QuickReactions({ app, message, anchor, onClose }: QuickReactionsProps) {
  return (
    <div class="menu-reactions">
      {favouriteReactions().map((emoji) => (
        <button
          key={emoji.code}
          type="button"
          class="center menu-reaction"
          data-choice
          aria-label={t('React with {emoji}', { emoji: emoji.name })}
          onClick={() => {
            onClose()
            void toggleReaction(app, message.id, emoji)
          }}
        >
          {emojiText(emoji.code)}
        </button>
      ))}
      <button
        type="button"
        class="center menu-reaction"
        data-choice
        aria-label={t('Add reaction')}
        title={t('Add reaction')}
        onClick={() => {
          onClose()
          void messageCommands.react.run(app, message, anchor)
        }}
      >
        <Icon node={Plus} size={20} />
      </button>
    </div>
  )
}
