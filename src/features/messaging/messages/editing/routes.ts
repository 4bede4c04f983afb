import { attachmentJson } from '#features/files/attachments/json.ts'
import { attachmentShape } from '#features/files/attachments/shapes.ts'
import { propagateModes } from '#features/messaging/messages/choices.ts'
import {
  checkContent,
  contentLimit,
  longestTopic,
} from '#features/messaging/messages/compose.rules.ts'
import { messageLookups } from '#features/messaging/messages/lookups.queries.ts'
import { moveMessages } from '#features/messaging/messages/moving/actions.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  alias,
  bool,
  described,
  int,
  oneOf,
  optional,
  text,
  withDefault,
} from '#platform/http/params.ts'
import { render } from '#platform/markdown/render.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import { editContent, recordEdit } from './actions.ts'

/** The content of a message that was edited to nothing, which bridges do to delete messages. */
const emptied = '(deleted)'

/**
 * Edits a message's content, moves it alone or with others of its topic, or both.
 *
 * @source Zulip API, "Edit a message" (feature levels 285 and 379)
 */
export const updateMessage = endpoint({
  method: 'patch',
  path: '/messages/:message_id',
  summary: 'Edit a message, move it to another topic or channel, or resolve its topic.',
  params: {
    message_id: int(),
    content: described(
      optional(text(contentLimit)),
      'The new content; if it is empty, the message says `(deleted)`.',
    ),
    prev_content_sha256: described(
      optional(text(64)),
      'The SHA-256 in hex of the content that the edit is based on. The request fails if the content has changed since.',
    ),
    topic: optional(alias('subject', text(longestTopic))),
    stream_id: optional(int()),
    propagate_mode: described(
      withDefault(oneOf(propagateModes), 'change_one'),
      'Which messages to move: only this one, this and later ones in its topic, or all in its topic.',
    ),
    send_notification_to_old_thread: withDefault(bool(), false),
    send_notification_to_new_thread: withDefault(bool(), true),
  },
  errors: [
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'EXPECTATION_MISMATCH',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: {
    detached_uploads: shape.noted(
      shape.list(attachmentShape),
      "The caller's files that no message links to anymore.",
    ),
  },
  async run(caller, p) {
    const { store, server } = caller
    const moves = p.topic !== undefined || p.stream_id !== undefined
    if (p.content === undefined && !moves) throw badRequest(sentSentence('Nothing to change'))
    if (p.content !== undefined && p.stream_id !== undefined) {
      throw badRequest(sentSentence('Cannot change message content while changing channel'), {
        parameter: 'content',
      })
    }
    if (!moves && p.propagate_mode !== 'change_one') {
      throw badRequest(sentSentence('Invalid propagate_mode without topic edit'), {
        parameter: 'propagate_mode',
      })
    }
    const content =
      p.content === undefined
        ? undefined
        : checkContent(p.content.trim() === '' ? emptied : p.content)
    const edit = content !== undefined && {
      content,
      rendered: render(content, messageLookups(store, caller.user, server.realmUrl, p.message_id)),
      prevSha256: p.prev_content_sha256,
    }
    return await store.writeLong(function* (tx) {
      const change = edit ? editContent(tx, caller, p.message_id, edit) : undefined
      const detached = (change?.detached ?? []).map((file) => attachmentJson(tx, file))
      if (moves) {
        const move = {
          topic: p.topic,
          channelId: p.stream_id,
          mode: p.propagate_mode,
          notifyOldTopic: p.send_notification_to_old_thread,
          notifyNewTopic: p.send_notification_to_new_thread,
        }
        yield* moveMessages(tx, caller, p.message_id, move, change)
      } else if (change) recordEdit(tx, caller, p.message_id, change)
      return { detached_uploads: detached }
    })
  },
})
