import {
  Bell,
  CheckCheck,
  ChevronsDownUp,
  Code,
  Copy,
  Eye,
  EyeOff,
  Flag,
  Forward,
  History,
  Link,
  MailOpen,
  MessageSquareQuote,
  Move,
  Pencil,
  Pin,
  PinOff,
  Reply,
  Smile,
  SmilePlus,
  Star,
  TextSelect,
  Trash2,
} from 'lucide'
import type { App } from '#client/app.ts'
import { startEditing } from '#client/commands/editing.ts'
import { isFolded, toggleFolded } from '#client/commands/folding.ts'
import { hasPreviews, hideLinkPreviews, showLinkPreviews } from '#client/commands/hide-previews.ts'
import { keyHint } from '#client/commands/key-bindings.ts'
import {
  copy,
  copyLink,
  markUnreadFrom,
  reply,
  toggleStar,
} from '#client/commands/message-actions.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import { canDelete, canEdit, canMove, canPin } from '#client/commands/permissions.ts'
import { isPinned, togglePin, usePins } from '#client/commands/pins.ts'
import { favouriteReactions, toggleReaction } from '#client/commands/reactions.ts'
import { quote } from '#client/messages/quote.ts'
import type { Message } from '#client/state/model.ts'
import { pointing } from '#client/ui/icon.tsx'
import { Menu, type MenuItem } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { emojiText } from '#shared/emoji-text.ts'
import { messageText } from '#shared/message-text.ts'
import { openMessageDialog } from './message-dialogs.ts'
import { selectText, shownText } from './select-text.ts'

const forwardIcon = pointing(Forward)
const replyIcon = pointing(Reply)

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
      items={itemsFor(app, message, anchor)}
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

type Items = readonly (MenuItem | false)[]

function itemsFor(app: App, message: Message, anchor: Element | Box): Items {
  return [
    ...replyItems(app, message, anchor),
    { kind: 'separator' },
    ...changeItems(app, message),
    { kind: 'separator' },
    ...markItems(app, message),
    { kind: 'separator' },
    ...factItems(app, message),
  ]
}

/** Opens a dialog about a message. */
function dialogOf(app: App, message: Message) {
  return (kind: Parameters<typeof openMessageDialog>[1]) => () =>
    openMessageDialog(app, kind, message)
}

function replyItems(app: App, message: Message, anchor: Element | Box): Items {
  const isTouch = matchMedia('(pointer: coarse)').matches
  return [
    {
      label: t('Reply'),
      icon: replyIcon,
      keyHint: keyHint('reply'),
      onSelect: () => reply(app, message),
    },
    {
      label: t('Quote and reply'),
      icon: MessageSquareQuote,
      keyHint: keyHint('quote'),
      onSelect: () => void quote(app, message),
    },
    {
      label: t('Forward'),
      icon: forwardIcon,
      keyHint: keyHint('forward'),
      onSelect: () => void quote(app, message, true),
    },
    // With a pointer, text can be selected directly.
    isTouch && {
      label: t('Copy text'),
      icon: Copy,
      onSelect: () =>
        void copy(app, shownText(message.id) ?? messageText(message.html), t('Text copied.')),
    },
    isTouch && {
      label: t('Select text'),
      icon: TextSelect,
      onSelect: () => selectText(message.id),
    },
    {
      label: t('Add reaction'),
      icon: SmilePlus,
      keyHint: keyHint('react'),
      onSelect: () =>
        openEmojiPicker(app, anchor, (emoji) => void toggleReaction(app, message.id, emoji)),
    },
  ]
}

function changeItems(app: App, message: Message): Items {
  const { store } = app
  return [
    canEdit(store, message) && {
      label: t('Edit message'),
      icon: Pencil,
      keyHint: keyHint('edit'),
      onSelect: () => startEditing(app, message),
    },
    canMove(store, message) && {
      label: t('Move messages'),
      icon: Move,
      keyHint: keyHint('move'),
      onSelect: dialogOf(app, message)('move'),
    },
  ]
}

function markItems(app: App, message: Message): Items {
  const { store } = app
  return [
    {
      label: message.flags.has('starred') ? t('Remove star') : t('Star'),
      icon: Star,
      keyHint: keyHint('star'),
      onSelect: () => void toggleStar(app, message),
    },
    canPin(store, message) && {
      label: isPinned(store, message) ? t('Unpin message') : t('Pin message'),
      icon: isPinned(store, message) ? PinOff : Pin,
      onSelect: () => void togglePin(app, message),
    },
    {
      label: t('Mark as unread from here'),
      icon: MailOpen,
      keyHint: keyHint('mark-unread'),
      onSelect: () => void markUnreadFrom(app, message),
    },
    {
      label: t('Remind me'),
      icon: Bell,
      onSelect: dialogOf(app, message)('remind'),
    },
    {
      label: isFolded(app, message) ? t('Expand') : t('Collapse'),
      icon: ChevronsDownUp,
      keyHint: keyHint('collapse'),
      onSelect: () => toggleFolded(app, message),
    },
    message.flags.has('hide_link_previews')
      ? {
          label: t('Show link previews'),
          icon: Eye,
          onSelect: () => void showLinkPreviews(app, message),
        }
      : hasPreviews(message) && {
          label: t('Hide link previews'),
          icon: EyeOff,
          onSelect: () => void hideLinkPreviews(app, message),
        },
  ]
}

function factItems(app: App, message: Message): Items {
  const { store } = app
  const realm = store.realm.value
  const showsHistory =
    (message.editedAt !== undefined || message.movedAt !== undefined) &&
    realm.realm_message_edit_history_visibility_policy !== 'none'
  const dialog = dialogOf(app, message)
  return [
    message.reactions.length > 0 && {
      label: t('See who reacted'),
      icon: Smile,
      onSelect: dialog('reactions'),
    },
    realm.realm_enable_read_receipts && {
      label: t('Read receipts'),
      icon: CheckCheck,
      keyHint: keyHint('show-receipts'),
      onSelect: dialog('receipts'),
    },
    showsHistory && {
      label: t('Edit history'),
      icon: History,
      keyHint: keyHint('show-history'),
      onSelect: dialog('history'),
    },
    { label: t('View source'), icon: Code, onSelect: dialog('source') },
    { label: t('Copy link'), icon: Link, onSelect: () => void copyLink(app, message) },
    realm.realm_moderation_request_channel_id !== -1 &&
      message.senderId !== store.selfId && {
        label: t('Report message'),
        icon: Flag,
        onSelect: dialog('report'),
      },
    canDelete(store, message) && { kind: 'separator' },
    canDelete(store, message) && {
      label: t('Delete message'),
      icon: Trash2,
      isDanger: true,
      onSelect: dialog('delete'),
    },
  ]
}
