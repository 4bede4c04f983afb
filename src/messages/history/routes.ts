import { badRequest } from '#errors.ts'
import { required } from '#http/decode.ts'
import { endpoint } from '#http/endpoint.ts'
import { bool, int, ints, optional, withDefault } from '#http/params.ts'
import { messagesJson } from '#messages/json.ts'
import { accessMessage, listMessages } from '#messages/queries.ts'
import { type Anchor, anchorParam, narrowParam } from '#narrow/param.ts'
import { matchNarrow, narrowWindow, pickFromNarrow } from '#narrow/window.ts'
import { matchesOf, readPage } from './pages.ts'

/** The most messages in one reply. @source contract, "Limits" */
const maxMessages = 5000

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
 * @source contract, "Get messages"
 */
export const getMessages = endpoint({
  method: 'get',
  path: '/messages',
  params: {
    anchor: optional(anchorParam()),
    include_anchor: optional(bool()),
    num_before: count,
    num_after: count,
    narrow: narrowParam(),
    message_ids: optional(ints(maxMessages)),
    use_first_unread_anchor: withDefault(bool(), false),
    ...formParams,
  },
  run(caller, p) {
    const form = {
      applyMarkdown: p.apply_markdown,
      clientGravatar: p.client_gravatar,
      allowEmptyTopicName: p.allow_empty_topic_name,
    }
    if (p.message_ids !== undefined) {
      requireNoWindow(p)
      const { ids, searched } = pickFromNarrow(caller.store, caller.user, p.narrow, p.message_ids)
      const messages = readPage(caller.store, caller.user, ids, searched, form)
      return { ...certain, messages }
    }
    const numBefore = required('num_before', p.num_before)
    const numAfter = required('num_after', p.num_after)
    if (numBefore + numAfter > maxMessages) {
      throw badRequest(`Too many messages requested (maximum ${maxMessages}).`)
    }
    const window = narrowWindow(caller.store, caller, {
      narrow: p.narrow,
      anchor: anchorOf(p),
      includeAnchor: p.include_anchor ?? true,
      numBefore,
      numAfter,
    })
    return {
      anchor: window.anchor,
      found_anchor: window.foundAnchor,
      found_oldest: window.foundOldest,
      found_newest: window.foundNewest,
      history_limited: false,
      messages: readPage(caller.store, caller.user, window.ids, window.searched, form),
    }
  },
})

/** Nothing lies around a list of ids. */
const certain = {
  found_anchor: false,
  found_oldest: false,
  found_newest: false,
  history_limited: false,
}

interface WindowParams {
  readonly anchor: Anchor | undefined
  readonly include_anchor: boolean | undefined
  readonly num_before: number | undefined
  readonly num_after: number | undefined
  readonly use_first_unread_anchor: boolean
}

/** `use_first_unread_anchor` wins: old clients send both (clients.md §0.4). */
function anchorOf({ anchor, use_first_unread_anchor }: WindowParams): Anchor {
  return use_first_unread_anchor ? 'first_unread' : required('anchor', anchor)
}

function requireNoWindow({ use_first_unread_anchor, ...window }: WindowParams): void {
  const { anchor, include_anchor, num_before, num_after } = window
  const given = [anchor, include_anchor, num_before, num_after].some((value) => value !== undefined)
  if (!given && !use_first_unread_anchor) return
  throw badRequest("Unsupported parameter combination: 'message_ids' with an anchor or a range")
}

/** One message, and its Markdown source. @source the API description's "Fetch a single message" */
export const getMessage = endpoint({
  method: 'get',
  path: '/messages/:message_id',
  params: { message_id: int(), ...formParams },
  run(caller, p) {
    const row = accessMessage(caller.store, caller, p.message_id)
    const [message] = messagesJson(caller.store, caller.user, [row], {
      applyMarkdown: p.apply_markdown,
      clientGravatar: p.client_gravatar,
      allowEmptyTopicName: p.allow_empty_topic_name,
    })
    return { message, raw_content: row.content }
  },
})

/** @source contract, "Check if messages match a narrow" */
export const matchesNarrow = endpoint({
  method: 'get',
  path: '/messages/matches_narrow',
  params: { msg_ids: ints(maxMessages), narrow: narrowParam() },
  run(caller, p) {
    const { ids, searched } = matchNarrow(caller.store, caller.user, p.narrow, p.msg_ids)
    const matches = matchesOf(caller.store, listMessages(caller.store, ids), searched, true)
    return { messages: Object.fromEntries(matches) }
  },
})
