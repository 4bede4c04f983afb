import { ApiError, badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { bool, int, ints, optional, type Values, withDefault } from '#http/params.ts'
import { messagesJson } from '#messages/json.ts'
import { accessMessage, listMessages } from '#messages/queries.ts'
import { anchorParam, narrowParam } from '#narrow/param.ts'
import { matchNarrow, narrowWindow, pickFromNarrow } from '#narrow/window.ts'
import { matchesOf, readPage } from './pages.ts'

/** The most messages in one reply. @source contract, "Limits" */
const maxMessages = 5000

const formParams = {
  apply_markdown: withDefault(bool(), true),
  client_gravatar: withDefault(bool(), true),
  allow_empty_topic_name: withDefault(bool(), false),
}

function formOf(p: Values<typeof formParams>) {
  return {
    applyMarkdown: p.apply_markdown,
    clientGravatar: p.client_gravatar,
    allowEmptyTopicName: p.allow_empty_topic_name,
  }
}

/** Where to look: around an anchor, or nowhere when `message_ids` says which. */
const windowParams = {
  anchor: optional(anchorParam()),
  include_anchor: optional(bool()),
  num_before: optional(int({ min: 0, max: maxMessages })),
  num_after: optional(int({ min: 0, max: maxMessages })),
  use_first_unread_anchor: optional(bool()),
}

/**
 * Messages of a narrow: those around an anchor, or those of a list.
 *
 * @throws BAD_NARROW; REQUEST_VARIABLE_MISSING without an anchor or its numbers; BAD_REQUEST more
 * than 5000 messages, or `message_ids` together with an anchor
 * @source contract, "Get messages"; clients.md §0.4 (2, 4, 5)
 */
export const getMessages = endpoint({
  method: 'get',
  path: '/messages',
  params: {
    ...windowParams,
    ...formParams,
    narrow: narrowParam(),
    message_ids: optional(ints(maxMessages)),
  },
  run(caller, p) {
    const { store, user } = caller
    if (p.message_ids) {
      requireNoWindow(p)
      const { ids, searched } = pickFromNarrow(store, user, p.narrow, p.message_ids)
      return {
        found_oldest: false,
        found_newest: false,
        found_anchor: false,
        history_limited: false,
        messages: readPage(store, user, ids, searched, formOf(p)),
      }
    }
    const window = narrowWindow(store, caller, { narrow: p.narrow, ...requireWindow(p) })
    return {
      anchor: window.anchor,
      found_oldest: window.foundOldest,
      found_newest: window.foundNewest,
      found_anchor: window.foundAnchor,
      history_limited: false,
      messages: readPage(store, user, window.ids, window.searched, formOf(p)),
    }
  },
})

function requireNoWindow(p: Values<typeof windowParams>): void {
  const given = Object.keys(windowParams).find(
    (name) => p[name as keyof typeof windowParams] !== undefined,
  )
  if (given) throw badRequest(`'${given}' cannot be combined with 'message_ids'`)
}

/** The deprecated `use_first_unread_anchor` wins over an anchor that comes beside it. */
function requireWindow(p: Values<typeof windowParams>) {
  const anchor = p.use_first_unread_anchor ? 'first_unread' : p.anchor
  if (anchor === undefined) throw missing('anchor')
  if (p.num_before === undefined) throw missing('num_before')
  if (p.num_after === undefined) throw missing('num_after')
  if (p.num_before + p.num_after > maxMessages) {
    throw badRequest(`Too many messages requested (maximum ${maxMessages}).`)
  }
  const includeAnchor = p.include_anchor ?? true
  return { anchor, includeAnchor, numBefore: p.num_before, numAfter: p.num_after }
}

function missing(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
}

/**
 * Which of some messages a narrow has, and what its search finds in them.
 *
 * @throws BAD_NARROW
 * @source contract, "Check if messages match a narrow"
 */
export const checkMessagesMatchNarrow = endpoint({
  method: 'get',
  path: '/messages/matches_narrow',
  params: {
    msg_ids: ints(maxMessages),
    narrow: narrowParam(),
    allow_empty_topic_name: withDefault(bool(), false),
  },
  run({ store, user }, p) {
    const { ids, searched } = matchNarrow(store, user, p.narrow, p.msg_ids)
    const rows = listMessages(store, ids)
    const matches = matchesOf(store, rows, searched, p.allow_empty_topic_name)
    return { messages: Object.fromEntries(matches) }
  },
})

/**
 * One message, and its Markdown source.
 *
 * @throws BAD_REQUEST "Invalid message(s)": no such message, or not for this caller
 * @source the API description's "Fetch a single message"
 */
export const getMessage = endpoint({
  method: 'get',
  path: '/messages/:message_id{-?[0-9]+}',
  params: {
    message_id: int(),
    apply_markdown: formParams.apply_markdown,
    allow_empty_topic_name: formParams.allow_empty_topic_name,
  },
  run(caller, p) {
    const message = accessMessage(caller.store, caller, p.message_id)
    const form = formOf({ ...p, client_gravatar: false })
    const [json] = messagesJson(caller.store, caller.user, [message], form)
    return { message: json, raw_content: message.content }
  },
})
