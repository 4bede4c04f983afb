import { createChannel } from '#features/foundation/channels/actions.ts'
import {
  type ChannelSettings,
  canCreate,
  requireCreatable,
} from '#features/foundation/channels/creation.rules.ts'
import {
  requireChannelDescription,
  requireChannelName,
} from '#features/foundation/channels/names.ts'
import { type Channel, findChannelByName } from '#features/foundation/channels/queries.ts'
import { newChannelQuota } from '#features/foundation/channels/quotas.ts'
import { describe } from '#features/messaging/messages/descriptions.queries.ts'
import { ApiError, badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { subscribe } from './actions.ts'
import { announce } from './announcing.actions.ts'
import { postCreationNotice } from './notices.actions.ts'
import { accessPrincipals } from './principals.rules.ts'

interface RequestedChannel {
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Ids of the first subscribers; the creator need not be among them. */
  readonly subscribers: readonly number[]
  /** Whether Notification Bot announces the channel; private channels are never announced. */
  readonly announce: boolean
  readonly settings: ChannelSettings
}

/**
 * Creates a channel and subscribes users to it.
 *
 * @throws BAD_REQUEST no permission; an invalid name, description or setting; unknown or
 * deactivated subscribers
 * @throws CHANNEL_ALREADY_EXISTS another channel has the name, archived or not
 * @throws RATE_LIMIT_HIT too many new channels
 * @source Zulip API, "Create a channel" (feature level 417)
 */
export function createWithSubscribers(
  tx: Tx,
  caller: Caller,
  requested: RequestedChannel,
): Channel {
  const { settings } = requested
  if (!canCreate(tx, caller.user, settings))
    throw badRequest(sentSentence('Insufficient permission'))
  const name = requireChannelName(requested.name)
  if (findChannelByName(tx, name)) {
    throw new ApiError(
      'CHANNEL_ALREADY_EXISTS',
      sentSentence("Channel '{name}' already exists", { name }),
      {},
      { parameter: 'name' },
    )
  }
  requireCreatable(tx, caller.user, settings)
  spend(tx, newChannelQuota, caller.user)
  const ids = requested.subscribers
  const users = checking('subscribers', () =>
    ids.length > 0 ? accessPrincipals(tx, caller.user, ids) : [],
  )
  const channel = createDescribed(tx, caller, settings, requested)
  subscribe(tx, [channel], users)
  postCreationNotice(tx, caller, channel)
  if (requested.announce) announce(tx, caller, [channel])
  return channel
}

/**
 * Creates a channel with a rendered description. The caller of this function checks permission, and
 * counts it among the new channels.
 *
 * @throws BAD_REQUEST an invalid name or description
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
