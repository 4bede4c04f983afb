import { findChannelByRecipient } from '#channels/queries.ts'
import { escapeHtml } from '#markdown/escape.ts'
import { type FetchedMessage, type MessageForm, messagesJson } from '#messages/json.ts'
import { listMessages, type Message } from '#messages/queries.ts'
import type { match } from '#messages/shapes.ts'
import { highlight } from '#narrow/highlight.ts'
import type { Shaped } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { shownTopic } from '#topics/names.ts'
import type { User } from '#users/queries.ts'

/** Where a message matches a search: HTML with the matches in `<span class="highlight">`. */
export type Match = Shaped<typeof match>

/**
 * Messages of a page with the viewer's flags; after a search, with what was found in them.
 *
 * @param ids of messages that the viewer may read, ascending
 * @param searched the narrow's search texts; empty when it had none
 */
export function readPage(
  read: Read,
  viewer: User,
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

/** Content and topic of messages as HTML, by message id, with what was searched for highlighted. */
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

/** Only channel messages have an empty topic with a name; direct messages have none at all. */
function topicOf(
  read: Read,
  { topic, recipientId }: Message,
  allowEmptyTopicName: boolean,
): string {
  if (topic !== '' || !findChannelByRecipient(read, recipientId)) return topic
  return shownTopic(read, topic, allowEmptyTopicName)
}
