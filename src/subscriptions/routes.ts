import * as v from 'valibot'
import { accessChannel } from '#channels/access.ts'
import { plainSettings } from '#channels/creation.ts'
import { creationParams, creationSettings } from '#channels/param.ts'
import { isSubscribed } from '#channels/queries.ts'
import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import {
  arrayOf,
  bool,
  described,
  eitherOf,
  int,
  isBool,
  isInt,
  json,
  jsonOrWord,
  oneOf,
  shortText,
  textArray,
  withDefault,
  word,
} from '#http/params.ts'
import { boolean, integer, list, maybe, noted, record, string } from '#shape.ts'
import { accessUser } from '#users/access.ts'
import { type AskedSubscriptions, addSubscriptions, type SubscriptionResult } from './adding.ts'
import { listKnownSubscriptions, listSubscribed } from './listing.ts'
import { changeProperties } from './properties.ts'
import { removeSubscriptions } from './removing.ts'
import { subscriptionShape } from './shapes.ts'

/** The most channels in one request. */
const maxChannels = 1000
/** Longer texts are refused with the rest of the parameter; shorter ones by name. */
const maxText = 10_000

const askedChannels = v.pipe(
  arrayOf(
    v.object({
      name: shortText(maxText),
      description: v.optional(shortText(maxText)),
      color: v.optional(shortText(maxText)),
    }),
  ),
  v.maxLength(maxChannels),
)

const principals = v.pipe(
  arrayOf(eitherOf([isInt, shortText(1000)], 'a user ID or an email address')),
  v.maxLength(100_000),
)

const addedMembers = {
  subscribed: noted(record(list(string)), 'Names of channels, by user id.'),
  already_subscribed: noted(record(list(string)), 'Names of channels, by user id.'),
  unauthorized: maybe(
    noted(list(string), 'Names of channels, where the caller made refusals no error.'),
  ),
  new_subscription_messages_sent: maybe(
    noted(boolean, 'Whether people were told by direct message that others subscribed them.'),
  ),
}

const removedMembers = {
  removed: noted(list(string), 'Names of channels.'),
  not_removed: noted(list(string), 'Names of channels to which nobody of them was subscribed.'),
}

/** @source the API description's `get-subscriptions`; api-changes §3b */
export const getSubscriptions = endpoint({
  method: 'get',
  path: '/users/me/subscriptions',
  summary: "List the caller's subscriptions.",
  params: { include_subscribers: withDefault(oneOf(['true', 'false', 'partial']), 'false') },
  reply: { subscriptions: list(subscriptionShape) },
  run: ({ user, store }, p) => ({
    subscriptions: listSubscribed(store, user, p.include_subscribers),
  }),
})

/** @source contract, "Subscribe to a channel" */
export const subscribe = endpoint({
  method: 'post',
  path: '/users/me/subscriptions',
  summary: 'Subscribe people to channels, which are created where they do not exist.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  description: 'The settings of channels apply to those that are created.',
  bodyLimit: 4 * 1024 * 1024,
  params: {
    subscriptions: described(
      json(askedChannels),
      'Each with a `name`; description and color are for those that are created.',
    ),
    principals: described(
      withDefault(json(principals), []),
      'Ids or API emails of those to subscribe; nobody: the caller.',
    ),
    authorization_errors_fatal: withDefault(bool(), true),
    announce: withDefault(bool(), false),
    send_new_subscription_messages: withDefault(bool(), true),
    ...creationParams,
  },
  reply: addedMembers,
  run: (caller, p) =>
    caller.store.write((tx) =>
      resultJson(
        addSubscriptions(tx, caller, {
          channels: p.subscriptions,
          principals: p.principals,
          errorsFatal: p.authorization_errors_fatal,
          announce: p.announce,
          tellSubscribed: p.send_new_subscription_messages,
          settings: creationSettings(p),
        }),
      ),
    ),
})

/** @source the API description's `unsubscribe` */
export const unsubscribe = endpoint({
  method: 'delete',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe people from channels.',
  bodyLimit: 4 * 1024 * 1024,
  params: {
    subscriptions: described(json(textArray(maxChannels, maxText)), 'Names of channels.'),
    principals: described(
      withDefault(json(principals), []),
      'Ids or API emails of those to unsubscribe; nobody: the caller.',
    ),
  },
  errors: ['STREAM_DOES_NOT_EXIST'],
  reply: removedMembers,
  run: (caller, p) =>
    caller.store.write((tx) => {
      const result = removeSubscriptions(tx, caller, p.subscriptions, p.principals)
      return { removed: result.removed, not_removed: result.notRemoved }
    }),
})

/** Both at once, for the caller. Gone at feature level 512. @source `update-subscriptions` */
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
    caller.store.write((tx) => {
      if (p.add.length === 0 && p.delete.length === 0) {
        throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
      }
      const asked: AskedSubscriptions = { ...plainly, channels: p.add }
      const added = resultJson(addSubscriptions(tx, caller, asked))
      const { removed, notRemoved } = removeSubscriptions(tx, caller, p.delete, [])
      return { ...added, removed, not_removed: notRemoved }
    }),
})

/** What `PATCH` has no parameters for. */
const plainly: Omit<AskedSubscriptions, 'channels'> = {
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

const propertyValue = eitherOf([isBool, shortText(100)], 'a boolean or a string')

/** @source the API description's `update-subscription-settings` */
export const updateProperties = endpoint({
  method: 'post',
  path: '/users/me/subscriptions/properties',
  summary: 'Change how the caller has subscriptions: color, muting, notifications.',
  params: {
    subscription_data: json(
      v.pipe(
        arrayOf(v.object({ stream_id: isInt, property: shortText(100), value: propertyValue })),
        v.maxLength(10_000),
      ),
    ),
  },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) =>
      changeProperties(
        tx,
        caller,
        p.subscription_data.map(({ stream_id, ...change }) => ({
          channelId: stream_id,
          ...change,
        })),
      ),
    ),
})

/** The same for one property. @source api-changes §2b */
export const updateProperty = endpoint({
  method: 'patch',
  path: '/users/me/subscriptions/:stream_id{[0-9]+}',
  summary: 'Change one property of a subscription.',
  params: { stream_id: int(), property: word(100), value: jsonOrWord(propertyValue) },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) =>
      changeProperties(tx, caller, [
        { channelId: p.stream_id, property: p.property, value: asBoolean(p.value) },
      ]),
    ),
})

/** A bare word reads like text, `true` and `false` among them. */
function asBoolean(value: boolean | string): boolean | string {
  return value === 'true' || value === 'false' ? value === 'true' : value
}

/** Whether a user is subscribed to a channel. @source `get-subscription-status` */
export const getSubscriptionStatus = endpoint({
  method: 'get',
  path: '/users/:user_id{[0-9]+}/subscriptions/:stream_id{[0-9]+}',
  summary: 'Find out whether a user is subscribed to a channel.',
  params: { user_id: int(), stream_id: int() },
  reply: { is_subscribed: boolean },
  run({ user, store }, p) {
    const other = accessUser(store, user, p.user_id)
    const channel = accessChannel(store, { user }, p.stream_id)
    return { is_subscribed: isSubscribed(store, other.id, channel.id) }
  },
})

/**
 * The channels that a user is subscribed to, of those whose subscribers the caller may know.
 *
 * @source api-changes §2a (feature levels 440, 458)
 */
export const getSubscribedChannels = endpoint({
  method: 'get',
  path: '/users/:user_id{[0-9]+}/channels',
  summary: 'List the channels that a user is subscribed to, as far as the caller knows them.',
  reply: { subscribed_channel_ids: list(integer) },
  params: { user_id: int() },
  run: ({ user, store }, p) => ({
    subscribed_channel_ids: listKnownSubscriptions(store, user, p.user_id),
  }),
})
