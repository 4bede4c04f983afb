import * as v from 'valibot'
import { accessChannel } from '#features/foundation/channels/access.ts'
import { plainSettings } from '#features/foundation/channels/creation.rules.ts'
import {
  creationParams,
  creationSettings,
  mostPrincipals,
} from '#features/foundation/channels/params.ts'
import { isSubscribed } from '#features/foundation/channels/queries.ts'
import { newChannelQuota } from '#features/foundation/channels/quotas.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { accessUser } from '#features/foundation/users/access.ts'
import { badRequest, checking } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  eitherOf,
  int,
  isBool,
  isInt,
  json,
  jsonOrWord,
  listOf,
  oneOf,
  shortText,
  textArray,
  tidiedText,
  withDefault,
  word,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  addSubscriptions,
  mostNewChannels,
  type RequestedSubscriptions,
  type SubscriptionResult,
} from './adding.actions.ts'
import { maxChannels } from './limits.ts'
import { listKnownSubscriptions, listSubscribed } from './listing.queries.ts'
import { changeProperties } from './properties.actions.ts'
import { removeSubscriptions, requireNamed } from './removing.actions.ts'
import { subscriptionShape } from './shapes.ts'

/**
 * In UTF-16 code units. Longer texts make the whole parameter invalid; the rules check exact
 * limits.
 */
const maxText = 1000

/** The longest JSON text of changes to subscriptions, in UTF-16 code units. */
const longestChanges = 200_000

const askedChannels = listOf(
  v.object({
    name: shortText(maxText),
    description: v.optional(
      tidiedText(2 * limits.channelDescriptionLength, limits.channelDescriptionLength),
    ),
    color: v.optional(shortText(maxText)),
  }),
  maxChannels,
)

const principals = listOf(
  eitherOf(
    [isInt, shortText(maxText)],
    sentSentence('{name} is not a user ID or an email address'),
  ),
  mostPrincipals,
)

const addedMembers = {
  subscribed: shape.noted(shape.record(shape.list(shape.string)), 'Names of channels, by user id.'),
  already_subscribed: shape.noted(
    shape.record(shape.list(shape.string)),
    'Names of channels, by user id.',
  ),
  unauthorized: shape.maybe(
    shape.noted(
      shape.list(shape.string),
      'Names of the refused channels, if `authorization_errors_fatal` is false.',
    ),
  ),
  new_subscription_messages_sent: shape.maybe(
    shape.noted(
      shape.boolean,
      'Whether Notification Bot sent direct messages to the users whom the caller subscribed.',
    ),
  ),
}

const removedMembers = {
  removed: shape.noted(shape.list(shape.string), 'Names of channels.'),
  not_removed: shape.noted(
    shape.list(shape.string),
    'Names of channels to which none of the users was subscribed.',
  ),
}

/** @source Zulip API, "Get subscribed channels" */
export const getSubscriptions = endpoint({
  method: 'get',
  path: '/users/me/subscriptions',
  summary: "List the caller's subscriptions.",
  params: {
    include_subscribers: withDefault(oneOf(['true', 'false', 'partial']), 'false'),
    extended_members: withDefault(bool(), false),
  },
  reply: { subscriptions: shape.list(subscriptionShape) },
  run: ({ user, store }, p) => ({
    subscriptions: listSubscribed(store, user, p.include_subscribers, p.extended_members),
  }),
})

/** @source Zulip API, "Subscribe to a channel" */
export const subscribe = endpoint({
  method: 'post',
  path: '/users/me/subscriptions',
  summary: 'Subscribe users to channels, and create those that do not exist.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  description: `Channel settings apply only to channels that this request creates, at most ${mostNewChannels}. ${limitsText(newChannelQuota)}`,
  params: {
    subscriptions: described(
      json(askedChannels),
      'Each with a `name`. `description` is for new channels; `color` is for the new subscriptions.',
    ),
    principals: described(
      withDefault(json(principals), []),
      'The IDs or API emails of the users to subscribe; empty: the caller. With several channels, at most 4000 pairs of user and channel.',
    ),
    authorization_errors_fatal: withDefault(bool(), true),
    announce: withDefault(bool(), false),
    send_new_subscription_messages: withDefault(bool(), true),
    ...creationParams,
  },
  reply: addedMembers,
  async run(caller, p) {
    const result = await caller.store.writeLong((tx) =>
      addSubscriptions(tx, caller, {
        parameter: 'subscriptions',
        channels: p.subscriptions,
        principals: p.principals,
        errorsFatal: p.authorization_errors_fatal,
        announce: p.announce,
        tellSubscribed: p.send_new_subscription_messages,
        settings: creationSettings(p),
      }),
    )
    return resultJson(result)
  },
})

/** @source Zulip API, "Unsubscribe from a channel" */
export const unsubscribe = endpoint({
  method: 'delete',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe users from channels.',
  params: {
    subscriptions: described(json(textArray(maxChannels, maxText)), 'Names of channels.'),
    principals: described(
      withDefault(json(principals), []),
      'The IDs or API emails of the users to unsubscribe; empty: the caller. With several channels, at most 4000 pairs of user and channel.',
    ),
  },
  errors: ['STREAM_DOES_NOT_EXIST'],
  reply: removedMembers,
  async run(caller, p) {
    const { removed, notRemoved } = await caller.store.writeLong((tx) =>
      removeSubscriptions(tx, caller, p.subscriptions, p.principals),
    )
    return { removed, not_removed: notRemoved }
  },
})

/**
 * Subscribes and unsubscribes the caller in one request. Removed at feature level 512.
 *
 * @source Zulip API, "Update subscriptions"
 */
export const updateSubscriptions = endpoint({
  method: 'patch',
  path: '/users/me/subscriptions',
  summary: 'Subscribe the caller to channels and unsubscribe from others.',
  deprecated: true,
  params: {
    delete: withDefault(json(textArray(maxChannels, maxText)), []),
    add: withDefault(json(askedChannels), []),
  },
  errors: ['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED_PRINCIPAL'],
  reply: { ...addedMembers, ...removedMembers },
  run: (caller, p) =>
    caller.store.writeLong(function* (tx) {
      if (p.add.length === 0 && p.delete.length === 0) {
        throw badRequest(sentSentence('Nothing to do. Specify at least one of "add" or "delete".'))
      }
      const requested: RequestedSubscriptions = { ...patchDefaults, channels: p.add }
      checking('delete', () => requireNamed(tx, caller, p.delete))
      const added = yield* addSubscriptions(tx, caller, requested)
      const { removed, notRemoved } = yield* removeSubscriptions(yield, caller, p.delete, [])
      return { ...resultJson(added), removed, not_removed: notRemoved }
    }),
})

/** The values of options for which `PATCH` has no parameters. */
const patchDefaults: Omit<RequestedSubscriptions, 'channels'> = {
  parameter: 'add',
  principals: [],
  errorsFatal: true,
  announce: false,
  tellSubscribed: false,
  settings: plainSettings,
}

function resultJson(result: SubscriptionResult) {
  return {
    subscribed: result.subscribed,
    already_subscribed: result.alreadySubscribed,
    ...(result.unauthorized && { unauthorized: result.unauthorized }),
    ...(result.messagesSent !== undefined && {
      new_subscription_messages_sent: result.messagesSent,
    }),
  }
}

const propertyValue = eitherOf(
  [isBool, shortText(100)],
  sentSentence('{name} is not a boolean or a string'),
)

/** @source Zulip API, "Bulk update subscription settings" */
export const updateProperties = endpoint({
  method: 'post',
  path: '/users/me/subscriptions/properties',
  summary: "Change personal settings of the caller's subscriptions: color, muting, notifications.",
  params: {
    subscription_data: json(
      listOf(
        v.object({ stream_id: isInt, property: shortText(100), value: propertyValue }),
        maxChannels,
      ),
      longestChanges,
    ),
  },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) =>
      checking('subscription_data', () =>
        changeProperties(
          tx,
          caller,
          p.subscription_data.map(({ stream_id, ...change }) => ({
            channelId: stream_id,
            ...change,
          })),
        ),
      ),
    ),
})

/** @source Zulip API, "Update a subscription setting" */
export const updateProperty = endpoint({
  method: 'patch',
  path: '/users/me/subscriptions/:stream_id{[0-9]+}',
  summary: "Change a personal setting of one of the caller's subscriptions.",
  params: { stream_id: int(), property: word(100), value: jsonOrWord(propertyValue) },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) =>
      changeProperties(tx, caller, [
        { channelId: p.stream_id, property: p.property, value: asBoolean(p.value) },
      ]),
    ),
})

/** An unquoted `true` or `false` arrives as text. */
function asBoolean(value: boolean | string): boolean | string {
  return value === 'true' || value === 'false' ? value === 'true' : value
}

/** @source Zulip API, "Get subscription status" */
export const getSubscriptionStatus = endpoint({
  method: 'get',
  path: '/users/:user_id{[0-9]+}/subscriptions/:stream_id{[0-9]+}',
  summary: 'Check whether a user is subscribed to a channel.',
  params: { user_id: int(), stream_id: int() },
  reply: { is_subscribed: shape.boolean },
  run({ user, store }, p) {
    const other = accessUser(store, user, p.user_id)
    const channel = accessChannel(store, { user }, p.stream_id)
    return { is_subscribed: isSubscribed(store, other.id, channel.id) }
  },
})

/**
 * The channels that a user is subscribed to, limited to those that the caller can see.
 *
 * @source Zulip API, "Get a user's subscribed channels" (feature levels 440, 458)
 */
export const getSubscribedChannels = endpoint({
  method: 'get',
  path: '/users/:user_id{[0-9]+}/channels',
  summary: 'List the channels that a user is subscribed to, as far as the caller can see them.',
  reply: { subscribed_channel_ids: shape.list(shape.integer) },
  params: { user_id: int() },
  run: ({ user, store }, p) => ({
    subscribed_channel_ids: listKnownSubscriptions(store, user, p.user_id),
  }),
})
