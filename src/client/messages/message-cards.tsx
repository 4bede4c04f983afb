import { render } from 'preact'
import type { App } from '#client/app.ts'
import { findMessage } from '#client/lists/one-message.ts'
import type { Message } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { momentText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'
import { shortened } from '#shared/message-text.ts'
import { summaryOf } from './summary.ts'

/** The most cards below one message. */
const mostCards = 3
/** How much of a message is on its card, in characters. */
const longestBeginning = 280

/**
 * Shows cards of linked messages, with author, time and beginning. Links in quotations, and links
 * to the source of a quotation, have no card; nor have messages that the reader may not read, or
 * whose author they muted.
 *
 * @param element has the HTML of a message
 */
export async function showMessageCards(element: HTMLElement, app: App): Promise<void> {
  const shown = new Set<number>()
  for (const link of element.querySelectorAll<HTMLAnchorElement>('a[href*="/near/"]')) {
    const id = linkedMessage(link)
    const block = blockOf(link, element)
    if (id === undefined || !block || isAboutQuote(block)) continue
    if (shown.has(id) || shown.size === mostCards) continue
    shown.add(id)
    const message = await findMessage(app, id)
    // It may have been drawn again meanwhile.
    if (!message || !element.contains(block) || isMuted(app, message)) continue
    const card = document.createElement('div')
    card.className = 'linked-message'
    block.after(card)
    render(<MessageCard app={app} message={message} href={link.getAttribute('href') ?? ''} />, card)
  }
}

/** The message that a link of this page leads to. */
function linkedMessage(link: HTMLAnchorElement): number | undefined {
  const [, id] = /^#narrow\/.*\/near\/(\d{1,15})$/.exec(link.getAttribute('href') ?? '') ?? []
  return id === undefined || link.closest('blockquote, .spoiler-content') ? undefined : Number(id)
}

/** The part of the message in which a link stands. */
function blockOf(link: Element, root: Element): Element | undefined {
  let block: Element | null = link
  while (block && block.parentElement !== root) block = block.parentElement
  return block ?? undefined
}

function isAboutQuote(block: Element): boolean {
  return block.nextElementSibling?.matches('blockquote, .codehilite') ?? false
}

function isMuted({ store }: App, { senderId }: Message): boolean {
  return store.mutedUsers.peek().has(senderId)
}

interface MessageCardProps {
  readonly app: App
  readonly message: Message
  readonly href: string
}

function MessageCard({ app: { store }, message, href }: MessageCardProps) {
  const sender = store.users.peek(message.senderId)
  return (
    <a
      class="linked-message-card"
      href={href}
      aria-label={t('Message by {name}', { name: message.senderName })}
    >
      <span class="row linked-message-head">
        {sender && <Avatar user={sender} size={20} />}
        <strong class="ellipsis">{message.senderName}</strong>
        <span class="linked-message-time">
          {momentText(message.timestamp, store.settings.peek())}
        </span>
      </span>
      <span class="clamp linked-message-text" dir="auto">
        {beginningOf(message)}
      </span>
      <span class="linked-message-place ellipsis">{placeOf(store, message)}</span>
    </a>
  )
}

function placeOf(store: App['store'], { conversation }: Message): string {
  if (conversation.kind === 'direct') return t('Direct message')
  const channel = store.channels.peek(conversation.channelId)?.name ?? ''
  const topic = conversation.topic || store.realm.peek().realm_empty_topic_display_name
  return `#${channel} › ${topic}`
}

/** The content of a message, in one line. */
function beginningOf(message: Message): string {
  return shortened(summaryOf(message), longestBeginning) || t('A picture or file')
}
