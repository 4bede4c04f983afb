import type { App } from '#client/app.ts'
import { copy } from '#client/commands/copy.ts'
import { startEditing } from '#client/commands/editing.ts'
import { toggleFolded } from '#client/commands/folding.ts'
import { hasPreviews, hideLinkPreviews, showLinkPreviews } from '#client/commands/hide-previews.ts'
import {
  copyLink,
  markUnreadFrom,
  reply,
  replyDirectly,
  replyMentioning,
  toggleStar,
} from '#client/commands/message-actions.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import { canDelete, canEdit, canMove, canPin } from '#client/commands/permissions.ts'
import { togglePin } from '#client/commands/pins.ts'
import { firstReaction, thumbsUp, toggleReaction } from '#client/commands/reactions.ts'
import { quote } from '#client/messages/quote.ts'
import type { Message } from '#client/state/model.ts'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { messageText } from '#shared/message-text.ts'
import { openMessageDialog } from './message-dialogs.ts'
import { selectText, shownText } from './select-text.ts'

/** What can be done with a message; the menu and the keys have it from the same entry. */
interface MessageCommand {
  /** Whether it can be done with this message, by this user; always if absent. */
  readonly isAllowed?: (app: App, message: Message) => boolean
  /** What its key does where it is not allowed; nothing if absent. */
  readonly otherwise?: (app: App, message: Message) => void
  /** @param anchor where something that it opens stands */
  readonly run: (app: App, message: Message, anchor: Element | Box) => unknown
}

/** Every command about one message, by the name that the table of keys has for it. */
const commands = {
  reply: { run: reply },
  'reply-direct': { run: replyDirectly },
  'reply-mention': { run: replyMentioning },
  quote: { run: (app, message) => quote(app, message) },
  forward: { run: (app, message) => quote(app, message, true) },
  'copy-text': {
    run: (app, { id, html }) => copy(app, shownText(id) ?? messageText(html), t('Text copied.')),
  },
  'select-text': { run: (_, message) => selectText(message.id) },
  react: {
    run: (app, { id }, anchor) =>
      openEmojiPicker(app, anchor, (emoji) => void toggleReaction(app, id, emoji)),
  },
  'react-first': {
    run: (app, message) => {
      const first = firstReaction(message)
      return first && toggleReaction(app, message.id, first)
    },
  },
  'react-thumbs-up': { run: (app, message) => toggleReaction(app, message.id, thumbsUp) },
  edit: {
    isAllowed: ({ store }, message) => canEdit(store, message),
    otherwise: opening('source'),
    run: startEditing,
  },
  move: {
    isAllowed: ({ store }, message) => canMove(store, message),
    otherwise: refusing(() => t('You cannot move this message.')),
    run: opening('move'),
  },
  star: { run: toggleStar },
  pin: { isAllowed: ({ store }, message) => canPin(store, message), run: togglePin },
  'mark-unread': { run: markUnreadFrom },
  remind: { run: opening('remind') },
  collapse: { run: toggleFolded },
  'show-previews': {
    isAllowed: (_, message) => message.flags.has('hide_link_previews'),
    run: showLinkPreviews,
  },
  'hide-previews': {
    isAllowed: (_, message) => !message.flags.has('hide_link_previews') && hasPreviews(message),
    run: hideLinkPreviews,
  },
  'show-reactions': {
    isAllowed: (_, message) => message.reactions.length > 0,
    run: opening('reactions'),
  },
  'show-receipts': {
    isAllowed: ({ store }) => store.realm.value.realm_enable_read_receipts,
    otherwise: refusing(() => t('Read receipts are turned off in this organization.')),
    run: opening('receipts'),
  },
  'show-history': {
    isAllowed: ({ store }, { editedAt, movedAt }) =>
      (editedAt !== undefined || movedAt !== undefined) &&
      store.realm.value.realm_message_edit_history_visibility_policy !== 'none',
    otherwise: refusing(() => t('There is no edit history of this message.')),
    run: opening('history'),
  },
  'show-source': { run: opening('source') },
  'copy-link': { run: copyLink },
  report: {
    isAllowed: ({ store }, message) =>
      store.realm.value.realm_moderation_request_channel_id !== -1 &&
      message.senderId !== store.selfId,
    run: opening('report'),
  },
  delete: {
    isAllowed: ({ store }, message) => canDelete(store, message),
    run: opening('delete'),
  },
} satisfies Record<string, MessageCommand>

export type MessageCommandName = keyof typeof commands

/** All commands about a message, by name. */
export const messageCommands: Readonly<Record<MessageCommandName, MessageCommand>> = commands

/** Where something stands that is opened about a message without a button: beside its row. */
export function anchorOf({ id }: Message): Element {
  const row = document.querySelector(`[data-message-id="${id}"]`)
  return row?.querySelector('.message-buttons') ?? row ?? document.body
}

function opening(kind: Parameters<typeof openMessageDialog>[1]) {
  return (app: App, message: Message) => openMessageDialog(app, kind, message)
}

function refusing(sentence: () => string) {
  return (app: App) => app.notify(sentence(), 'error')
}
