import type { App } from '#client/app.ts'
import { usePins } from '#client/commands/pins.ts'
import { favouriteReactions, toggleReaction } from '#client/commands/reactions.ts'
import { Menu } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { emojiText } from '#shared/emoji-text.ts'
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
      items={messageItems(app, message, anchor)}
      onClose={onClose}
      head={<QuickReactions app={app} messageId={id} onClose={onClose} />}
    />
  )
}

interface QuickReactionsProps {
  readonly app: App
  readonly messageId: number
  readonly onClose: () => void
}

/** The six reactions that this browser's user uses most, each with one touch. */
function QuickReactions({ app, messageId, onClose }: QuickReactionsProps) {
  return (
    <div class="menu-reactions">
      {favouriteReactions().map((emoji) => (
        <button
          key={emoji.code}
          type="button"
          class="menu-reaction"
          data-choice
          aria-label={t('React with {emoji}', { emoji: emoji.name })}
          onClick={() => {
            onClose()
            void toggleReaction(app, messageId, emoji)
          }}
        >
          {emojiText(emoji.code)}
        </button>
      ))}
    </div>
  )
}
