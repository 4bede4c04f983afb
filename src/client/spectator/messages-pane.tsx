import { ChevronRight } from 'lucide'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Api } from '#client/api/api.ts'
import { createRowBuilder } from '#client/lists/rows.ts'
import { copyCode } from '#client/messages/copy-code.ts'
import { insertHtml, toggleSpoiler, withoutMe } from '#client/messages/message-html.ts'
import { hashOf } from '#client/narrow/hash.ts'
import type { Message, Reaction } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, classes } from '#client/ui/button.tsx'
import { dayText, exactText, timeText } from '#client/ui/dates.ts'
import { FailureNote } from '#client/ui/failure-note.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { emojiText, extraEmojiPath } from '#shared/emoji-text.ts'
import type { Organization } from './organization.ts'
import { createReading } from './reading.ts'
import { noUser, type OpenNarrow } from './spectator-view.ts'

/** How often new messages are fetched while the page is visible, in milliseconds. */
const refreshInterval = 60_000

/** The settings of someone who has none. */
export const settings = {
  twenty_four_hour_time: !new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions()
    .hour12,
  web_animate_image_previews: 'never',
} as const

const unknown = { peek: () => undefined }
/** The reader's data for the HTML of messages. */
const reader = {
  store: { selfId: noUser, settings: { peek: () => settings }, users: unknown, groups: unknown },
}

interface MessagesPaneProps {
  readonly api: Api
  readonly organization: Organization
  readonly narrow: OpenNarrow
  readonly near: number | undefined
}

/** The messages of a channel or topic, to read. Draw it with another key for another one. */
export function MessagesPane({ api, organization, narrow, near }: MessagesPaneProps) {
  const reading = useMemo(() => createReading(api, narrow), [api, narrow])
  const builder = useMemo(() => createRowBuilder(narrow), [narrow])
  const scroller = useRef<HTMLDivElement>(null)
  const { messages, status } = reading

  useRefresh(reading, near)
  useKeptPlace(scroller, messages.value, near)

  const ids = messages.value.map(({ id }) => id)
  const byId = new Map(messages.value.map((message) => [message.id, message]))
  const source = { ids, message: (id: number) => byId.get(id), firstUnreadId: undefined }
  const { isFetching, hasOldest, hasNewest, problem } = status.value
  const isEmpty = ids.length === 0
  return (
    <div class="pane">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in messages are the server's HTML */}
      <div ref={scroller} class="pane-scroller" onClick={clickHtml} onKeyDown={pressHtml}>
        <div class="pane-top" />
        {!hasOldest && !isEmpty && (
          <Button isBusy={isFetching} onClick={() => void reading.older()}>
            {t('Older messages')}
          </Button>
        )}
        {isEmpty && problem === undefined && (
          <p class="empty">
            {isFetching || !hasNewest ? t('Loading…') : t('No messages here yet.')}
          </p>
        )}
        <ul class="messages">
          {builder.rowsFor(source, 0, ids.length).map((row) => {
            if (row.kind === 'unread-marker') return null
            if (row.kind === 'message') {
              const { message, showsSender } = row
              return (
                <MessageItem
                  key={row.key}
                  message={message}
                  showsSender={showsSender || message.isMe}
                  isNamed={message.id === near}
                  organization={organization}
                />
              )
            }
            const isBar = row.kind === 'recipient' && narrow.kind !== 'topic'
            return isBar ? (
              <PlaceBar key={row.key} message={row.message} organization={organization} />
            ) : (
              <li key={row.key} class="center day">
                <span>{dayText(new Date(`${row.date}T12:00:00`).getTime() / 1000)}</span>
              </li>
            )
          })}
        </ul>
        {problem !== undefined && (
          <FailureNote
            problem={problem}
            retry={() => void (isEmpty ? reading.open(near) : reading.newer())}
          />
        )}
        {!hasNewest && !isEmpty && (
          <Button isBusy={isFetching} onClick={() => void reading.newer()}>
            {t('Newer messages')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Opens the messages, and fetches newer ones now and then. */
function useRefresh(reading: ReturnType<typeof createReading>, near: number | undefined): void {
  const { status } = reading
  useEffect(() => {
    void reading.open(near)
    const refresh = () => {
      const { hasNewest } = status.peek()
      if (hasNewest && document.visibilityState === 'visible') void reading.newer()
    }
    const timer = setInterval(refresh, refreshInterval)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [reading, status, near])
}

/** First shows the end, or the linked message; later, the messages being read stay in place. */
function useKeptPlace(
  scroller: { readonly current: HTMLElement | null },
  messages: readonly Message[],
  near: number | undefined,
): void {
  const kept = useRef<{ firstId: number; height: number } | undefined>(undefined)
  useLayoutEffect(() => {
    const { current: box } = scroller
    const [first] = messages
    if (!box || !first) return
    const before = kept.current
    kept.current = { firstId: first.id, height: box.scrollHeight }
    if (!before) {
      const row = near === undefined ? null : box.querySelector(`[data-message-id="${near}"]`)
      if (row) row.scrollIntoView({ block: 'center' })
      else box.scrollTop = box.scrollHeight
    } else if (before.firstId !== first.id) box.scrollTop += box.scrollHeight - before.height
  }, [scroller, messages, near])
}

const onIcon = pointing(ChevronRight)

interface MessageItemProps {
  readonly message: Message
  readonly showsSender: boolean
  /** Whether the link names it. */
  readonly isNamed: boolean
  readonly organization: Organization
}

function MessageItem({ message, showsSender, isNamed, organization }: MessageItemProps) {
  const { id, editedAt, isMe, reactions, senderAvatarUrl, senderName } = message
  const time = (
    <a
      class="message-time"
      href={placeHash(message, organization)}
      title={exactText(message.timestamp, settings)}
    >
      {timeText(message.timestamp, settings)}
    </a>
  )
  return (
    <li
      class={classes('message', showsSender && 'message-first', isNamed && 'message-selected')}
      data-message-id={id}
    >
      <div class="message-gutter">
        {showsSender ? <Avatar user={{ name: senderName, avatarUrl: senderAvatarUrl }} /> : time}
      </div>
      <div class="message-main">
        {showsSender ? (
          <div class="message-head">
            <span class="message-sender">{senderName}</span>
            {isMe && <MessageHtml html={withoutMe(message.html)} />}
            {time}
            {editedAt !== undefined && <span class="message-mark">{t('edited')}</span>}
          </div>
        ) : (
          <span class="visually-hidden">{senderName}</span>
        )}
        {!isMe && <MessageHtml html={message.html} />}
        {reactions.length > 0 && (
          <ReactionCounts reactions={reactions} organization={organization} />
        )}
      </div>
    </li>
  )
}

function placeHash({ id, conversation }: Message, { lookups }: Organization): string {
  return hashOf({ kind: 'messages', narrow: conversation, near: id }, lookups)
}

function PlaceBar({ message, organization }: Pick<MessageItemProps, 'message' | 'organization'>) {
  const { conversation, timestamp } = message
  if (conversation.kind === 'direct') return null
  const { lookups } = organization
  const { channelId, topic } = conversation
  return (
    <li class="row tight bar">
      <a
        class="row ellipsis tight bar-part bar-channel"
        href={hashOf({ kind: 'messages', narrow: { kind: 'channel', channelId } }, lookups)}
      >
        {lookups.channels.peek(channelId)?.name}
      </a>
      <Icon node={onIcon} size={14} class="bar-arrow" />
      <a
        class="row ellipsis tight bar-part"
        href={hashOf({ kind: 'messages', narrow: conversation }, lookups)}
      >
        {organization.topicName(topic)}
      </a>
      <span class="bar-date">{dayText(timestamp)}</span>
    </li>
  )
}

function MessageHtml({ html }: { readonly html: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current: box } = ref
    if (!box) return
    insertHtml(box, html, reader)
    // There is no card of people, nor a viewer of pictures, that these could open.
    for (const part of box.querySelectorAll('.user-mention, .user-group-mention, img')) {
      part.removeAttribute('role')
      part.removeAttribute('tabindex')
    }
  }, [html])
  return <div ref={ref} dir="auto" class="rendered" />
}

interface ReactionCountsProps {
  readonly reactions: readonly Reaction[]
  readonly organization: Organization
}

function ReactionCounts({ reactions, organization }: ReactionCountsProps) {
  const counts = new Map<string, { readonly reaction: Reaction; count: number }>()
  for (const reaction of reactions) {
    const key = `${reaction.type}:${reaction.code}`
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { reaction, count: 1 })
  }
  return (
    <div class="cluster tight reactions">
      {[...counts].map(([key, { reaction, count }]) => (
        <span key={key} class="row tight reaction" title={`:${reaction.name}:`}>
          <Glyph reaction={reaction} organization={organization} />
          <span class="ellipsis">{count}</span>
        </span>
      ))}
    </div>
  )
}

function Glyph({
  reaction,
  organization,
}: Omit<ReactionCountsProps, 'reactions'> & { readonly reaction: Reaction }) {
  const { name, code, type } = reaction
  if (type === 'unicode_emoji') return <span class="glyph">{emojiText(code)}</span>
  const url = type === 'realm_emoji' ? organization.emojiUrl(code) : extraEmojiPath
  if (!url) return <span>{`:${name}:`}</span>
  return <img class="glyph-picture" src={url} alt={`:${name}:`} width={18} height={18} />
}

/** Clicks on buttons in the server's HTML. */
function clickHtml({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a')) return
  const header = target.closest<HTMLElement>('.spoiler-header')
  if (header) toggleSpoiler(header)
  const copy = target.closest<HTMLElement>('.code-copy')
  // Where the browser does not allow copying, the code can still be selected.
  if (copy) void copyCode(copy).catch(() => {})
}

function pressHtml(event: KeyboardEvent): void {
  if (isFinishing(event)) return
  const { target, key } = event
  if ((key !== 'Enter' && key !== ' ') || !(target instanceof HTMLElement)) return
  if (!target.matches('.spoiler-header')) return
  event.preventDefault()
  target.click()
}
