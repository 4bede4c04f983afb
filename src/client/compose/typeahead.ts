import type { ComposeTarget } from '#client/app.ts'
import { topicName } from '#client/lists/names.ts'
import { topicsOf } from '#client/lists/topics.ts'
import { encodeHashComponent, hashOf } from '#client/narrow/hash.ts'
import type { Channel, Group, User } from '#client/state/model.ts'
import { canInGroup } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { type NamedEmoji, searchEmoji } from '#client/ui/emoji-search.ts'
import { byFolded, fold, rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import type { Edit } from './formatting.ts'
import { mentionName } from './quoting.ts'

/** What is being typed at the caret, and could be completed. */
export interface Completion {
  readonly kind:
    | 'mention'
    | 'silent'
    | 'channel'
    | 'topic'
    | 'emoji'
    | 'command'
    | 'language'
    | 'time'
  /** What is typed of it. */
  readonly query: string
  /** The stretch of the text that a candidate replaces: up to the caret. */
  readonly start: number
  readonly end: number
  /** Of a topic. */
  readonly channelId?: number
  /** Of a language: the marks that end the block, where nothing ends it yet. */
  readonly closing?: string
}

/** Something that can stand there instead. */
export type Candidate =
  | { readonly kind: 'person'; readonly user: User }
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'wildcard'; readonly name: string; readonly description: string }
  | { readonly kind: 'channel'; readonly channel: Channel }
  /** `isNew`: nobody wrote in it yet, as far as is known. */
  | {
      readonly kind: 'topic'
      readonly channel: Channel
      readonly topic: string
      readonly isNew: boolean
    }
  | { readonly kind: 'emoji'; readonly emoji: NamedEmoji }
  | { readonly kind: 'command'; readonly name: string; readonly description: string }
  | { readonly kind: 'language'; readonly name: string }
  /** `at` in seconds; undefined to choose a time. */
  | { readonly kind: 'time'; readonly at: number | undefined; readonly description: string }

/** What candidates come from. */
export interface TypeaheadFacts {
  readonly store: Store
  /** Where the message goes: people there come first. */
  readonly target: ComposeTarget | undefined
  /** Every emoji that can be used; empty until they are fetched. */
  readonly emoji: readonly NamedEmoji[]
  readonly emojiUses?: (emoji: NamedEmoji) => number
  /** In seconds. */
  readonly now: number
}

/** Names are not longer than this, so nothing further back is looked at. */
const farthest = 200

/** What could be completed at the caret; undefined for plain text and inside code. */
export function completionAt(text: string, caret: number, store: Store): Completion | undefined {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(Math.max(lineStart, caret - farthest), caret)
  const at = (
    kind: Completion['kind'],
    query: string,
    length: number,
    channelId?: number,
  ): Completion => ({
    kind,
    query,
    start: caret - length,
    end: caret,
    ...(channelId !== undefined && { channelId }),
  })

  if (lineStart === 0) {
    const command = /^\/(\w*)$/.exec(line)
    if (command) return at('command', command[1] ?? '', line.length)
  }
  const isCode = openFence(text.slice(0, lineStart)) !== undefined
  const language = /^\s*(`{3,}|~{3,})\s?([\w+#.-]+)$/.exec(line)
  if (language) {
    const [, marks = '', query = ''] = language
    if (isCode) return undefined
    const isClosed = text
      .slice(caret)
      .split('\n')
      .some((each) => each.trim() === marks)
    return { ...at('language', query, query.length), ...(!isClosed && { closing: marks }) }
  }
  if (isCode || isInlineCode(line)) return undefined

  const time = /<(t(?:i(?:m(?:e(?::[^>\n]*)?)?)?)?)$/.exec(line)
  if (time) return at('time', (time[1] ?? '').replace(/^(?:time:?|tim|ti|t)/, ''), time[0].length)

  const topic = /(?:^|[^\w#])(#(?:\*\*)?([^*\n>]+)>([^*\n]*))$/.exec(line)
  if (topic) {
    const [, whole = '', name = '', query = ''] = topic
    const channel = findChannel(name, store)
    if (channel) return at('topic', query, whole.length, channel.id)
  }
  const channel = /(?:^|[^\w#])(#(?:\*{0,2})([^\s*#>][^*#\n>]*)?)$/.exec(line)
  if (channel) return at('channel', channel[2] ?? '', (channel[1] ?? '').length)

  const mention = /(?:^|[^\p{L}\p{N}@])(@(_?)(?:\*{0,2})([^\s*@_][^*@\n]*)?)$/u.exec(line)
  if (mention) {
    const [, whole = '', silent, query = ''] = mention
    return at(silent ? 'silent' : 'mention', query, whole.length)
  }
  const emoji = /(?:^|[^\p{L}\p{N}:]):([a-z+][a-z0-9_+-]+|\+)$/iu.exec(line)
  return emoji ? at('emoji', emoji[1] ?? '', (emoji[1] ?? '').length + 1) : undefined
}

/** The mark that opened a block of code which is still open at the end of a text. */
function openFence(text: string): string | undefined {
  let open: string | undefined
  for (const [, marks = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$/gm)) {
    if (open === undefined) {
      // Text inside of quotes and spoilers is text.
      if (!/^(quote|spoiler)\b/i.test(info.trim())) open = marks
    } else if (marks === open && info.trim() === '') open = undefined
  }
  return open
}

function isInlineCode(line: string): boolean {
  return (line.match(/`/g)?.length ?? 0) % 2 === 1
}

/** A channel by the name that is typed before `>`. */
function findChannel(name: string, { channels }: Store): Channel | undefined {
  const wanted = fold(name)
  for (const channel of channels.current.values()) if (fold(channel.name) === wanted) return channel
  return undefined
}

/** How many candidates are offered. */
const few = 8

/** What can stand there, the best first; empty where nothing is like what is typed. */
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
      }).map((emoji) => ({ kind: 'emoji', emoji }))
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

/** The edit that puts a candidate where it was asked for; undefined for a time still to choose. */
export function completionEdit(
  completion: Completion,
  candidate: Candidate,
  store: Store,
): Edit | undefined {
  const text = insertedText(completion, candidate, store)
  if (text === undefined) return undefined
  const { start: from, end: to } = completion
  const caret = from + text.length
  if (candidate.kind !== 'language') return { from, to, insert: text, start: caret, end: caret }
  const { closing } = completion
  const insert = `${text}\n${closing === undefined ? '' : `\n${closing}`}`
  return { from, to, insert, start: caret + 1, end: caret + 1 }
}

function insertedText(
  completion: Completion,
  candidate: Candidate,
  store: Store,
): string | undefined {
  const silent = completion.kind === 'silent' ? '_' : ''
  switch (candidate.kind) {
    case 'person':
      return `@${silent}**${mentionName(store.users.current.values(), candidate.user)}** `
    case 'group':
      return `@${silent}*${candidate.group.name}* `
    case 'wildcard':
      return `@**${candidate.name}** `
    case 'channel':
      return `${channelMarkdown(candidate.channel, undefined, store)} `
    case 'topic':
      return `${channelMarkdown(candidate.channel, candidate.topic, store)} `
    case 'emoji':
      return `:${candidate.emoji.name}: `
    case 'command':
      return `/${candidate.name} `
    case 'language':
      return candidate.name
    case 'time':
      return candidate.at === undefined ? undefined : `${timeMarkdown(candidate.at)} `
  }
}

/** Characters with which `#**name**` would not be read as the name. */
const awkward = /[`>*&[\]]|\$\$|\\/

/** A link to a channel or topic: `#**dev>plans**`, or an ordinary link for awkward names. */
export function channelMarkdown(channel: Channel, topic: string | undefined, store: Store): string {
  const isPlain = !awkward.test(channel.name) && !awkward.test(topic ?? '')
  if (isPlain) return topic === undefined ? `#**${channel.name}**` : `#**${channel.name}>${topic}**`
  const link = hashOf(
    { kind: 'messages', narrow: { kind: 'channel', channelId: channel.id } },
    store,
  )
  const name = `#${channel.name}${topic === undefined ? '' : ` > ${topicName(topic, store)}`}`
  const text = name.replace(/[`>*&[\]$\\]/g, (character) => `&#${character.codePointAt(0)};`)
  return `[${text}](${link}${topic === undefined ? '' : `/topic/${encodeHashComponent(topic)}`})`
}

/** A time that every reader sees in their zone: `<time:2026-11-22T14:00:00Z>`. */
export function timeMarkdown(at: number): string {
  return `<time:${new Date(at * 1000).toISOString().replace('.000Z', 'Z')}>`
}

// People, groups and everybody.

function mentions(query: string, facts: TypeaheadFacts, isSilent: boolean): Candidate[] {
  const { store, target } = facts
  const near = nearness(facts)
  const candidates: Candidate[] = []
  for (const user of store.users.current.values()) {
    if (user.isActive && !user.isSystemBot && !store.mutedUsers.peek().has(user.id)) {
      candidates.push({ kind: 'person', user })
    }
  }
  for (const group of store.groups.current.values()) {
    if (group.isSystem || group.isDeactivated) continue
    if (isSilent || canInGroup(store, group, 'can_mention_group')) {
      candidates.push({ kind: 'group', group })
    }
  }
  if (!isSilent) candidates.push(...wildcards(target))
  return rank(candidates, query, {
    names: nameOf,
    order: (a, b) => near(b) - near(a) || byFolded(nameOf(a), nameOf(b)),
    limit: few,
    worst: 3,
  })
}

function nameOf(candidate: Candidate): string {
  if (candidate.kind === 'person') return candidate.user.name
  if (candidate.kind === 'group') return candidate.group.name
  return candidate.kind === 'wildcard' ? candidate.name : ''
}

function wildcards(target: ComposeTarget | undefined): Candidate[] {
  const isDirect = target?.kind === 'direct'
  const all = isDirect ? t('Everybody in the conversation') : t('Everybody in the channel')
  const names = isDirect ? ['all', 'everyone'] : ['all', 'everyone', 'channel']
  const wide = names.map((name): Candidate => ({ kind: 'wildcard', name, description: all }))
  const description = t('Everybody who wrote in the topic')
  return isDirect ? wide : [...wide, { kind: 'wildcard', name: 'topic', description }]
}

/** How likely somebody is meant: those who wrote here, who are in the channel, whom one writes to. */
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
    if (candidate.kind === 'wildcard') return 0
    if (candidate.kind !== 'person') return 0
    return (points.get(candidate.user.id) ?? 0) - (candidate.user.isBot ? 30 : 0)
  }
}

// Channels and topics.

function channels(query: string, { store }: TypeaheadFacts): Candidate[] {
  const level = ({ id, isRecentlyActive }: Channel) => {
    const subscription = store.subscriptions.peek(id)
    if (!subscription) return 4
    if (subscription.isMuted) return 3
    if (subscription.isPinned) return 0
    return isRecentlyActive ? 1 : 2
  }
  const open = [...store.channels.current.values()].filter(({ isArchived }) => !isArchived)
  return rank(open, query, {
    names: ({ name }) => name,
    order: (a, b) => level(a) - level(b) || byFolded(a.name, b.name),
    limit: few,
    worst: 3,
  }).map((channel) => ({ kind: 'channel', channel }))
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

// The rest.

function commands(): { readonly name: string; readonly description: string }[] {
  return [
    { name: 'me', description: t('Say what you do') },
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

/** A few moments to come, and the way to any other. */
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
