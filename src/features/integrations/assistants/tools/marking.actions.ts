import * as v from 'valibot'
import { accessMessage } from '#features/foundation/core/queries.ts'
import { unreadIds } from '#features/foundation/read-state/queries.ts'
import { findDirectRecipient } from '#features/foundation/recipients/queries.ts'
import { normalizeTopic, topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { changeFlags, markEverythingRead } from '#features/messaging/messages/flags/actions.ts'
import { authorLookups } from '#features/messaging/messages/lookups.queries.ts'
import { addReaction, removeReaction } from '#features/messaging/messages/reactions/actions.ts'
import { createReminder } from '#features/messaging/reminders/actions.ts'
import { reminderContent } from '#features/messaging/reminders/content.queries.ts'
import { scheduleMessage } from '#features/messaging/scheduled-messages/actions.ts'
import { badRequest } from '#platform/errors.ts'
import { render } from '#platform/markdown/render.ts'
import { isoMoment } from '#platform/time-zones.ts'
import { isoTime, plain } from './messages.queries.ts'
import { type KnownPlace, knownPlace } from './places.queries.ts'
import { placeParams } from './reading.actions.ts'
import { about, adding, type Call, confirmParam, isId, text, tool } from './tool.actions.ts'
import { confirmReach, contentParam, drafted } from './writing.actions.ts'

export const react = tool({
  name: 'react',
  title: 'React with an emoji',
  description:
    'Adds the person’s emoji reaction to a message, or removes it. Others see at once who reacted.',
  hints: { ...adding, idempotentHint: true },
  input: {
    message_id: about(isId, 'The message.'),
    emoji_name: about(text(200), 'A name such as thumbs_up, tada or heart, without colons.'),
    remove: v.optional(about(v.boolean(), 'True takes the reaction back.'), false),
  },
  output: { message_id: v.number(), emoji_name: v.string(), is_removed: v.boolean() },
  async run({ caller }, { message_id: id, emoji_name: given, remove }) {
    const name = given.replaceAll(':', '').trim()
    const asked = { emojiName: name, emojiCode: undefined, reactionType: undefined }
    const act = remove ? removeReaction : addReaction
    await caller.store.write((tx) => act(tx, caller, id, asked))
    return {
      structured: { message_id: id, emoji_name: name, is_removed: remove },
      markdown: `${remove ? 'Removed' : 'Added'} :${plain(name)}: ${remove ? 'from' : 'to'} message ${id}.`,
    }
  },
})

export const markAsRead = tool({
  name: 'mark_as_read',
  title: 'Mark as read',
  description:
    'Marks messages as read for the person: those of a conversation, or some by their IDs. Everything at once needs the person’s consent.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: {
    ...placeParams,
    message_ids: v.optional(about(v.pipe(v.array(isId), v.maxLength(1000)), 'These messages.')),
    everything: v.optional(about(v.boolean(), 'True marks all messages everywhere.')),
    confirm: confirmParam,
  },
  output: { marked_count: v.optional(v.number()) },
  async run(call, { message_ids: ids, everything, confirm: _, ...named }) {
    const { caller } = call
    const isNamed = named.channel !== undefined || named.people !== undefined
    if (Number(isNamed) + Number(ids !== undefined) + Number(everything === true) !== 1) {
      throw badRequest('Name a conversation, message_ids, or everything: true.')
    }
    if (everything) {
      call.confirm('Mark all messages everywhere as read?')
      await caller.store.write((tx) => markEverythingRead(tx, caller))
      return { structured: {}, markdown: 'Everything is read.' }
    }
    const marked = ids ?? unreadOf(call, knownPlace(caller, named))
    const change = { op: 'add', flag: 'read' } as const
    const { messageIds } = await caller.store.writeLong((tx) =>
      changeFlags(tx, caller, marked, change),
    )
    return {
      structured: { marked_count: messageIds.length },
      markdown: `${messageIds.length} messages became read.`,
    }
  },
})

function unreadOf({ caller }: Call, { channel, topic, people = [] }: KnownPlace): number[] {
  const { store, user } = caller
  if (!channel) {
    const recipient = findDirectRecipient(store, [user.id, ...people.map(({ id }) => id)])
    return recipient ? unreadIds(store, user.id, { recipientId: recipient.id }) : []
  }
  const { recipientId } = channel
  const inTopic = topic !== undefined && { topicKey: topicKey(normalizeTopic(store, topic)) }
  return unreadIds(store, user.id, { recipientId, ...inTopic })
}

export const schedule = tool({
  name: 'schedule',
  title: 'Send later, or remind me',
  description:
    'Schedules a message to be sent later, or a reminder of a message for the person alone. Name a conversation and content for the one, message_id for the other.',
  hints: adding,
  input: {
    at: about(
      text(40),
      'When: an ISO 8601 time with its offset, 2026-05-01T09:30:00+02:00; UTC without one.',
    ),
    ...placeParams,
    content: v.optional(contentParam),
    message_id: v.optional(about(isId, 'Remind the person of this message.')),
    note: v.optional(about(text(500), 'What the reminder says besides.'), ''),
    confirm: confirmParam,
  },
  output: {
    scheduled_message_id: v.optional(v.number()),
    reminder_id: v.optional(v.number()),
    at: v.string(),
  },
  async run(call, { at, content, message_id: id, note, confirm: _, ...named }) {
    const time = Math.ceil(isoMoment(at) ?? Number.NaN)
    if (Number.isNaN(time)) throw badRequest('at is not an ISO 8601 date or time.')
    if ((content === undefined) === (id === undefined)) {
      throw badRequest('Give either content with a conversation, or message_id.')
    }
    const when = isoTime(time)
    if (id !== undefined) {
      const reminder = await remind(call, id, note.trim(), time)
      return { structured: { reminder_id: reminder, at: when }, markdown: `Reminder at ${when}.` }
    }
    const place = knownPlace(call.caller, named)
    const draft = await drafted(call, place, content ?? '')
    confirmReach(call, place, draft.rendered)
    const scheduled = await call.caller.store.write((tx, user) =>
      scheduleMessage(tx, user, draft, time),
    )
    const markdown = `Will be sent to ${plain(place.name)} at ${when}.`
    return { structured: { scheduled_message_id: scheduled, at: when }, markdown }
  },
})

async function remind(
  { caller }: Call,
  messageId: number,
  note: string,
  deliverAt: number,
): Promise<number> {
  const { store, server, user } = caller
  const message = accessMessage(store, caller, messageId)
  const content = reminderContent(store, user, message, note, server.realmUrl)
  const rendered = render(content, authorLookups(store, user, server.realmUrl))
  const asked = { messageId, note, deliverAt, content, rendered }
  return await store.write((tx) => createReminder(tx, caller, asked))
}
