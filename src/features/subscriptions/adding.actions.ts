import { canAccessMetadata } from '#features/channels/access.ts'
import {
  type ChannelSettings,
  canCreate,
  requireCreatable,
} from '#features/channels/creation.rules.ts'
import { channelKey, requireChannelName } from '#features/channels/names.ts'
import { type Channel, findChannelByName } from '#features/channels/queries.ts'
import { newChannelQuota } from '#features/channels/quotas.ts'
import { nameFor } from '#features/messages/names-for.queries.ts'
import { sendNotices } from '#features/messages/notices.actions.ts'
import { maxBulkNewSubscriptionMessages } from '#features/realm/limits.ts'
import type { User } from '#features/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/write.ts'
import { type Joined, subscribe } from './actions.ts'
import { announce, channelLink } from './announcing.actions.ts'
import { isColor } from './colors.ts'
import { createDescribed } from './creation.actions.ts'
import { accessPrincipals, type Principal, requireFewPairs } from './principals.rules.ts'
import { canAddOthers, canJoin } from './rules.ts'

/** The most channels that one request creates: each costs as much as a few dozen subscriptions. */
export const mostNewChannels = 50

/** A channel to subscribe to, or to create if it does not exist. */
interface RequestedChannel {
  readonly name: string
  /** Markdown; for a new channel only. */
  readonly description?: string | undefined
  /** The color for the new subscribers. */
  readonly color?: string | undefined
}

export interface RequestedSubscriptions {
  readonly channels: readonly RequestedChannel[]
  /** The users to subscribe; empty: the caller. */
  readonly principals: readonly Principal[]
  /** Whether one channel that the caller may not subscribe to fails the whole request. */
  readonly errorsFatal: boolean
  /** Whether Notification Bot announces new public channels. */
  readonly announce: boolean
  /** Whether Notification Bot sends a direct message to the users whom the caller subscribed. */
  readonly tellSubscribed: boolean
  /** The settings of new channels. */
  readonly settings: ChannelSettings
}

/** Channel names by user id, without users who have none. */
export interface SubscriptionResult {
  readonly subscribed: Record<string, string[]>
  readonly alreadySubscribed: Record<string, string[]>
  /** Names of the channels that were refused; undefined if a refusal is an error. */
  readonly unauthorized: string[] | undefined
  /** Whether new subscribers got direct messages; undefined if not requested. */
  readonly messagesSent: boolean | undefined
}

/**
 * Subscribes the caller or others to channels, and creates those that do not exist.
 *
 * @throws BAD_REQUEST unknown or deactivated principals; invalid names or settings; more than
 * `mostNewChannels` to create; too many users in too many channels; if errors are fatal, a channel that the caller may not subscribe to
 * @throws RATE_LIMIT_HIT too many new channels
 * @source Zulip API, "Subscribe to a channel"
 */
export function addSubscriptions(
  tx: Tx,
  caller: Caller,
  requested: RequestedSubscriptions,
): SubscriptionResult {
  const { user } = caller
  const users = accessPrincipals(tx, user, requested.principals)
  requireFewPairs(users, requested.channels)
  const chosen = chooseChannels(tx, user, users, requested)
  const { refused } = chosen
  const [first] = refused
  if (first && requested.errorsFatal) throw badRequest(first.reason)
  const created = createAll(tx, caller, requested, chosen.missing)
  const channels = inOrder(requested, [...chosen.existing, ...created])
  const joined = subscribe(tx, channels, users, chosenColors(tx, requested))
  if (requested.announce) announce(tx, caller, created)
  return {
    subscribed: namesByUser(joined, ({ added }) => added),
    alreadySubscribed: namesByUser(joined, ({ already }) => already),
    unauthorized: requested.errorsFatal ? undefined : refused.map(({ name }) => name),
    messagesSent: requested.tellSubscribed
      ? notifySubscribed(tx, caller, joined, new Set(created.map(({ id }) => id)))
      : undefined,
  }
}

interface Chosen {
  readonly existing: Channel[]
  readonly missing: RequestedChannel[]
  readonly refused: { name: string; reason: string }[]
}

function chooseChannels(
  tx: Tx,
  user: User,
  users: readonly User[],
  { channels, settings }: RequestedSubscriptions,
): Chosen {
  const chosen: Chosen = { existing: [], missing: [], refused: [] }
  const forOthers = users.some(({ id }) => id !== user.id)
  const mayCreate = canCreate(tx, user, settings)
  const wanted = new Map(channels.map((channel) => [channelKey(channel.name), channel]))
  for (const channel of wanted.values()) {
    const name = requireChannelName(channel.name)
    const found = findChannelByName(tx, name)
    const visible = found && canAccessMetadata(tx, user, found) ? found : undefined
    if (visible) {
      const allowed = canJoin(tx, user, visible) && (!forOthers || canAddOthers(tx, user, visible))
      if (allowed) chosen.existing.push(visible)
      else chosen.refused.push({ name: visible.name, reason: noAccess(visible.name) })
    } else if (!mayCreate) {
      // The same reply whether the channel does not exist or the caller cannot see it.
      chosen.refused.push({ name, reason: 'Insufficient permission' })
    } else if (found) chosen.refused.push({ name, reason: noAccess(name) })
    else chosen.missing.push({ ...channel, name })
  }
  return chosen
}

/** The channels in the order of the request. */
function inOrder({ channels }: RequestedSubscriptions, found: readonly Channel[]): Channel[] {
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
  { settings }: RequestedSubscriptions,
  missing: readonly RequestedChannel[],
): Channel[] {
  if (missing.length === 0) return []
  requireCreatable(tx, caller, settings)
  spend(tx, newChannelQuota, caller.user, missing.length)
  if (missing.length > mostNewChannels) {
    throw badRequest(`Too many new channels in one request (limit: ${mostNewChannels})`)
  }
  return missing.map(({ name, description = '' }) =>
    createDescribed(tx, caller, settings, { name, description }),
  )
}

function chosenColors(tx: Tx, { channels }: RequestedSubscriptions): Map<number, string> {
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

/**
 * Sends a direct message from Notification Bot to the users whom the caller subscribed to existing
 * channels, except bots. Returns false without sending anything if there are too many of them.
 */
function notifySubscribed(
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
  const byContent = new Map<string, User[]>()
  for (const [other, channels] of channelsOf) {
    const what = channels.length === 1 ? 'the channel' : 'the channels'
    const content = `${nameFor(tx, other, user)} subscribed you to ${what} ${channels.map(channelLink).join(', ')}.`
    byContent.set(content, [...(byContent.get(content) ?? []), other])
  }
  for (const [content, recipients] of byContent) {
    sendNotices(tx, recipients, { author: user, content, realmUrl: server.realmUrl })
  }
  return true
}
