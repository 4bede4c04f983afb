import * as v from 'valibot'
import { countSubscribers } from '#features/foundation/channels/queries.ts'
import { accessMessage } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { sendMessage as send } from '#features/messaging/messages/actions.ts'
import { checkContent, type Draft } from '#features/messaging/messages/compose.rules.ts'
import { composed } from '#features/messaging/messages/composing.actions.ts'
import { deleteMessage } from '#features/messaging/messages/deleting/actions.ts'
import { editContent, recordEdit } from '#features/messaging/messages/editing/actions.ts'
import { messageLookups } from '#features/messaging/messages/lookups.queries.ts'
import { absoluteUrl } from '#features/messaging/messages/quoting.ts'
import { badRequest } from '#platform/errors.ts'
import { render } from '#platform/markdown/render.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import { link, placeOf, plain } from './messages.queries.ts'
import { type KnownPlace, knownPlace } from './places.queries.ts'
import { placeParams } from './reading.actions.ts'
import { about, adding, type Call, confirmParam, isId, text, tool } from './tool.actions.ts'

export const contentParam = about(
  v.pipe(text(40_000), v.regex(/\S/, 'is empty')),
  'Markdown, at most 10,000 characters. @**Name** mentions someone, [text](url) links.',
)

const sentShape = { message_id: v.number(), conversation: v.string(), url: v.string() }

export const sendMessageTool = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a message to a topic of a channel or to people, in the person’s name. What mentions everyone or goes to many people needs the person’s consent.',
  hints: adding,
  input: { ...placeParams, content: contentParam, confirm: confirmParam },
  output: sentShape,
  run: (call, { content, confirm: _, ...named }) =>
    sendTo(call, knownPlace(call.caller, named), content),
})

export const reply = tool({
  name: 'reply',
  title: 'Reply',
  description:
    'Replies to a message in its own conversation: the topic or the direct conversation where it was asked. Use it where someone asked the person something.',
  hints: adding,
  input: {
    message_id: about(isId, 'The message to reply to.'),
    content: contentParam,
    confirm: confirmParam,
  },
  output: sentShape,
  async run(call, { message_id: id, content }) {
    const { caller } = call
    const message = accessMessage(caller.store, caller, id)
    return await sendTo(
      call,
      placeOf(caller, message, recipientOf(caller.store, message.recipientId)),
      content,
    )
  },
})

async function sendTo(call: Call, place: KnownPlace, content: string) {
  const { caller, origin } = call
  const draft = await drafted(call, place, content)
  confirmReach(call, place, draft.rendered)
  const { message } = await caller.store.write((tx, user) => send(tx, user, draft))
  const url = absoluteUrl(message, recipientOf(caller.store, message.recipientId), origin)
  return {
    structured: { message_id: message.id, conversation: place.name, url },
    markdown: `Sent to ${plain(place.name)}: ${link(`message ${message.id}`, url)}`,
  }
}

/** @throws as `composeMessage`; BAD_REQUEST a channel without a topic where one is needed */
export async function drafted(
  { caller, client }: Call,
  place: KnownPlace,
  content: string,
): Promise<Draft> {
  const { channel, people = [] } = place
  const ids = people.map(({ id }) => id)
  return await composed(caller, {
    kind: channel ? 'channel' : 'direct',
    to: channel?.id ?? (ids.length > 0 ? ids : [caller.user.id]),
    topic: place.topic,
    content,
    client,
    // The person has seen it where they told the assistant to write it.
    readBySender: true,
  })
}

/** A message to more people than this needs consent. */
const manyPeople = { channel: 100, direct: 10 } as const

/** @throws Unconfirmed */
export function confirmReach(
  call: Call,
  { channel, people = [], name }: KnownPlace,
  { mentions }: RenderedMarkdown,
): void {
  const count = channel ? countSubscribers(call.caller.store, channel.id) : people.length
  const isWide = mentions.channelWildcard || mentions.topicWildcard || mentions.groupIds.length > 0
  if (isWide) call.confirm(`Notify many people in ${name} by a mention?`)
  else if (count > (channel ? manyPeople.channel : manyPeople.direct)) {
    call.confirm(`Write to ${count} people in ${name}?`)
  }
}

export const editMessage = tool({
  name: 'edit_message',
  title: 'Edit or delete my message',
  description:
    'Changes the text of one of the person’s own messages, or deletes it. Deleting needs the person’s consent.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: {
    message_id: about(isId, 'A message that the person sent.'),
    content: v.optional(contentParam),
    delete: v.optional(about(v.boolean(), 'True deletes the message; without content.')),
    confirm: confirmParam,
  },
  output: { message_id: v.number(), is_deleted: v.boolean() },
  async run(call, { message_id: id, content, delete: isDeletion = false }) {
    if ((content === undefined) !== isDeletion) {
      throw badRequest('Give either the new content, or delete: true.')
    }
    await (content === undefined ? erase(call, id) : edit(call, id, content))
    const done = isDeletion ? 'Deleted' : 'Edited'
    return {
      structured: { message_id: id, is_deleted: isDeletion },
      markdown: `${done} message ${id}.`,
    }
  },
})

/** Only the person's own: what else their role may delete, they delete themselves. */
async function erase(call: Call, id: number): Promise<void> {
  const { caller } = call
  const message = accessMessage(caller.store, caller, id)
  if (message.senderId !== caller.user.id) throw badRequest('This is not a message of the person.')
  call.confirm(`Delete your message “${message.content.slice(0, 100)}”?`)
  await caller.store.write((tx) => deleteMessage(tx, caller, id))
}

async function edit(call: Call, id: number, source: string): Promise<void> {
  const { caller } = call
  const { store, server, user } = caller
  const message = accessMessage(store, caller, id)
  const content = checkContent(source)
  const rendered = render(content, messageLookups(store, user, server.realmUrl, id))
  confirmReach(
    call,
    {
      ...placeOf(caller, message, recipientOf(store, message.recipientId)),
      channel: undefined,
      people: [],
    },
    rendered,
  )
  await store.write((tx) => {
    const change = editContent(tx, caller, id, { content, rendered, prevSha256: undefined })
    if (change) recordEdit(tx, caller, id, change)
  })
}
