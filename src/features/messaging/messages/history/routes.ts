import { accessMessage, listMessages } from '#features/foundation/core/queries.ts'
import type { Viewer } from '#features/foundation/users/queries.ts'
import { indexForSearch } from '#features/messaging/messages/indexing.actions.ts'
import {
  type FetchedMessage,
  type MessageForm,
  messagesJson,
} from '#features/messaging/messages/json.ts'
import { mostInReply } from '#features/messaging/messages/limits.ts'
import { topicLinker } from '#features/messaging/messages/lookups.queries.ts'
import { fetchedMessage, match } from '#features/messaging/messages/shapes.ts'
import {
  type Anchor,
  anchorOrDateParam,
  momentParam,
  narrowParam,
  requireSidedAnchor,
} from '#features/messaging/narrow/params.ts'
import { requireWebPublic } from '#features/messaging/narrow/spectators.ts'
import {
  countChanges,
  listReadable,
  matchNarrow,
  type NarrowSelection,
  narrowWindow,
  pickFromNarrow,
  type WindowRequest,
} from '#features/messaging/narrow/window.queries.ts'
import { badRequest } from '#platform/errors.ts'
import { required } from '#platform/http/decode.ts'
import { endpoint, spectatorEndpoint } from '#platform/http/endpoint.ts'
import { bool, described, int, ints, optional, withDefault } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { slices, slicesBySize } from '#platform/slices.ts'
import type { Steps } from '#platform/steps.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { matchesOf, readPage } from './fetching.queries.ts'
import { fitWindow, type MessageSizes, requireFit } from './page-sizes.queries.ts'

const formParams = {
  client_gravatar: withDefault(bool(), true),
  apply_markdown: withDefault(bool(), true),
  allow_empty_topic_name: withDefault(bool(), false),
}

const count = optional(int({ min: 0 }))

/**
 * The messages of a narrow around an anchor, or those of a list of ids.
 *
 * @throws BAD_NARROW; BAD_REQUEST; REQUEST_VARIABLE_MISSING
 * @source Zulip API, "Get messages"
 */
export const getMessages = spectatorEndpoint({
  method: 'get',
  path: '/messages',
  summary: 'Fetch the messages of a narrow around an anchor, or messages by their IDs.',
  description:
    'Either `message_ids`, or `anchor`, `num_before` and `num_after` are required. At most 5000 messages per request. A page of long messages holds those next to the anchor that fit into 4 MiB; the part of a message beyond 4 KiB counts sixteen times. `found_oldest` and `found_newest` say whether there are more. Needs no account with `channels:web-public` in the narrow, if the server and the organization allow spectators.',
  params: {
    anchor: described(
      optional(anchorOrDateParam()),
      'A message ID, `newest`, `oldest`, `date`, the first message of the narrow sent at `anchor_date` or later, or `first_unread`, the oldest unread message of the narrow. That skips messages in muted topics and channels, except in those that the narrow names.',
    ),
    anchor_date: described(
      optional(momentParam()),
      'With `anchor=date`: a date or a date with time, in ISO 8601, such as `2026-05-01` or `2026-05-01T09:30:00+02:00`. In UTC if it has no offset, at midnight if it has no time. If nothing was sent at that moment or later, the anchor is the newest message.',
    ),
    include_anchor: optional(bool()),
    num_before: count,
    num_after: count,
    narrow: described(
      withDefault(narrowParam(), []),
      'Zulip’s operators, and two of this server: `after` (sent at that moment or later) and `before` (sent earlier). Their operand is in seconds since the epoch, or a day, `YYYY-MM-DD`, which stands for its first moment in the time zone of the caller’s account, or in UTC if the account has none.',
    ),
    message_ids: optional(ints(mostInReply)),
    use_first_unread_anchor: described(
      withDefault(bool(), false),
      'Deprecated: the same as `anchor=first_unread`.',
    ),
    ...formParams,
  },
  errors: ['BAD_NARROW'],
  reply: {
    anchor: shape.maybe(
      shape.noted(
        shape.integer,
        'The ID of the anchor; absent with `message_ids`. 10000000000000000 if the first unread message is asked for and there is none.',
      ),
    ),
    found_anchor: shape.boolean,
    found_oldest: shape.boolean,
    found_newest: shape.boolean,
    history_limited: shape.noted(
      shape.boolean,
      'Always false: the history is not limited by a plan.',
    ),
    messages: shape.noted(shape.list(fetchedMessage), 'Oldest first.'),
  },
  *run(caller, p, { store }) {
    const viewer = caller?.user ?? 'spectator'
    const began = countChanges(store)
    if (viewer === 'spectator') requireWebPublic(p.narrow)
    yield* indexForSearch(store, p.narrow)
    const form = {
      applyMarkdown: p.apply_markdown,
      allowEmptyTopicName: p.allow_empty_topic_name,
    }
    if (p.message_ids !== undefined) {
      requireNoWindow(p)
      const picked = yield* pickFromNarrow(store, viewer, p.narrow, p.message_ids)
      const sizes = yield* requireFit(store, picked.ids)
      const messages = yield* readMessages(store, viewer, { ...picked, sizes }, form)
      return { ...noWindow, messages: stillReadable(store, viewer, began, messages) }
    }
    const numBefore = required('num_before', p.num_before)
    const numAfter = required('num_after', p.num_after)
    if (numBefore + numAfter > mostInReply) {
      throw badRequest(
        sentSentence('Too many messages requested (maximum {count}).', { count: mostInReply }),
      )
    }
    requireSidedAnchor(p.include_anchor ?? true, numBefore, numAfter)
    const found = yield* narrowWindow(store, viewer, {
      narrow: p.narrow,
      anchor: anchorOf(p),
      includeAnchor: p.include_anchor ?? true,
      numBefore,
      numAfter,
    })
    const window = yield* fitWindow(store, found)
    const read = yield* readMessages(store, viewer, window, form)
    const messages = stillReadable(store, viewer, began, read)
    return {
      anchor: window.anchor,
      found_anchor: window.foundAnchor && messages.some(({ id }) => id === window.anchor),
      found_oldest: window.foundOldest,
      found_newest: window.foundNewest,
      history_limited: false,
      messages,
    }
  },
})

function readMessages(
  read: Read,
  viewer: Viewer,
  found: SizedSelection,
  form: MessageForm,
): Steps<FetchedMessage[]> {
  const part = { ...form, replyLength: found.ids.length, topicLinks: topicLinker(read) }
  return inSlices(found, (some) => readPage(read, viewer, some, found.searched, part))
}

/** Messages to read, and how large each is. */
interface SizedSelection extends NarrowSelection {
  readonly sizes: MessageSizes
}

/** How many messages are read in a step. */
const slice = 250
/** How many bytes of them, if what was searched for is marked in them: one more if that is larger. */
const markedBytes = 64 * 1024

/** What `read` returns for all of these messages; pauses between slices of them. */
function* inSlices<T>(
  { ids, searched, sizes }: SizedSelection,
  read: (ids: readonly number[]) => readonly T[],
): Steps<T[]> {
  const all: T[] = []
  const parts =
    searched.length > 0
      ? slicesBySize(ids, markedBytes, (id) => sizes.get(id) ?? 0)
      : slices(ids, slice)
  for (const some of parts) {
    all.push(...read(some))
    yield
  }
  return all
}

/**
 * The messages that may be read now, which need not be all after a pause.
 *
 * @param began what `countChanges` returned before the first pause
 */
function stillReadable<T extends { readonly id: number }>(
  read: Read,
  viewer: Viewer,
  began: number,
  messages: T[],
): T[] {
  if (countChanges(read) === began) return messages
  const readable = new Set(listReadable(read, viewer, messages))
  return messages.filter(({ id }) => readable.has(id))
}

/** A list of ids has no window. */
const noWindow = {
  found_anchor: false,
  found_oldest: false,
  found_newest: false,
  history_limited: false,
}

interface WindowParams {
  readonly anchor: Anchor | 'date' | undefined
  readonly anchor_date: number | undefined
  readonly include_anchor: boolean | undefined
  readonly num_before: number | undefined
  readonly num_after: number | undefined
  readonly use_first_unread_anchor: boolean
}

/** `use_first_unread_anchor` takes precedence: some clients send both, with `anchor=0`. */
function anchorOf(p: WindowParams): WindowRequest['anchor'] {
  if (p.use_first_unread_anchor) return 'first_unread'
  const anchor = required('anchor', p.anchor)
  if (anchor !== 'date') return anchor
  return { since: required('anchor_date', p.anchor_date) }
}

function requireNoWindow({ use_first_unread_anchor, ...window }: WindowParams): void {
  const { anchor, anchor_date, include_anchor, num_before, num_after } = window
  const given = [anchor, anchor_date, include_anchor, num_before, num_after].some(
    (value) => value !== undefined,
  )
  if (!given && !use_first_unread_anchor) return
  throw badRequest(
    sentSentence("Unsupported parameter combination: 'message_ids' with an anchor or a range"),
    { parameter: 'message_ids' },
  )
}

/** One message and its Markdown source. @source Zulip API, "Fetch a single message" */
export const getMessage = endpoint({
  method: 'get',
  path: '/messages/:message_id',
  summary: 'Fetch one message.',
  params: { message_id: int(), ...formParams },
  reply: {
    message: fetchedMessage,
    raw_content: shape.noted(shape.string, 'The Markdown source, regardless of `apply_markdown`.'),
  },
  run(caller, p) {
    const row = accessMessage(caller.store, caller, p.message_id)
    const [message] = messagesJson(caller.store, caller.user, [row], {
      applyMarkdown: p.apply_markdown,
      allowEmptyTopicName: p.allow_empty_topic_name,
    })
    if (!message) throw new Error(`Message ${row.id} has no sender.`)
    return { message, raw_content: row.content }
  },
})

/** @source Zulip API, "Check if messages match a narrow" */
export const matchesNarrow = endpoint({
  method: 'get',
  path: '/messages/matches_narrow',
  summary: 'Check which of these messages match a narrow.',
  params: { msg_ids: ints(mostInReply), narrow: narrowParam() },
  errors: ['BAD_NARROW'],
  reply: { messages: shape.noted(shape.record(match), 'The messages that match, by message ID.') },
  *run(caller, p) {
    const began = countChanges(caller.store)
    yield* indexForSearch(caller.store, p.narrow)
    const found = yield* matchNarrow(caller.store, caller.user, p.narrow, p.msg_ids)
    const sizes = yield* requireFit(caller.store, found.ids)
    const matches = yield* inSlices({ ...found, sizes }, (some) => {
      const rows = listMessages(caller.store, some)
      const matches = matchesOf(caller.store, rows, found.searched, true)
      return Array.from(matches, ([id, match]) => ({ id, match }))
    })
    const readable = stillReadable(caller.store, caller.user, began, matches)
    return { messages: Object.fromEntries(readable.map(({ id, match }) => [id, match])) }
  },
})
