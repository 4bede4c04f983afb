import { createChannel } from '#channels/actions.ts'
import { type ChannelSettings, canCreate, requireCreatable } from '#channels/creation.ts'
import { describe } from '#channels/description.ts'
import { requireChannelDescription, requireChannelName } from '#channels/names.ts'
import { type Channel, findChannelByName } from '#channels/queries.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Tx } from '#store/write.ts'
import { subscribe } from './actions.ts'
import { announce } from './announcing.ts'
import { accessPrincipals } from './principals.ts'

interface AskedChannel {
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Ids of its first subscribers; the creator need not be one. */
  readonly subscribers: readonly number[]
  /** Whether Notification Bot announces it, unless it is private. */
  readonly announce: boolean
  readonly settings: ChannelSettings
}

/**
 * Creates a channel and subscribes people to it.
 *
 * @throws BAD_REQUEST no permission; a bad name, description or setting; unknown or deactivated
 * subscribers
 * @throws CHANNEL_ALREADY_EXISTS another channel has the name, archived or not
 * @source api-changes §2a (feature level 417)
 */
export function createWithSubscribers(tx: Tx, caller: Caller, asked: AskedChannel): Channel {
  const { settings } = asked
  if (!canCreate(tx, caller.user, settings)) throw badRequest('Insufficient permission')
  const name = requireChannelName(asked.name)
  if (findChannelByName(tx, name)) {
    throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`)
  }
  requireCreatable(tx, caller, settings)
  const ids = asked.subscribers
  const users = ids.length > 0 ? accessPrincipals(tx, caller.user, ids) : []
  const channel = createDescribed(tx, caller, settings, asked)
  subscribe(tx, [channel], users)
  if (asked.announce) announce(tx, caller, [channel])
  return channel
}

/**
 * Creates a channel with what its creator says of it. Permission is the caller's to ask.
 *
 * @throws BAD_REQUEST: a bad name or description
 */
export function createDescribed(
  tx: Tx,
  { user, server }: Caller,
  settings: ChannelSettings,
  { name, description }: { readonly name: string; readonly description: string },
): Channel {
  const source = requireChannelDescription(description)
  const described = describe(tx, user, source, server.realmUrl)
  return createChannel(tx, user, { ...settings, name, description: described })
}
