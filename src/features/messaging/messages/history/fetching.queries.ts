import { findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import { listMessages, type Message } from '#features/foundation/core/queries.ts'
import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import type { Viewer } from '#features/foundation/users/queries.ts'
import {
  type FetchedMessage,
  type MessageForm,
  messagesJson,
} from '#features/messaging/messages/json.ts'
import type { match } from '#features/messaging/messages/shapes.ts'
import { highlight } from '#features/messaging/narrow/highlight.queries.ts'
import { escapeHtml } from '#platform/markdown/escape.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'

/** A message's content and topic as HTML, with matches of a search in `<span class="highlight">`. */
export type Match = Shaped<typeof match>

/**
 * The messages of a page with the viewer's flags; after a search, with the matches highlighted.
 *
 * @param ids of messages that the viewer may read, ascending
 * @param searched the narrow's search texts; empty when it had none
 */
export function readPage(
  read: Read,
  viewer: Viewer,
  ids: readonly number[],
  searched: readonly string[],
  form: MessageForm,
): FetchedMessage[] {
  const rows = listMessages(read, ids)
  const page = messagesJson(read, viewer, rows, form)
  if (searched.length === 0) return page
  const matches = matchesOf(read, rows, searched, form.allowEmptyTopicName)
  return page.map((message) => ({ ...message, ...matches.get(message.id) }))
}

/** Content and topic of messages as HTML, with the search's matches highlighted; by message id. */
export function matchesOf(
  read: Read,
  messages: readonly Message[],
  searched: readonly string[],
  allowEmptyTopicName: boolean,
): Map<number, Match> {
  const contents = messages.map(({ renderedContent }) => renderedContent)
  const topics = messages.map((message) => escapeHtml(topicOf(read, message, allowEmptyTopicName)))
  const htmls = [...contents, ...topics]
  const shown = searched.length === 0 ? htmls : highlight(read, htmls, searched)
  return new Map(
    messages.map(({ id }, i) => [
      id,
      { match_content: shown[i] ?? '', match_subject: shown[messages.length + i] ?? '' },
    ]),
  )
}

/** Direct messages have no topic, so only channel messages show the empty topic's name. */
function topicOf(
  read: Read,
  { topic, recipientId }: Message,
  allowEmptyTopicName: boolean,
): string {
  if (topic !== '' || !findChannelByRecipient(read, recipientId)) return topic
  return shownTopic(read, topic, allowEmptyTopicName)
}
