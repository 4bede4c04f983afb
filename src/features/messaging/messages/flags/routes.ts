import { accessChannel } from '#features/foundation/channels/access.ts'
import { requireKnownTopic } from '#features/foundation/core/queries.ts'
import { normalizeTopic } from '#features/foundation/recipients/topics.rules.ts'
import { type EditableFlag, editableFlags } from '#features/messaging/messages/choices.ts'
import { indexForSearch } from '#features/messaging/messages/indexing.actions.ts'
import { mostFlagged } from '#features/messaging/messages/limits.ts'
import { anchorParam, narrowParam, requireSidedAnchor } from '#features/messaging/narrow/params.ts'
import { narrowWindow, type Window } from '#features/messaging/narrow/window.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, int, ints, oneOf, text, withDefault, word } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'

const change = { op: oneOf(['add', 'remove']), flag: word(60) }

const ignoredChannels = shape.noted(
  shape.list(shape.integer),
  'The IDs of channels whose messages stayed read, because the caller is not subscribed.',
)

/** @source Zulip API, "Update personal message flags" (feature level 355) */
export const updateFlags = endpoint({
  method: 'post',
  path: '/messages/flags',
  summary: 'Add a flag to messages, or remove it.',
  description:
    'Clients collapse messages with the flag `collapsed`, and hide the automatic link previews of messages with `hide_link_previews`. For `read`, messages that the caller cannot read are ignored; for other flags, the request fails.',
  params: { messages: ints(mostFlagged), ...change },
  reply: {
    messages: shape.noted(shape.list(shape.integer), 'The messages whose flags changed.'),
    ignored_because_not_subscribed_channels: ignoredChannels,
  },
  async run(caller, p) {
    const flag = editableFlag(p.flag)
    const { messageIds, ignoredChannelIds } = await caller.store.writeLong((tx) => {
      const change = { op: p.op, flag }
      // Messages are deleted while clients mark many as read.
      if (flag !== 'read') actions.requireFlaggable(tx, caller, p.messages, change)
      return actions.changeFlags(tx, caller, p.messages, change)
    })
    return {
      messages: messageIds,
      ignored_because_not_subscribed_channels: ignoredChannelIds,
    }
  },
})

/** @source Zulip API, "Update personal message flags for narrow" */
export const updateFlagsForNarrow = endpoint({
  method: 'post',
  path: '/messages/flags/narrow',
  summary: 'Add a flag to messages of a narrow, or remove it.',
  params: {
    anchor: anchorParam(),
    include_anchor: withDefault(bool(), true),
    num_before: int({ min: 0, max: mostFlagged }),
    num_after: int({ min: 0, max: mostFlagged }),
    narrow: narrowParam(),
    ...change,
  },
  errors: ['BAD_NARROW'],
  reply: {
    processed_count: shape.integer,
    updated_count: shape.integer,
    first_processed_id: shape.nullable(shape.integer),
    last_processed_id: shape.nullable(shape.integer),
    found_oldest: shape.boolean,
    found_newest: shape.boolean,
    ignored_because_not_subscribed_channels: ignoredChannels,
  },
  *run(caller, p) {
    const flag = editableFlag(p.flag)
    requireSidedAnchor(p.include_anchor, p.num_before, p.num_after)
    yield* indexForSearch(caller.store, p.narrow)
    const window = yield* narrowWindow(caller.store, caller.user, {
      narrow: p.narrow,
      anchor: p.anchor,
      includeAnchor: p.include_anchor,
      numBefore: p.num_before,
      numAfter: p.num_after,
    })
    return changeFlagsOf(caller, window, { op: p.op, flag })
  },
})

async function changeFlagsOf(caller: Caller, window: Window, change: actions.FlagChange) {
  const { processedIds, messageIds, ignoredChannelIds } = await caller.store.writeLong((tx) =>
    actions.changeFlags(tx, caller, window.ids, change),
  )
  return {
    processed_count: processedIds.length,
    updated_count: messageIds.length,
    first_processed_id: processedIds[0] ?? null,
    last_processed_id: processedIds.at(-1) ?? null,
    found_oldest: window.foundOldest,
    found_newest: window.foundNewest,
    ignored_because_not_subscribed_channels: ignoredChannelIds,
  }
}

/** Deprecated. @source Zulip API, "Mark all messages as read" */
export const markAllRead = endpoint({
  method: 'post',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read.',
  deprecated: true,
  params: {},
  reply: { complete: shape.noted(shape.boolean, 'Always true.') },
  async run(caller) {
    await caller.store.write((tx) => actions.markEverythingRead(tx, caller))
    return { complete: true }
  },
})

/** Deprecated. @source Zulip API, "Mark messages in a channel as read" */
export const markChannelRead = endpoint({
  method: 'post',
  path: '/mark_stream_as_read',
  summary: 'Mark all messages of a channel as read.',
  deprecated: true,
  params: { stream_id: int() },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => {
      const channel = accessChannel(tx, caller, p.stream_id)
      actions.markChannelRead(tx, caller, channel, undefined)
    }),
})

/** Deprecated. @source Zulip API, "Mark messages in a topic as read" */
export const markTopicRead = endpoint({
  method: 'post',
  path: '/mark_topic_as_read',
  summary: 'Mark all messages of a topic as read.',
  deprecated: true,
  params: { stream_id: int(), topic_name: text(1000) },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => {
      const channel = accessChannel(tx, caller, p.stream_id)
      const topic = normalizeTopic(tx, p.topic_name)
      requireKnownTopic(tx, caller.user, channel, topic)
      actions.markChannelRead(tx, caller, channel, topic)
    }),
})

/** @throws BAD_REQUEST an unknown flag, or one that only the server sets */
function editableFlag(name: string): EditableFlag {
  const flag = editableFlags.find((editable) => editable === name)
  if (!flag)
    throw badRequest(sentSentence("Flag not editable: '{name}'", { name }), { parameter: 'flag' })
  return flag
}
