import { canAccessMetadata } from '#channels/access.ts'
import { type ChannelSettings, canCreate, requireCreatable } from '#channels/creation.ts'
import { channelKey, requireChannelName } from '#channels/names.ts'
import { type Channel, findChannelByName } from '#channels/queries.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { sendNotices, silently } from '#messages/notices.ts'
import { maxBulkNewSubscriptionMessages } from '#realm/limits.ts'
import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { type Joined, subscribe } from './actions.ts'
import { announce, channelLink } from './announcing.ts'
import { isColor } from './colors.ts'
import { createDescribed } from './creating.ts'
import { accessPrincipals, type Principal } from './principals.ts'
import { canAddOthers, canJoin } from './rules.ts'

/** A channel to subscribe to, and what it is like if it has to be created. */
interface AskedChannel {
  readonly name: string
  /** Markdown; for a new channel only. */
  readonly description?: string | undefined
  /** The subscribers' own color for it. */
  readonly color?: string | undefined
}

export interface AskedSubscriptions {
  readonly channels: readonly AskedChannel[]
  /** Whom to subscribe; empty: the caller. */
  readonly principals: readonly Principal[]
  /** Whether one channel that the caller may not use fails the whole call. */
  readonly errorsFatal: boolean
  /** Whether Notification Bot announces new public channels. */
  readonly announce: boolean
  /** Whether Notification Bot tells those whom the caller subscribed. */
  readonly tellSubscribed: boolean
  /** What new channels are like. */
  readonly settings: ChannelSettings
}

/** What came of it. Channel names by user id, for those with any. */
export interface SubscriptionResult {
  readonly subscribed: Record<string, string[]>
  readonly alreadySubscribed: Record<string, string[]>
  /** Names of the channels that the caller may not use; undefined when that would have failed. */
  readonly unauthorized: string[] | undefined
  /** Undefined when no such messages were wanted. */
  readonly messagesSent: boolean | undefined
}

/**
 * Subscribes the caller or others to channels, and creates those that do not exist.
 *
 * @throws BAD_REQUEST: unknown or deactivated principals, names that no channel can have, settings
 * that no channel can have; and, where errors are fatal, a channel that the caller may not use
 * @source contract, "Subscribe to a channel"; api-changes §3b
 */
export function addSubscriptions(
  tx: Tx,
  caller: Caller,
  asked: AskedSubscriptions,
): SubscriptionResult {
  const { user } = caller
  const users = accessPrincipals(tx, user, asked.principals)
  const chosen = chooseChannels(tx, user, users, asked)
  const { refused } = chosen
  const [first] = refused
  if (first && asked.errorsFatal) throw badRequest(first.reason)
  const created = createAll(tx, caller, asked, chosen.missing)
  const channels = inOrder(asked, [...chosen.existing, ...created])
  const joined = subscribe(tx, channels, users, chosenColors(tx, asked))
  if (asked.announce) announce(tx, caller, created)
  return {
    subscribed: namesByUser(joined, ({ added }) => added),
    alreadySubscribed: namesByUser(joined, ({ already }) => already),
    unauthorized: asked.errorsFatal ? undefined : refused.map(({ name }) => name),
    messagesSent: asked.tellSubscribed
      ? tellSubscribed(tx, caller, joined, new Set(created.map(({ id }) => id)))
      : undefined,
  }
}

interface Chosen {
  readonly existing: Channel[]
  readonly missing: AskedChannel[]
  readonly refused: { name: string; reason: string }[]
}

function chooseChannels(
  tx: Tx,
  user: User,
  users: readonly User[],
  { channels, settings }: AskedSubscriptions,
): Chosen {
  const chosen: Chosen = { existing: [], missing: [], refused: [] }
  const forOthers = users.some(({ id }) => id !== user.id)
  const mayCreate = canCreate(tx, user, settings)
  const wanted = new Map(channels.map((channel) => [channelKey(channel.name), channel]))
  for (const channel of wanted.values()) {
    const name = requireChannelName(channel.name)
    const found = findChannelByName(tx, name)
    const known = found && canAccessMetadata(tx, user, found) ? found : undefined
    if (known) {
      const allowed = canJoin(tx, user, known) && (!forOthers || canAddOthers(tx, user, known))
      if (allowed) chosen.existing.push(known)
      else chosen.refused.push({ name: known.name, reason: noAccess(known.name) })
    } else if (!mayCreate) {
      // The same for a channel that the caller may not know of and for none at all.
      chosen.refused.push({ name, reason: 'Insufficient permission' })
    } else if (found) chosen.refused.push({ name, reason: noAccess(name) })
    else chosen.missing.push({ ...channel, name })
  }
  return chosen
}

/** The channels in the order in which the request names them. */
function inOrder({ channels }: AskedSubscriptions, found: readonly Channel[]): Channel[] {
  const byKey = new Map(found.map((channel) => [channel.nameKey, channel]))
  const keys = new Set(channels.map(({ name }) => channelKey(name)))
  return [...keys].flatMap((key) => byKey.get(key) ?? [])
}

function noAccess(name: string): string {
  return `Unable to access channel (${name}).`
}

function createAll(
  tx: Tx,
  caller: Caller,
  { settings }: AskedSubscriptions,
  missing: readonly AskedChannel[],
): Channel[] {
  if (missing.length > 0) requireCreatable(tx, caller, settings)
  return missing.map(({ name, description = '' }) =>
    createDescribed(tx, caller, settings, { name, description }),
  )
}

function chosenColors(tx: Tx, { channels }: AskedSubscriptions): Map<number, string> {
  const colors = new Map<number, string>()
  for (const { name, color } of channels) {
    if (color === undefined) continue
    if (!isColor(color)) throw badRequest('color is not a valid hex color code')
    const channel = findChannelByName(tx, name)
    if (channel) colors.set(channel.id, color)
  }
  return colors
}

function namesByUser(
  joined: readonly Joined[],
  pick: (joined: Joined) => readonly User[],
): Record<string, string[]> {
  const names = new Map<number, string[]>()
  for (const one of joined) {
    for (const { id } of pick(one)) {
      const own = names.get(id)
      if (own) own.push(one.channel.name)
      else names.set(id, [one.channel.name])
    }
  }
  return Object.fromEntries(names)
}

/** Tells those whom the caller subscribed to existing channels, unless they are too many. */
function tellSubscribed(
  tx: Tx,
  { user, server }: Caller,
  joined: readonly Joined[],
  created: ReadonlySet<number>,
): boolean {
  const channelsOf = new Map<User, Channel[]>()
  for (const { channel, added } of joined) {
    if (created.has(channel.id)) continue
    for (const other of added) {
      if (other.id === user.id || other.botType !== null) continue
      channelsOf.set(other, [...(channelsOf.get(other) ?? []), channel])
    }
  }
  if (channelsOf.size > maxBulkNewSubscriptionMessages) return false
  const bySentence = new Map<string, User[]>()
  for (const [other, channels] of channelsOf) {
    const what = channels.length === 1 ? 'the channel' : 'the channels'
    const content = `${silently(user)} subscribed you to ${what} ${channels.map(channelLink).join(', ')}.`
    bySentence.set(content, [...(bySentence.get(content) ?? []), other])
  }
  for (const [content, people] of bySentence) {
    sendNotices(tx, people, { author: user, content, realmUrl: server.realmUrl })
  }
  return true
}
