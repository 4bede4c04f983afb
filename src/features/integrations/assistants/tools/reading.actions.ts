import * as v from 'valibot'
import { accessMessage } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import {
  listReadable,
  narrowWindow,
  type Window,
} from '#features/messaging/narrow/window.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Term } from '#platform/events/types.ts'
import { messageIn, pathIn } from './links.ts'
import {
  link,
  messageMarkdown,
  messageShape,
  placeOf,
  type ShownMessage,
  shownMessages,
} from './messages.queries.ts'
import { type KnownPlace, knownPlace } from './places.queries.ts'
import {
  about,
  type Call,
  countFitting,
  isId,
  limitParam,
  type Reading,
  type Reply,
  readOnly,
  replyLimit,
  text,
  tool,
} from './tool.actions.ts'

/** The parameters that name a conversation. */
export const placeParams = {
  channel: v.optional(
    about(v.union([text(200), isId]), 'The name or ID of a channel. Not together with people.'),
  ),
  topic: v.optional(about(text(200), 'A topic of the channel.')),
  people: v.optional(
    about(
      v.pipe(v.array(v.union([text(200), isId])), v.minLength(1), v.maxLength(50)),
      'For a direct conversation: the names, addresses or IDs of the others.',
    ),
  ),
}

const pageShape = {
  conversation: v.string(),
  url: v.string(),
  messages: v.array(messageShape),
  older_cursor: v.optional(v.string()),
  newer_cursor: v.optional(v.string()),
}

const sides = { older: 'older', newer: 'newer' } as const
const isCursor = v.pipe(text(40), v.regex(/^(older|newer):\d{1,15}$/, 'not a cursor of this tool'))

/** Where to go on reading, and in which direction. */
function startOf(cursor: string): { readonly id: number; readonly side: keyof typeof sides } {
  const [side, id] = cursor.split(':')
  return { id: Number(id), side: side === 'older' ? 'older' : 'newer' }
}

export const readConversation = tool({
  name: 'read_conversation',
  title: 'Read a conversation',
  description: `Reads a topic, a channel or a direct conversation around a place in it, oldest first. Long conversations come in parts of at most ${replyLimit} characters with cursors for the rest.`,
  hints: readOnly,
  input: {
    ...placeParams,
    message_id: v.optional(
      about(isId, 'Read around this message, in its own conversation if none is named.'),
    ),
    anchor: v.optional(
      about(
        v.picklist(['newest', 'oldest', 'first_unread']),
        'Where to begin without message_id: newest unless given.',
      ),
      'newest',
    ),
    cursor: v.optional(about(isCursor, 'To go on: older_cursor or newer_cursor of an answer.')),
    limit: limitParam(50, 20),
  },
  output: pageShape,
  async run(call, { anchor, cursor, limit, message_id: id, ...named }) {
    const place = placeAsked(call, named, id)
    return await page(call, place, { cursor, anchor: id ?? anchor, limit })
  },
})

/** The conversation that is named, or that of a message. */
function placeAsked(
  { caller }: Pick<Call, 'caller'>,
  named: Parameters<typeof knownPlace>[1],
  messageId: number | undefined,
): KnownPlace {
  const isNamed = named.channel !== undefined || named.people !== undefined
  if (isNamed || messageId === undefined) return knownPlace(caller, named)
  const message = accessMessage(caller.store, caller, messageId)
  return placeOf(caller, message, recipientOf(caller.store, message.recipientId))
}

interface Asked {
  readonly cursor: string | undefined
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread'
  readonly limit: number
}

/** A part of a conversation. @throws BAD_NARROW */
export async function page(
  call: Reading,
  place: KnownPlace,
  { anchor, cursor, limit }: Asked,
): Promise<Reply<v.InferInput<v.ObjectSchema<typeof pageShape, undefined>>>> {
  const start = cursor === undefined ? undefined : startOf(cursor)
  const half = Math.ceil(limit / 2)
  const window = await find(call, place.terms, {
    anchor: start?.id ?? anchor,
    includeAnchor: start === undefined,
    numBefore: start ? (start.side === 'older' ? limit : 0) : anchor === 'newest' ? limit : half,
    numAfter: start ? (start.side === 'newer' ? limit : 0) : anchor === 'oldest' ? limit : half,
  })
  const all = shown(call, window.ids, limit === 1 ? replyLimit / 2 : 4000)
  const kept = fitting(
    all,
    start?.side === 'newer' || anchor === 'oldest' ? 'first' : window.anchor,
  )
  const [first, last] = [kept[0], kept.at(-1)]
  const olderLeft = !window.foundOldest || first?.message_id !== all[0]?.message_id
  const newerLeft = !window.foundNewest || last?.message_id !== all.at(-1)?.message_id
  const older = olderLeft && first ? `older:${first.message_id}` : undefined
  const newer = newerLeft && last ? `newer:${last.message_id}` : undefined
  const url = call.origin + place.path
  const notes = [older && `Older: cursor ${older}`, newer && `Newer: cursor ${newer}`]
  return {
    structured: {
      conversation: place.name,
      url,
      messages: kept,
      ...(older && { older_cursor: older }),
      ...(newer && { newer_cursor: newer }),
    },
    markdown: [
      `Conversation ${link(place.name, url)}, ${kept.length} messages`,
      ...kept.map(messageMarkdown),
      ...notes.filter((note) => note !== undefined),
    ].join('\n\n'),
  }
}

function shown({ caller, origin }: Reading, ids: readonly number[], contentLimit: number) {
  return shownMessages(caller, ids, { origin, contentLimit, namesPlace: false })
}

const sizeOf = (message: ShownMessage) => JSON.stringify(message).length

/** As many as fit into an answer, around the anchor. */
function fitting(all: readonly ShownMessage[], anchor: number | 'first'): ShownMessage[] {
  const at = anchor === 'first' ? 0 : all.findLastIndex(({ message_id: id }) => id <= anchor)
  const near = [...all.entries()].sort(([a], [b]) => Math.abs(a - at) - Math.abs(b - at))
  const some = near.slice(
    0,
    countFitting(near, ([, message]) => sizeOf(message)),
  )
  return some.sort(([a], [b]) => a - b).map(([, message]) => message)
}

type Sides = Omit<Parameters<typeof narrowWindow>[2], 'narrow'>

/** @throws BAD_NARROW */
export async function find(call: Reading, narrow: readonly Term[], sides: Sides): Promise<Window> {
  const { store, user } = call.caller
  const window = await call.finish(narrowWindow(store, user, { narrow, ...sides }))
  // Some may have gone while others had their turn.
  const ids = window.ids.map((id) => ({ id }))
  return { ...window, ids: listReadable(store, user, ids) }
}

export const openLink = tool({
  name: 'open_link',
  title: 'Open a link',
  description:
    'Opens a link to a message, topic, channel or direct conversation of this server and reads what is there. For links to files there is read_file.',
  hints: readOnly,
  input: { url: about(text(2000), 'The link, as someone copied it.'), limit: limitParam(50, 11) },
  output: pageShape,
  async run(call, { url, limit }) {
    const path = pathIn(url, [call.origin, call.caller.server.realmUrl])
    const found = path === undefined ? undefined : messageIn(path)
    if (!found) throw badRequest('This is no link to a conversation of this server.')
    const { near, ...named } = found
    // A message may have moved since: then its own conversation counts.
    const place = placeAsked(call, near === undefined ? named : {}, near)
    return await page(call, place, { cursor: undefined, anchor: near ?? 'newest', limit })
  },
})
