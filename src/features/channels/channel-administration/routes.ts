import { createWithSubscribers } from '#features/channels/subscriptions/creation.actions.ts'
import {
  accessChannel,
  accessChannelByName,
  accessContent,
} from '#features/foundation/channels/access.ts'
import { channelWriter } from '#features/foundation/channels/json.ts'
import {
  channelName,
  creationParams,
  creationSettings,
  editedSettings,
  editingParams,
  mostPrincipals,
} from '#features/foundation/channels/params.ts'
import { subscriberIds } from '#features/foundation/channels/queries.ts'
import { newChannelQuota } from '#features/foundation/channels/quotas.ts'
import {
  channelShape,
  listedChannelShape,
  topicShapes,
} from '#features/foundation/channels/shapes.ts'
import { listTopics } from '#features/foundation/core/topics.queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { channelEmailAddress } from '#features/notifications/mail-gateway/actions.ts'
import { channelAddressQuota } from '#features/notifications/mail-gateway/quotas.ts'
import { endpoint, spectatorEndpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  int,
  intArray,
  json,
  optional,
  prose,
  withDefault,
  word,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as editing from './actions.ts'
import * as archiving from './archiving.actions.ts'
import { setDefault } from './defaults.actions.ts'
import { listRequestedChannels } from './listing.queries.ts'

/** @source Zulip API, "Get all channels" */
export const getChannels = endpoint({
  method: 'get',
  path: '/streams',
  summary: 'List the channels that the caller can see.',
  params: {
    include_public: withDefault(bool(), true),
    include_web_public: withDefault(bool(), false),
    include_subscribed: withDefault(bool(), true),
    include_owner_subscribed: withDefault(bool(), false),
    include_default: withDefault(bool(), false),
    include_can_access_content: withDefault(bool(), false),
    include_all: withDefault(bool(), false),
    include_all_active: withDefault(bool(), false),
    exclude_archived: withDefault(bool(), true),
    extended_members: withDefault(bool(), false),
  },
  reply: {
    streams: shape.noted(
      shape.list(listedChannelShape),
      'The channels that match at least one of the parameters.',
    ),
  },
  run: (caller, p) => ({
    streams: listRequestedChannels(caller.store, caller, {
      isPublic: p.include_public,
      webPublic: p.include_web_public,
      subscribed: p.include_subscribed,
      ownerSubscribed: p.include_owner_subscribed,
      byDefault: p.include_default,
      readable: p.include_can_access_content,
      all: p.include_all,
      allActive: p.include_all_active,
      archived: !p.exclude_archived,
      extended: p.extended_members,
    }),
  }),
})

/** @throws BAD_REQUEST "Invalid channel ID". @source Zulip API, "Get a channel by ID" */
export const getChannel = endpoint({
  method: 'get',
  path: '/streams/:stream_id{[0-9]+}',
  summary: 'Get a channel.',
  params: { stream_id: int(), extended_members: withDefault(bool(), false) },
  reply: { stream: channelShape },
  run(caller, p) {
    const channel = accessChannel(caller.store, caller, p.stream_id)
    return { stream: channelWriter(caller.store, p.extended_members)(channel) }
  },
})

/** @source Zulip API, "Get channel's email address" (feature levels 335, 448) */
export const getEmailAddress = endpoint({
  method: 'get',
  path: '/streams/:stream_id{[0-9]+}/email_address',
  summary:
    'Get an email address whose mail becomes messages in a channel; empty if the server takes no mail.',
  description: `The address is the same each time, for each caller and sender. Words between dots before its secret part change what becomes of a mail: \`show-sender\`, \`include-footer\`, \`include-quotes\`, \`prefer-html\`. ${limitsText(channelAddressQuota)}`,
  reply: { email: shape.string },
  params: { stream_id: int(), sender_id: optional(int()) },
  async run({ store }, p) {
    const email = await store.write((tx, user) =>
      channelEmailAddress(tx, user, p.stream_id, p.sender_id),
    )
    return { email }
  },
})

/** @source Zulip API, "Create a channel" (feature level 417) */
export const createChannel = endpoint({
  method: 'post',
  path: '/channels/create',
  summary: 'Create a channel and subscribe users to it.',
  description: limitsText(newChannelQuota),
  params: {
    name: described(channelName, 'At most `max_stream_name_length` code points.'),
    description: described(
      withDefault(prose(limits.channelDescriptionLength), ''),
      'Markdown, of at most `max_stream_description_length` code points.',
    ),
    subscribers: json(intArray(mostPrincipals)),
    announce: withDefault(bool(), false),
    ...creationParams,
  },
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL'],
  reply: { id: shape.integer },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const { name, description, subscribers, announce } = p
      const settings = creationSettings(p)
      const requested = { name, description, subscribers, announce, settings }
      return { id: createWithSubscribers(tx, caller, requested).id }
    }),
})

/** @source Zulip API, "Add a default channel" */
export const addDefaultChannel = endpoint({
  method: 'post',
  path: '/default_streams',
  summary: 'Add a channel to the default channels, which new users are subscribed to.',
  params: { stream_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => setDefault(tx, caller, p.stream_id, true)),
})

/** @source Zulip API, "Remove a default channel" */
export const removeDefaultChannel = endpoint({
  method: 'delete',
  path: '/default_streams',
  summary: 'Remove a channel from the default channels, which new users are subscribed to.',
  params: { stream_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => setDefault(tx, caller, p.stream_id, false)),
})

/** @source Zulip API, "Update a channel" */
export const editChannel = endpoint({
  method: 'patch',
  path: '/streams/:stream_id{[0-9]+}',
  summary: 'Change a channel: name, description, privacy and settings.',
  params: { stream_id: int(), ...editingParams },
  errors: ['EXPECTATION_MISMATCH', 'UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => editing.editChannel(tx, caller, p.stream_id, editedSettings(p))),
})

/** @source Zulip API, "Archive a channel" */
export const archiveChannel = endpoint({
  method: 'delete',
  path: '/streams/:stream_id{[0-9]+}',
  summary: 'Archive a channel.',
  params: { stream_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => archiving.archiveChannel(tx, caller, p.stream_id)),
})

/** @throws BAD_REQUEST "Invalid channel name '...'". @source Zulip API, "Get channel ID" */
export const getChannelId = endpoint({
  method: 'get',
  path: '/get_stream_id',
  summary: 'Get the ID of a channel by its name.',
  params: { stream: word(1000) },
  reply: { stream_id: shape.integer },
  run: (caller, p) => ({ stream_id: accessChannelByName(caller.store, caller, p.stream).id }),
})

/**
 * The ids of the active subscribers.
 *
 * @throws BAD_REQUEST "Invalid channel ID"
 * @source Zulip API, "Get channel subscribers"
 */
export const getSubscribers = endpoint({
  method: 'get',
  path: '/streams/:stream_id{[0-9]+}/members',
  summary: 'List the subscribers of a channel.',
  params: { stream_id: int() },
  reply: { subscribers: shape.list(shape.integer) },
  run: (caller, p) => ({
    subscribers: [
      ...subscriberIds(caller.store, accessChannel(caller.store, caller, p.stream_id).id),
    ],
  }),
})

/**
 * The topics in which the caller, who may be a spectator, can read at least one message.
 *
 * @throws BAD_REQUEST "Invalid channel ID"
 * @source Zulip API, "Get topics in a channel"
 */
export const getTopics = spectatorEndpoint({
  method: 'get',
  path: '/users/me/:stream_id{[0-9]+}/topics',
  summary: 'List the topics of a channel.',
  description:
    'Needs no account for web-public channels, if the server and the organization allow spectators.',
  params: { stream_id: int(), allow_empty_topic_name: withDefault(bool(), false) },
  reply: { topics: shape.noted(topicShapes, 'The most recently active first.') },
  run(caller, p, { store }) {
    const user = caller?.user ?? 'spectator'
    const channel = accessContent(store, { user }, p.stream_id)
    return { topics: listTopics(store, user, channel, p.allow_empty_topic_name) }
  },
})
