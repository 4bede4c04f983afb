import { canAccessMetadata, isChannelAdmin } from '#features/foundation/channels/access.ts'
import {
  type ChannelSettings,
  canCreate,
  requireCreatable,
} from '#features/foundation/channels/creation.rules.ts'
import {
  requireChannelDescription,
  requireChannelName,
} from '#features/foundation/channels/names.ts'
import {
  type Channel,
  findChannel,
  findChannelByName,
} from '#features/foundation/channels/queries.ts'
import { newChannelQuota } from '#features/foundation/channels/quotas.ts'
import { maxBulkNewSubscriptionMessages } from '#features/foundation/realm/limits.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { nameFor } from '#features/messaging/messages/names-for.queries.ts'
import { sendOwnNotices } from '#features/messaging/messages/notices.actions.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import { spend } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
import { linkMarkdown } from '#shared/place-links.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'
import { type SubscribeResult, subscribe, type UsedColors } from './actions.ts'
import { announce } from './announcing.actions.ts'
import { fullColor, isColor } from './colors.ts'
import { createDescribed } from './creation.actions.ts'
import { postCreationNotice } from './notices.actions.ts'
import {
  accessPrincipals,
  mostNewAtOnce,
  type Part,
  type Principal,
  partsOf,
  requireFewPairs,
} from './principals.rules.ts'
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
  /** The parameter that names the channels. */
  readonly parameter: string
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
 * Subscribes the caller or others to channels, and creates those that do not exist. Very many
 * subscriptions are made part by part, after all of them have been checked.
 *
 * @throws BAD_REQUEST unknown or deactivated principals; invalid names, colors or settings; more
 *   than `mostNewChannels` to create; too many users in too many channels; if errors are fatal, a
 *   channel that the caller may not subscribe to, or no longer may once its part is made
 * @throws RATE_LIMIT_HIT too many new channels
 * @source Zulip API, "Subscribe to a channel"
 */
export function* addSubscriptions(
  tx: Tx,
  caller: Caller,
  requested: RequestedSubscriptions,
): LongWrite<SubscriptionResult> {
  const users = accessPrincipals(tx, caller.user, requested.principals)
  requireFewPairs(users, requested.channels)
  const chosen = chooseChannels(tx, caller.user, users, requested)
  const { missing } = chosen
  requireColors(requested)
  if (missing.length > 0) requireCreatableAll(tx, caller, requested, missing)
  const adding: Adding = { requested, created: new Map(), refused: [], joined: [], used: new Map() }
  let now = tx
  const wanted = new Map(requested.channels.map((one) => [nameKey(one.name), one]))
  const most = missing.length > 0 ? mostNewAtOnce : undefined
  const parts = [...partsOf([...wanted.values()], users, most)]
  for (const part of parts) {
    // A single part is the complete request, which was checked in this transaction.
    const checked = parts.length === 1 ? { users, chosen } : checkPart(now, caller, adding, part)
    addPart(now, caller, adding, part, checked)
    now = yield
  }
  for (const { id } of adding.created.values()) {
    const channel = findChannel(now, id)
    if (channel && !channel.isArchived) postCreationNotice(now, caller, channel)
    now = yield
  }
  const created = [...adding.created.values()]
  if (requested.announce) announce(now, caller, created)
  const { joined } = adding
  return {
    subscribed: namesByUser(joined, ({ added }) => added),
    alreadySubscribed: namesByUser(joined, ({ already }) => already),
    unauthorized: requested.errorsFatal ? undefined : adding.refused,
    messagesSent: requested.tellSubscribed
      ? yield* notifySubscribed(now, caller, joined, new Set(created.map(({ id }) => id)))
      : undefined,
  }
}

/** The results so far. */
interface Adding {
  readonly requested: RequestedSubscriptions
  /** The new channels, by key. */
  readonly created: Map<string, Channel>
  /** Names of channels. */
  readonly refused: string[]
  readonly joined: SubscribeResult[]
  /** The colors that its users have. */
  readonly used: UsedColors
}

/** The allowed subscriptions: users by channel. */
interface AllowedSubscriptions {
  readonly users: readonly User[]
  readonly chosen: Chosen
}

/** @throws BAD_REQUEST a user is gone; a channel is refused, if errors are fatal */
function checkPart(
  tx: Tx,
  { user }: Caller,
  { requested, created }: Adding,
  part: Part<RequestedChannel>,
): AllowedSubscriptions {
  const ids = part.users.map(({ id }) => id)
  const users = accessPrincipals(tx, user, ids)
  // The creator of a new channel may choose all of its first subscribers.
  const channels = part.channels.filter(({ name }) => !created.has(nameKey(name)))
  return { users, chosen: chooseChannels(tx, user, users, { ...requested, channels }) }
}

function addPart(
  tx: Tx,
  caller: Caller,
  adding: Adding,
  { channels }: Part<RequestedChannel>,
  { users, chosen }: AllowedSubscriptions,
): void {
  const { requested, created } = adding
  adding.refused.push(...chosen.refused)
  for (const { name, description = '' } of chosen.missing) {
    const channel = createDescribed(tx, caller, requested.settings, { name, description })
    created.set(nameKey(channel.name), channel)
  }
  const known = new Map(chosen.existing.map((channel) => [nameKey(channel.name), channel]))
  const found = channels.flatMap((channel) => {
    const key = nameKey(channel.name)
    const one = known.get(key) ?? created.get(key)
    return one ? [{ channel: one, color: channel.color }] : []
  })
  const colors = found.flatMap(({ channel, color }) =>
    color ? [[channel.id, fullColor(color)] as const] : [],
  )
  adding.joined.push(
    ...subscribe(
      tx,
      found.map(({ channel }) => channel),
      users,
      new Map(colors),
      adding.used,
    ),
  )
}

interface Chosen {
  readonly existing: Channel[]
  readonly missing: RequestedChannel[]
  /** Names of channels. */
  readonly refused: string[]
}

/** @throws BAD_REQUEST a channel is refused, if errors are fatal */
function chooseChannels(
  tx: Tx,
  user: User,
  users: readonly User[],
  { channels, parameter, settings, errorsFatal }: RequestedSubscriptions,
): Chosen {
  const chosen: Chosen = { existing: [], missing: [], refused: [] }
  function refuse(name: string, reason: Sentence): void {
    if (errorsFatal) throw badRequest(reason, { parameter })
    chosen.refused.push(name)
  }
  const forOthers = users.some(({ id }) => id !== user.id)
  const mayCreate = canCreate(tx, user, settings)
  const wanted = new Map(channels.map((channel) => [nameKey(channel.name), channel]))
  for (const channel of wanted.values()) {
    const found = findChannelByName(tx, channel.name)
    const visible = found && canAccessMetadata(tx, user, found) ? found : undefined
    const name = visible?.name ?? checking(parameter, () => requireChannelName(channel.name))
    if (visible && !isOpen(tx, user, visible)) {
      refuse(visible.name, sentSentence("Channel '{name}' is archived.", { name: visible.name }))
    } else if (visible) {
      const allowed = canJoin(tx, user, visible) && (!forOthers || canAddOthers(tx, user, visible))
      if (allowed) chosen.existing.push(visible)
      else refuse(visible.name, noAccess(visible.name))
    } else if (!mayCreate) {
      // The same reply whether the channel does not exist or the caller cannot see it.
      refuse(name, sentSentence('Insufficient permission'))
    } else if (found) refuse(name, noAccess(name))
    else chosen.missing.push({ ...channel, name })
  }
  return chosen
}

/**
 * Whether a channel takes subscribers. Only its administrators change who is in an archived one: others
 * mean to create a channel.
 *
 * @source Zulip API, "Subscribe to a channel" (feature level 362)
 */
function isOpen(read: Read, user: User, channel: Channel): boolean {
  return !channel.isArchived || user.role <= roles.admin || isChannelAdmin(read, user, channel)
}

function noAccess(name: string): Sentence {
  return sentSentence('Unable to access channel ({name}).', { name })
}

/** @throws BAD_REQUEST; RATE_LIMIT_HIT */
function requireCreatableAll(
  tx: Tx,
  caller: Caller,
  { parameter, settings }: RequestedSubscriptions,
  missing: readonly RequestedChannel[],
): void {
  requireCreatable(tx, caller.user, settings)
  spend(tx, newChannelQuota, caller.user, missing.length)
  if (missing.length > mostNewChannels) {
    throw badRequest(
      sentSentence('Too many new channels in one request (limit: {count})', {
        count: mostNewChannels,
      }),
      { parameter },
    )
  }
  checking(parameter, () => {
    for (const { description = '' } of missing) requireChannelDescription(description)
  })
}

function requireColors({ channels, parameter }: RequestedSubscriptions): void {
  if (channels.every(({ color }) => color === undefined || isColor(color))) return
  throw badRequest(sentSentence('color is not a valid hex color code'), { parameter })
}

function namesByUser(
  joined: readonly SubscribeResult[],
  pick: (joined: SubscribeResult) => readonly User[],
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
function* notifySubscribed(
  tx: Tx,
  caller: Caller,
  joined: readonly SubscribeResult[],
  created: ReadonlySet<number>,
): LongWrite<boolean> {
  const channelsOf = new Map<number, { readonly user: User; readonly channels: Channel[] }>()
  for (const { channel, added } of joined) {
    if (created.has(channel.id)) continue
    for (const other of added) {
      if (other.id === caller.user.id || other.botType !== null) continue
      const own = channelsOf.get(other.id) ?? { user: other, channels: [] }
      own.channels.push(channel)
      channelsOf.set(other.id, own)
    }
  }
  if (channelsOf.size > maxBulkNewSubscriptionMessages) return false
  const people = [...channelsOf.values()].map((told) => told.user)
  yield* sendOwnNotices(tx, caller, people, (now, other) => {
    const { list, t } = userLanguage(now, other)
    const channels = channelsOf.get(other.id)?.channels ?? []
    const values = {
      name: nameFor(now, other, caller.user),
      channels: list(channels.map((channel) => linkMarkdown(channel))),
    }
    return channels.length === 1
      ? t('{name} subscribed you to the channel {channels}.', values)
      : t('{name} subscribed you to the channels {channels}.', values)
  })
  return true
}
