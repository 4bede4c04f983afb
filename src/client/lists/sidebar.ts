import type { ChannelFolder } from '#client/api/wire.ts'
import { parseHash } from '#client/narrow/hash.ts'
import type { View } from '#client/narrow/narrow.ts'
import { type Channel, type Conversation, conversationKey } from '#client/state/model.ts'
import { peopleNames } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { isMuted } from '#client/state/unreads.ts'
import { matcher } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import { channelSections, manyChannels, noUnreads, unreadsByChannel } from './channel-sections.ts'
import { topicsOf } from './topics.ts'

/** A view in the side bar. */
export interface SidebarView {
  /** The part of the link after `#`, by which the server also names built-in views. */
  readonly fragment: string
  readonly name: string
  readonly view: View
  readonly count: number
  /** Whether the count is that of all messages, not of unread ones. */
  readonly isQuiet: boolean
  /** Those that are not pinned are behind "more". */
  readonly isPinned: boolean
}

/**
 * The views that everyone has, and those that the user saved.
 *
 * @param draftCount how many drafts there are in this browser, which the server may not have yet
 */
export function sidebarViews(store: Store, draftCount: number): SidebarView[] {
  const { settings, unreads, starred, scheduled, reminders } = store
  const counts = unreads.counts.value
  const starredCount = settings.value.starred_message_counts ? starred.value.size : 0
  const messages = (kind: 'all' | 'mentions' | 'starred' | 'reactions'): View => ({
    kind: 'messages',
    narrow: { kind },
  })
  const builtIn: [fragment: string, name: string, view: View, count: number, pinned: boolean][] = [
    ['inbox', t('Inbox'), { kind: 'inbox' }, counts.total, true],
    ['recent', t('Recent conversations'), { kind: 'recent' }, 0, true],
    ['feed', t('Combined feed'), messages('all'), 0, true],
    ['narrow/is/mentioned', t('Mentions'), messages('mentions'), counts.mentions, true],
    ['narrow/is/starred', t('Starred messages'), messages('starred'), starredCount, true],
    ['narrow/has/reaction/sender/me', t('Reactions'), messages('reactions'), 0, false],
    ['drafts', t('Drafts'), { kind: 'drafts' }, draftCount, true],
    [
      'scheduled',
      t('Scheduled'),
      { kind: 'scheduled' },
      scheduled.all.size,
      scheduled.all.size > 0,
    ],
    [
      'reminders',
      t('Reminders'),
      { kind: 'reminders' },
      reminders.all.size,
      reminders.all.size > 0,
    ],
  ]
  const saved = store.navigationViews.all
  const views = builtIn.map(([fragment, name, view, count, pinned]) => ({
    fragment,
    name,
    view,
    count,
    isQuiet: !['inbox', 'narrow/is/mentioned'].includes(fragment),
    isPinned: saved.get(fragment)?.is_pinned ?? pinned,
  }))
  const own = [...saved.values()].flatMap(({ fragment, name, is_pinned }): SidebarView[] => {
    const { view } = parseHash(fragment, store)
    if (name === null || name === undefined || !view) return []
    return [{ fragment, name, view, count: 0, isQuiet: true, isPinned: is_pinned }]
  })
  return [...views, ...own]
}

/** A channel in the side bar. */
export interface SidebarChannel {
  readonly channel: Channel
  readonly color: string
  readonly isMuted: boolean
  readonly isPinned: boolean
  readonly isInactive: boolean
  /** Unread messages that count; in a muted channel those of topics that are not. */
  readonly count: number
  /** Whether the setting says to show the number, not only a mark. */
  readonly showsCount: boolean
  /** Unread messages that do not count. */
  readonly mutedCount: number
  readonly hasMention: boolean
}

export interface SidebarSection {
  /** `pinned`, `folder:7` or `other`. */
  readonly key: string
  readonly folder: ChannelFolder | undefined
  readonly count: number
  /** The active ones. */
  readonly channels: readonly SidebarChannel[]
  /** Inactive and muted ones, which are behind "more", except in a search. */
  readonly lesser: readonly SidebarChannel[]
}

/**
 * The channels of the side bar by section. Channels with unread messages that count, or a mention,
 * are never behind "more".
 *
 * @param filter leaves channels that have it in their name or in that of a known topic
 * @param lately where there are many channels, those that stay among the unread ones, which come first
 */
export function sidebarChannels(
  store: Store,
  filter = '',
  lately: ReadonlySet<number> = new Set(),
): SidebarSection[] {
  const isLong = store.subscriptions.all.size >= manyChannels
  const rankOf = ({ channel, count, hasMention }: SidebarChannel) =>
    hasMention ? 0 : count > 0 || lately.has(channel.id) ? 1 : 2
  const byChannel = unreadsByChannel(store.unreads.conversations.value)
  const policy = store.settings.value.web_stream_unreads_count_display_policy
  const isWanted = matcher(filter)
  const isFiltered = filter.trim() !== ''
  return channelSections(store).flatMap(({ key, folder, channels }) => {
    const all = channels
      .filter(
        ({ channel }) =>
          !isFiltered ||
          isWanted(channel.name) ||
          topicsOf(store, channel.id, { filter }).length > 0,
      )
      .map(({ channel, subscription, isInactive }): SidebarChannel => {
        const unread = byChannel.get(channel.id) ?? noUnreads
        const { isMuted, isPinned, color } = subscription
        return {
          channel,
          color,
          isMuted,
          isPinned,
          isInactive,
          count: unread.count,
          showsCount: policy === 1 || (policy === 2 && !isMuted),
          mutedCount: unread.mutedCount,
          hasMention: unread.hasMention,
        }
      })
    if (all.length === 0) return []
    const isLesser = (one: SidebarChannel) =>
      !isFiltered && (one.isMuted || one.isInactive) && one.count === 0 && !one.hasMention
    const count = all.reduce((total, one) => total + one.count, 0)
    const lesser = all.filter(isLesser)
    const main = all.filter((one) => !isLesser(one))
    if (isLong) main.sort((a, b) => rankOf(a) - rankOf(b))
    return [{ key, folder, count, channels: main, lesser }]
  })
}

/** Direct messages with someone in the side bar. */
export interface SidebarDirect {
  readonly key: string
  readonly conversation: Conversation & { readonly kind: 'direct' }
  readonly name: string
  readonly count: number
  readonly hasMention: boolean
}

export interface SidebarDirects {
  readonly directs: readonly SidebarDirect[]
  /** How many more there are. */
  readonly more: number
}

/** How many direct conversations are shown without asking. */
const fewDirects = 8

/**
 * Direct conversations: those with unread messages first, then the newest. Only a few are shown at
 * first, however many are unread, so that the channels below stay reachable.
 *
 * @param current the conversation that is open, which is shown in any case
 */
export function sidebarDirects(
  store: Store,
  {
    filter = '',
    showsAll = false,
    current,
  }: { filter?: string; showsAll?: boolean; current?: Conversation | undefined } = {},
): SidebarDirects {
  const unreads = new Map(
    store.unreads.conversations.value.map((each) => [conversationKey(each.conversation), each]),
  )
  const known = new Map<string, Conversation>()
  for (const { conversation } of store.recent.direct.value) {
    known.set(conversationKey(conversation), conversation)
  }
  for (const [key, { conversation }] of unreads) if (!known.has(key)) known.set(key, conversation)
  if (current) known.set(conversationKey(current), current)
  const isWanted = matcher(filter)
  const all = [...known].flatMap(([key, conversation]): SidebarDirect[] => {
    if (conversation.kind !== 'direct' || isMuted(conversation, store)) return []
    const name = peopleNames(conversation.userIds, store)
    if (!isWanted(name)) return []
    const { count = 0, hasMention = false } = unreads.get(key) ?? {}
    return [{ key, conversation, name, count, hasMention }]
  })
  const ordered = [
    ...all.filter(({ count }) => count > 0),
    ...all.filter(({ count }) => count === 0),
  ]
  if (showsAll || filter.trim() !== '') return { directs: ordered, more: 0 }
  const open = current && conversationKey(current)
  const shown = ordered.filter(({ key }, i) => i < fewDirects || key === open)
  return { directs: shown, more: ordered.length - shown.length }
}
