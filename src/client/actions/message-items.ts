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
import { isFolded } from '#client/commands/folding.ts'
import { keyHint } from '#client/commands/key-bindings.ts'
import { isPinned } from '#client/commands/pins.ts'
import type { Message } from '#client/state/model.ts'
import { type IconNode, pointing } from '#client/ui/icon.tsx'
import type { MenuItem } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { type MessageCommandName, messageCommands } from './message-commands.ts'

const forwardIcon = pointing(Forward)
const replyIcon = pointing(Reply)

/** Makes items of the commands about a message: those that are allowed, with their keys. */
function itemsOf(
  app: App,
  message: Message,
  anchor: Element | Box,
  without: MessageCommandName | undefined,
) {
  return (
    name: MessageCommandName,
    label: string,
    icon: IconNode,
    more: { readonly isDanger?: boolean } = {},
  ): MenuItem | false => {
    if (name === without) return false
    const { isAllowed, run } = messageCommands[name]
    if (isAllowed && !isAllowed(app, message)) return false
    const onSelect = () => void run(app, message, anchor)
    return { label, icon, keyHint: keyHint(name), onSelect, ...more }
  }
}

/**
 * What can be done with a message now, in the order of its menu; the switcher has the same.
 *
 * @param anchor where something that a command opens stands
 * @param without a command that is offered beside them
 */
export function messageItems(
  app: App,
  message: Message,
  anchor: Element | Box,
  without?: MessageCommandName,
): readonly (MenuItem | false)[] {
  const item = itemsOf(app, message, anchor, without)
  const isStarred = message.flags.has('starred')
  const isUp = isPinned(app.store, message)
  // With a pointer, text can be selected directly.
  const isTouch = matchMedia('(pointer: coarse)').matches
  const deleting = item('delete', t('Delete message'), Trash2, { isDanger: true })
  return [
    item('reply', t('Reply'), replyIcon),
    item('quote', t('Quote and reply'), MessageSquareQuote),
    item('forward', t('Forward'), forwardIcon),
    isTouch && item('copy-text', t('Copy text'), Copy),
    isTouch && item('select-text', t('Select text'), TextSelect),
    item('react', t('Add reaction'), SmilePlus),
    { kind: 'separator' },
    item('edit', t('Edit message'), Pencil),
    item('move', t('Move messages'), Move),
    { kind: 'separator' },
    item('star', isStarred ? t('Remove star') : t('Star'), Star),
    item('pin', isUp ? t('Unpin message') : t('Pin message'), isUp ? PinOff : Pin),
    item('mark-unread', t('Mark as unread from here'), MailOpen),
    item('remind', t('Remind me'), Bell),
    item('collapse', isFolded(app, message) ? t('Expand') : t('Collapse'), ChevronsDownUp),
    item('show-previews', t('Show link previews'), Eye),
    item('hide-previews', t('Hide link previews'), EyeOff),
    { kind: 'separator' },
    item('show-reactions', t('See who reacted'), Smile),
    item('show-receipts', t('Read receipts'), CheckCheck),
    item('show-history', t('Edit history'), History),
    item('show-source', t('View source'), Code),
    item('copy-link', t('Copy link'), Link),
    item('report', t('Report message'), Flag),
    deleting && { kind: 'separator' },
    deleting,
  ]
}
