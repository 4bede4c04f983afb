import { endpoint } from '#http/endpoint.ts'
import {
  bool,
  described,
  int,
  intArray,
  json,
  optional,
  text,
  withDefault,
  word,
} from '#http/params.ts'
import { integer, list, noted, string } from '#shape.ts'
import { createWithSubscribers } from '#subscriptions/creating.ts'
import { accessChannel, accessChannelByName, accessContent } from './access.ts'
import * as archiving from './archiving.ts'
import { setDefault } from './defaults.ts'
import * as editing from './editing.ts'
import { channelEmailAddress } from './email-address.ts'
import { channelJson } from './json.ts'
import { listAskedChannels } from './listing.ts'
import { creationParams, creationSettings, editedSettings, editingParams } from './param.ts'
import { subscriberIds } from './queries.ts'
import { askedChannelShape, channelShape, topicShapes } from './shapes.ts'
import { listTopics } from './topics.ts'

/** @source the API description's `get-streams`; api-changes §3b */
export const getChannels = endpoint({
  method: 'get',
  path: '/streams',
  summary: 'List the channels that the caller may know of.',
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
  },
  reply: { streams: noted(list(askedChannelShape), 'Those that any of the parameters asks for.') },
  run: (caller, p) => ({
    streams: listAskedChannels(caller.store, caller, {
      isPublic: p.include_public,
      webPublic: p.include_web_public,
      subscribed: p.include_subscribed,
      ownerSubscribed: p.include_owner_subscribed,
      byDefault: p.include_default,
      readable: p.include_can_access_content,
      all: p.include_all,
      allActive: p.include_all_active,
      archived: !p.exclude_archived,
    }),
  }),
})

/** @throws BAD_REQUEST "Invalid channel ID" */
export const getChannel = endpoint({
  method: 'get',
  path: '/streams/:stream_id{[0-9]+}',
  summary: 'Get a channel.',
  params: { stream_id: int() },
  reply: { stream: channelShape },
  run: (caller, p) => ({
    stream: channelJson(caller.store, accessChannel(caller.store, caller, p.stream_id)),
  }),
})

/** @source the API description's `get-stream-email-address`; api-changes §3b */
export const getEmailAddress = endpoint({
  method: 'get',
  path: '/streams/:stream_id{[0-9]+}/email_address',
  summary: 'Get the address under which a channel takes mail; empty where the server takes none.',
  reply: { email: string },
  params: { stream_id: int(), sender_id: optional(int()) },
  run: (caller, p) => ({
    email: channelEmailAddress(caller.store, caller, p.stream_id, p.sender_id),
  }),
})

/** @source api-changes §2a (feature level 417) */
export const createChannel = endpoint({
  method: 'post',
  path: '/channels/create',
  summary: 'Create a channel and subscribe people to it.',
  bodyLimit: 4 * 1024 * 1024,
  params: {
    name: described(text(), 'At most `max_stream_name_length` code points.'),
    description: described(
      withDefault(text(), ''),
      'Markdown, of at most `max_stream_description_length` code points.',
    ),
    subscribers: json(intArray()),
    announce: withDefault(bool(), false),
    ...creationParams,
  },
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL'],
  reply: { id: integer },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const { name, description, subscribers, announce } = p
      const settings = creationSettings(p)
      const asked = { name, description, subscribers, announce, settings }
      return { id: createWithSubscribers(tx, caller, asked).id }
    }),
})

/** @source the API description's `add-default-stream` */
export const addDefaultChannel = endpoint({
  method: 'post',
  path: '/default_streams',
  summary: 'Add a channel to those that new users are subscribed to.',
  params: { stream_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => setDefault(tx, caller, p.stream_id, true)),
})

/** @source the API description's `remove-default-stream` */
export const removeDefaultChannel = endpoint({
  method: 'delete',
  path: '/default_streams',
  summary: 'Take a channel from those that new users are subscribed to.',
  params: { stream_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => setDefault(tx, caller, p.stream_id, false)),
})

/** @source contract, "Update a channel" */
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

/** @source the API description's `archive-stream` */
export const archiveChannel = endpoint({
  method: 'delete',
  path: '/streams/:stream_id{[0-9]+}',
  summary: 'Archive a channel.',
  params: { stream_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => archiving.archiveChannel(tx, caller, p.stream_id)),
})

/** @throws BAD_REQUEST "Invalid channel name '...'" */
export const getChannelId = endpoint({
  method: 'get',
  path: '/get_stream_id',
  summary: 'Find the id of a channel by its name.',
  params: { stream: word(1000) },
  reply: { stream_id: integer },
  run: (caller, p) => ({ stream_id: accessChannelByName(caller.store, caller, p.stream).id }),
})

/** Who is subscribed, of the active users. @throws BAD_REQUEST "Invalid channel ID" */
export const getSubscribers = endpoint({
  method: 'get',
  path: '/streams/:stream_id{[0-9]+}/members',
  summary: 'List who is subscribed to a channel.',
  params: { stream_id: int() },
  reply: { subscribers: list(integer) },
  run: (caller, p) => ({
    subscribers: subscriberIds(caller.store, accessChannel(caller.store, caller, p.stream_id).id),
  }),
})

/** The topics in which the caller may read anything. @throws BAD_REQUEST "Invalid channel ID" */
export const getTopics = endpoint({
  method: 'get',
  path: '/users/me/:stream_id{[0-9]+}/topics',
  summary: 'List the topics of a channel.',
  params: { stream_id: int(), allow_empty_topic_name: withDefault(bool(), false) },
  reply: { topics: noted(topicShapes, 'The most recently written first.') },
  run({ user, store }, p) {
    const channel = accessContent(store, { user }, p.stream_id)
    return { topics: listTopics(store, user, channel, p.allow_empty_topic_name) }
  },
})
