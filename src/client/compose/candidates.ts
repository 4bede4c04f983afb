import { topicsOf } from '#client/lists/topics.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import type { Channel, Group, User } from '#client/state/model.ts'
import { topicName } from '#client/state/names.ts'
import { canInGroup } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { matchedName, type NamedEmoji, searchEmoji } from '#client/ui/emoji-search.ts'
import { byFolded, fold, rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import type { Completion } from './completion.ts'

/** A completion. */
export type Candidate =
  | { readonly kind: 'person'; readonly user: User }
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'wildcard'; readonly name: string; readonly description: string }
  | { readonly kind: 'channel'; readonly channel: Channel }
  /** `isNew`: nobody is known to have written in it yet. */
  | {
      readonly kind: 'topic'
      readonly channel: Channel
      readonly topic: string
      readonly isNew: boolean
    }
  /** `matched`: the one of its names that was typed. */
  | { readonly kind: 'emoji'; readonly emoji: NamedEmoji; readonly matched: string }
  | { readonly kind: 'command'; readonly name: string; readonly description: string }
  | { readonly kind: 'language'; readonly name: string }
  /** `at` in seconds; undefined to choose a time. */
  | { readonly kind: 'time'; readonly at: number | undefined; readonly description: string }

/** The sources of candidates. */
export interface TypeaheadFacts {
  readonly store: Store
  /** The recipient: people there come first. */
  readonly target: ComposeTarget | undefined
  /** Every emoji that can be used; empty until they are fetched. */
  readonly emoji: readonly NamedEmoji[]
  readonly emojiUses?: (emoji: NamedEmoji) => number
  /** In seconds. */
  readonly now: number
}

/** How many candidates are offered. */
const few = 8

/** The completions, the best first; empty if nothing is similar to the typed text. */
export function candidatesFor(completion: Completion, facts: TypeaheadFacts): Candidate[] {
  const { query, channelId } = completion
  switch (completion.kind) {
    case 'mention':
      return mentions(query, facts, false)
    case 'silent':
      return mentions(query, facts, true)
    case 'channel':
      return channels(query, facts)
    case 'topic':
      return channelId === undefined ? [] : topics(channelId, query, facts)
    case 'emoji':
      return searchEmoji(facts.emoji, query, {
        limit: few,
        ...(facts.emojiUses && { uses: facts.emojiUses }),
      }).map((emoji) => ({ kind: 'emoji', emoji, matched: matchedName(emoji, query) }))
    case 'command':
      return rank(commands(), query, { names: ({ name }) => name, worst: 1 }).map((command) => ({
        kind: 'command',
        ...command,
      }))
    case 'language':
      return rank(languages, query, { names: (name) => name, limit: few, worst: 1 }).map(
        (name) => ({ kind: 'language', name }),
      )
    case 'time':
      return times(query, facts)
  }
}

function mentions(query: string, facts: TypeaheadFacts, isSilent: boolean): Candidate[] {
  const { store, target } = facts
  const near = nearness(facts)
  // Nobody mentions themselves, unless they type their name.
  const isSelf = (user: User) => user.id === store.selfId
  const candidates: Candidate[] = []
  for (const user of store.users.current.values()) {
    if (!user.isActive || user.isSystemBot || store.mutedUsers.peek().has(user.id)) continue
    if (query !== '' || !isSelf(user)) candidates.push({ kind: 'person', user })
  }
  for (const group of store.groups.current.values()) {
    if (group.isSystem || group.isDeactivated) continue
    if (isSilent || canInGroup(store, group, 'can_mention_group')) {
      candidates.push({ kind: 'group', group })
    }
  }
  const order = (a: Candidate, b: Candidate) => near(b) - near(a) || byFolded(nameOf(a), nameOf(b))
  const best = (some: readonly Candidate[], limit: number) =>
    rank(some, query, { names: nameOf, order, limit, worst: 3 })
  if (isSilent) return best(candidates, few)
  const wide = wildcards(target)
  if (query !== '') return best([...candidates, ...wide], few)
  // Before anything is typed, some of them are offered, however many people write here.
  const main = wide.filter((each) => near(each) > 0)
  return [...best(candidates, few - main.length), ...main].sort(order)
}

function nameOf(candidate: Candidate): string {
  if (candidate.kind === 'person') return candidate.user.name
  if (candidate.kind === 'group') return candidate.group.name
  return candidate.kind === 'wildcard' ? candidate.name : ''
}

function wildcards(target: ComposeTarget | undefined): Candidate[] {
  const isDirect = target?.kind === 'direct'
  const all = isDirect ? t('Everyone in the conversation') : t('Everyone in the channel')
  const names = isDirect ? ['all', 'everyone'] : ['all', 'everyone', 'channel']
  const wide = names.map((name): Candidate => ({ kind: 'wildcard', name, description: all }))
  const description = t('Everyone who wrote in the topic')
  return isDirect ? wide : [...wide, { kind: 'wildcard', name: 'topic', description }]
}

/**
 * How likely a person is meant: people who wrote here, people in the channel, people the user
 * writes to.
 */
function nearness({ store, target }: TypeaheadFacts): (candidate: Candidate) => number {
  const points = new Map<number, number>()
  const add = (ids: Iterable<number>, value: number) => {
    for (const id of ids) points.set(id, (points.get(id) ?? 0) + value)
  }
  for (const { conversation } of store.recent.direct.peek().slice(0, 20)) {
    if (conversation.kind === 'direct') add(conversation.userIds, 1)
  }
  if (target?.kind === 'direct') add(target.userIds, 100)
  else if (target?.channelId !== undefined) {
    const topic = target.topic.toLowerCase()
    for (const { conversation, senderIds } of store.recent.topicsOf(target.channelId)) {
      if (conversation.kind !== 'topic') continue
      add(senderIds, conversation.topic.toLowerCase() === topic ? 50 : 2)
    }
    add(store.subscribers.peek(target.channelId)?.ids ?? [], 20)
  }
  return (candidate) => {
    if (candidate.kind === 'group') return 10
    // Behind those who write here; all others are other words for the same.
    if (candidate.kind === 'wildcard') return /^(?:all|topic)$/.test(candidate.name) ? 45 : 0
    if (candidate.kind !== 'person') return 0
    if (candidate.user.id === store.selfId) return -100
    return (points.get(candidate.user.id) ?? 0) - (candidate.user.isBot ? 30 : 0)
  }
}

function channels(query: string, { store, target }: TypeaheadFacts): Candidate[] {
  const current = target?.kind === 'topic' ? target.channelId : undefined
  const level = ({ id, isRecentlyActive }: Channel) => {
    if (id === current) return -1
    const subscription = store.subscriptions.peek(id)
    if (!subscription) return 4
    if (subscription.isMuted) return 3
    if (subscription.isPinned) return 0
    return isRecentlyActive ? 1 : 2
  }
  const open = [...store.channels.current.values()].filter(({ isArchived }) => !isArchived)
  return rank(open, query, {
    names: ({ name }) => name,
    order: (a, b) =>
      level(a) - level(b) || newestIn(store, b) - newestIn(store, a) || byFolded(a.name, b.name),
    limit: few,
    worst: 3,
  }).map((channel) => ({ kind: 'channel', channel }))
}

/** The newest message that is known in a channel; 0: none. */
function newestIn({ recent }: Store, { id }: Channel): number {
  return recent.topicsOf(id)[0]?.newestId ?? 0
}

function topics(channelId: number, query: string, { store }: TypeaheadFacts): Candidate[] {
  const channel = store.channels.peek(channelId)
  if (!channel) return []
  const known = topicsOf(store, channelId).map(({ conversation }) => conversation.topic)
  const found = rank(known, query, {
    names: (topic) => topicName(topic, store),
    limit: few,
    worst: 3,
  }).map((topic): Candidate => ({ kind: 'topic', channel, topic, isNew: false }))
  const typed = query.trim()
  const isKnown = typed === '' || known.some((topic) => fold(topic) === fold(typed))
  return isKnown ? found : [...found, { kind: 'topic', channel, topic: typed, isNew: true }]
}

function commands(): { readonly name: string; readonly description: string }[] {
  return [
    { name: 'me', description: t('Say what you are doing') },
    { name: 'poll', description: t('Make a poll') },
    { name: 'todo', description: t('Make a to-do list') },
  ]
}

/** The usual ones, by the names that people type; the server knows many more. */
const languages: readonly string[] = (
  'quote spoiler math text bash c c# c++ clojure console cpp css csv dart diff dockerfile elixir ' +
  'erlang go graphql haskell html http ini java javascript js json jsx julia kotlin latex lisp lua ' +
  'makefile markdown matlab nginx nix objective-c ocaml perl php postgresql powershell protobuf ' +
  'python r ruby rust sass scala scheme scss sh sql swift toml ts tsx typescript vb vim xml yaml zig'
).split(' ')

/** A few future times, and an entry to choose another. */
function times(query: string, { now }: TypeaheadFacts): Candidate[] {
  const typed = Date.parse(query)
  if (query.length >= 10 && !Number.isNaN(typed)) {
    return [{ kind: 'time', at: typed / 1000, description: query }]
  }
  const at = (days: number, hours: number) => {
    const date = new Date(now * 1000)
    date.setDate(date.getDate() + days)
    date.setHours(hours, 0, 0, 0)
    return date.getTime() / 1000
  }
  const hour = new Date(now * 1000).getHours()
  return [
    { kind: 'time', at: undefined, description: t('Choose a time…') },
    { kind: 'time', at: at(0, hour + 1), description: t('In an hour') },
    { kind: 'time', at: at(1, 9), description: t('Tomorrow morning') },
  ]
}
