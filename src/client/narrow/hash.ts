import type { Channel, Group, User } from '#client/state/model.ts'
import { encodeHashComponent } from '#shared/place-links.ts'
import { readMoment } from './dates.ts'
import type { Narrow, Overlay, Route, Term, View } from './narrow.ts'
import { canBeNegated, type OperandKind, operandKind, operatorName } from './operators.ts'
import { narrowOf, term, termsOf } from './terms.ts'

/** The data that links need: the names in them, and the IDs behind old forms. */
export interface Lookups {
  readonly selfId: number
  readonly channels: LookupTable<Channel>
  readonly users: LookupTable<User>
  readonly groups: LookupTable<Group>
}

interface LookupTable<V> {
  peek(id: number): V | undefined
  readonly current: ReadonlyMap<number, V>
}

const home: Route = {}

/**
 * Parses a hash, with or without its `#`. The empty hash and a malformed one are the home view.
 *
 * @source Zulip, "Zulip URLs" (`api_docs/zulip-urls.md`)
 */
export function parseHash(hash: string, lookups: Lookups): Route {
  const path = hash.replace(/^#/, '')
  const [category = '', ...rest] = path.split('/')
  try {
    if (category === 'narrow') return narrowRoute(rest, lookups)
    const view = Object.hasOwn(plainViews, category) ? plainViews[category] : undefined
    if (view) return { view }
    if (category === 'topics') return topicsRoute(rest, lookups)
    const overlay = overlayOf(category, rest)
    return overlay ? { overlay } : home
  } catch (error) {
    if (error instanceof MalformedHash || error instanceof URIError) return home
    throw error
  }
}

/** The link of a view or overlay, with its `#`. */
export function hashOf(target: View | Overlay, lookups: Lookups): string {
  switch (target.kind) {
    case 'messages':
      return messagesHash(target.narrow, target.near, lookups)
    case 'topics':
      return `#topics/channel/${channelSlug(target.channelId, lookups)}`
    case 'channels':
      return target.folderId === undefined
        ? `#channels/${target.tab}`
        : `#channels/folders/${target.folderId}/new`
    case 'channel': {
      const name = lookups.channels.peek(target.channelId)?.name ?? 'unknown'
      return `#channels/${target.channelId}/${encodeHashComponent(name)}/${target.section}`
    }
    case 'user':
      return `#user/${target.userId}`
    case 'about':
      return '#about-zulip'
    case 'settings': {
      const area = target.area === 'personal' ? 'settings' : 'organization'
      return `#${[area, ...target.path.map(encodeHashComponent)].join('/')}`
    }
    case 'groups':
      return `#groups/${target.tab}`
    case 'group': {
      const name = lookups.groups.peek(target.groupId)?.name ?? 'unknown'
      return `#groups/${target.groupId}/${encodeHashComponent(name)}/${target.section}`
    }
    default:
      return `#${target.kind}`
  }
}

/** @throws URIError it is not encoded in this way */
export function decodeHashComponent(text: string): string {
  return decodeURIComponent(text.replaceAll('.', '%'))
}

class MalformedHash extends Error {}

const plainViews: Readonly<Record<string, View>> = {
  inbox: { kind: 'inbox' },
  recent: { kind: 'recent' },
  recent_topics: { kind: 'recent' },
  direct: { kind: 'direct' },
  feed: { kind: 'messages', narrow: { kind: 'all' } },
  all_messages: { kind: 'messages', narrow: { kind: 'all' } },
  drafts: { kind: 'drafts' },
  scheduled: { kind: 'scheduled' },
  reminders: { kind: 'reminders' },
}

function narrowRoute(parts: readonly string[], lookups: Lookups): Route {
  const terms: Term[] = []
  let near: number | undefined
  for (let i = 0; i < parts.length; i += 2) {
    const named = parts[i] ?? ''
    if (named === '') break
    const found = termOf(named, parts[i + 1] ?? '', lookups)
    if (found.operator === 'near') near = Number(found.operand)
    else terms.push(found)
  }
  if (terms.length === 0 && near === undefined) return home
  const view: View = { kind: 'messages', narrow: narrowOf(terms, lookups.selfId) }
  return { view: near === undefined ? view : { ...view, near } }
}

/** @throws MalformedHash */
function termOf(named: string, encodedOperand: string, lookups: Lookups): Term {
  const negated = named.startsWith('-')
  const operator = operatorName(decodeHashComponent(negated ? named.slice(1) : named))
  if (!operator || (negated && !canBeNegated(operator))) throw new MalformedHash()
  const text = decodeHashComponent(encodedOperand)
  if (text === '' && operator !== 'topic') throw new MalformedHash()
  return term(operator, operands[operandKind(operator)].read(text, lookups), negated)
}

interface LinkOperand {
  /** @throws MalformedHash */
  read(text: string, lookups: Lookups): Term['operand']
  /** @param ids the operand, if it is not a text: one number, or those of people */
  write(ids: readonly number[], lookups: Lookups): string
}

const plain: LinkOperand = { read: (text) => text, write: String }

/** Operands in links. */
const operands: Readonly<Record<OperandKind, LinkOperand>> = {
  channel: { read: channelOperand, write: ([id = 0], lookups) => channelSlug(id, lookups) },
  channels: plain,
  content: plain,
  id: { read: idOf, write: String },
  moment: { read: momentOf, write: String },
  people: { read: peopleOperand, write: peopleSlug },
  person: { read: senderOperand, write: peopleSlug },
  state: { read: (text) => (text === 'private' ? 'dm' : text), write: String },
  topic: plain,
  words: plain,
}

/** The id before the name, which is only a hint; old links have the name alone. */
function channelOperand(text: string, { channels }: Lookups): number | string {
  const id = /^(\d{1,15})(?:-|$)/.exec(text)?.[1]
  if (id !== undefined) return Number(id)
  const wanted = text.toLowerCase()
  const found = [...channels.current.values()].find(({ name }) => {
    const key = name.toLowerCase()
    return key === wanted || key.replaceAll(' ', '-') === wanted
  })
  return found?.id ?? text
}

/** Ids before a hint, or addresses as old links have them; the user's own id goes without saying. */
function peopleOperand(text: string, lookups: Lookups): readonly number[] | string {
  const listed = /^[\d,]+/.exec(text)?.[0]
  const ids =
    listed !== undefined && !text.includes('@')
      ? listed.split(',').filter((id) => id !== '')
      : text.split(',').map((address) => findByAddress(address, lookups)?.id)
  if (ids.length === 0) throw new MalformedHash()
  return ids.some((id) => id === undefined) ? text : otherIds(ids.map(Number), lookups.selfId)
}

/** Ascending, each once, without the user's own unless it is alone. */
export function otherIds(ids: readonly number[], selfId: number): readonly number[] {
  const others = [...new Set(ids)].filter((id) => id !== selfId).sort((a, b) => a - b)
  return others.length > 0 ? others : [selfId]
}

function senderOperand(text: string, lookups: Lookups): number | string {
  if (text === 'me') return lookups.selfId
  const id = /^(\d{1,15})(?:-|$)/.exec(text)?.[1]
  return id !== undefined ? Number(id) : (findByAddress(text, lookups)?.id ?? text)
}

function findByAddress(address: string, { users }: Lookups): User | undefined {
  const wanted = address.trim().toLowerCase()
  return [...users.current.values()].find(
    ({ email, deliveryEmail }) =>
      email.toLowerCase() === wanted || deliveryEmail?.toLowerCase() === wanted,
  )
}

/** @throws MalformedHash */
function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new MalformedHash()
  return Number(text)
}

/** @throws MalformedHash */
function momentOf(text: string): number {
  const moment = /^\d{1,15}$/.test(text) ? Number(text) : readMoment(text)
  if (moment === undefined) throw new MalformedHash()
  return moment
}

function topicsRoute([operator = '', slug = '']: readonly string[], lookups: Lookups): Route {
  if (operatorName(operator) !== 'channel') return home
  const channelId = channelOperand(decodeHashComponent(slug), lookups)
  return typeof channelId === 'number' ? { view: { kind: 'topics', channelId } } : home
}

const sheets: Readonly<Record<string, Overlay>> = {
  'keyboard-shortcuts': { kind: 'keyboard-shortcuts' },
  'message-formatting': { kind: 'message-formatting' },
  'search-operators': { kind: 'search-operators' },
  'about-zulip': { kind: 'about' },
  invite: { kind: 'invite' },
}

const groupTabs: ReadonlyMap<string, 'your' | 'all' | 'new'> = new Map([
  ['', 'your'],
  ['your', 'your'],
  ['all', 'all'],
  ['new', 'new'],
])

const groupSections: ReadonlySet<string> = new Set(['general', 'members', 'permissions'])

const channelTabs: ReadonlyMap<string, 'subscribed' | 'available' | 'all' | 'new'> = new Map([
  ['', 'subscribed'],
  ['subscribed', 'subscribed'],
  ['available', 'available'],
  ['notsubscribed', 'available'],
  ['all', 'all'],
  ['new', 'new'],
])

const channelSections: ReadonlySet<string> = new Set([
  'general',
  'personal',
  'subscribers',
  'permissions',
])

function overlayOf(category: string, rest: readonly string[]): Overlay | undefined {
  if (Object.hasOwn(sheets, category)) return sheets[category]
  if (category === 'channels' || category === 'streams') return channelsOverlay(rest)
  if (category === 'user') return { kind: 'user', userId: idOf(rest[0] ?? '') }
  if (category === 'groups') return groupsOverlay(rest)
  if (category === 'settings') return settingsOverlay('personal', rest)
  if (category === 'organization') return settingsOverlay('organization', rest)
  return undefined
}

/** The earlier names of sections. */
const renamedSections: Readonly<Record<string, string>> = {
  'display-settings': 'preferences',
  'your-account': 'profile',
}

function settingsOverlay(area: 'personal' | 'organization', rest: readonly string[]): Overlay {
  const path = rest.filter((part) => part !== '').map(decodeHashComponent)
  const [section = '', ...within] = path
  const renamed = area === 'personal' ? renamedSections[section] : undefined
  return { kind: 'settings', area, path: renamed ? [renamed, ...within] : path }
}

function groupsOverlay(rest: readonly string[]): Overlay | undefined {
  const [first = '', , section = ''] = rest
  if (/^\d{1,15}$/.test(first)) {
    const known = groupSections.has(section) ? section : 'general'
    return { kind: 'group', groupId: Number(first), section: known }
  }
  const tab = groupTabs.get(first)
  return tab && { kind: 'groups', tab }
}

function channelsOverlay(rest: readonly string[]): Overlay | undefined {
  const [first = '', , section = ''] = rest
  if (/^\d{1,15}$/.test(first)) {
    const known = channelSections.has(section) ? section : 'general'
    return { kind: 'channel', channelId: Number(first), section: known }
  }
  if (first === 'folders') return { kind: 'channels', tab: 'new', folderId: idOf(rest[1] ?? '') }
  const tab = channelTabs.get(first)
  return tab && { kind: 'channels', tab }
}

function messagesHash(narrow: Narrow, near: number | undefined, lookups: Lookups): string {
  const terms = termsOf(narrow, lookups.selfId)
  if (terms.length === 0 && near === undefined) return '#feed'
  const own = narrow.kind === 'reactions' ? 'me' : undefined
  const parts = terms.map(
    (each) =>
      `${each.negated ? '-' : ''}${each.operator}/${(each.operator === 'sender' && own) || slugOf(each, lookups)}`,
  )
  if (near !== undefined) parts.push(`near/${near}`)
  return `#narrow/${parts.join('/')}`
}

function slugOf({ operator, operand }: Term, lookups: Lookups): string {
  if (typeof operand === 'string') return encodeHashComponent(operand)
  return operands[operandKind(operator)].write([operand].flat(), lookups)
}

function channelSlug(id: number, { channels }: Lookups): string {
  return withHint(String(id), channels.peek(id)?.name.replaceAll(' ', '-'))
}

function peopleSlug(ids: readonly number[], { users }: Lookups): string {
  const [first, ...others] = ids
  if (first === undefined) return ''
  if (others.length > 0) return `${ids.join(',')}-group`
  return withHint(String(first), users.peek(first)?.name.replace(/[\s"%/<>`\p{C}]+/gu, '-'))
}

/** A name that encoding would bloat does not make the link more readable. */
function withHint(id: string, name: string | undefined): string {
  if (!name) return id
  const hint = encodeHashComponent(name)
  return hint.length > name.length * 1.5 + 2 ? id : `${id}-${hint}`
}
