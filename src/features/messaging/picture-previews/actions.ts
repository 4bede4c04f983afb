import { deletePlaceholderMessage } from '#features/files/thumbnails/queries.ts'
import { findMessage } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { emitUpdate } from '#features/messaging/messages/editing/actions.ts'
import { updateMessage } from '#features/messaging/messages/editing/queries.ts'
import { messageLookups } from '#features/messaging/messages/lookups.queries.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import { render } from '#platform/markdown/render.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import type { Tx } from '#platform/store/store.ts'

/** Renders a message again: its thumbnails are ready or have failed, or the cards of its links changed. */
export async function rerender(server: SystemContext, messageId: number): Promise<void> {
  const { store, realmUrl } = server
  const message = findMessage(store, messageId)
  const author = message && findUser(store, message.senderId)
  const rendered =
    author && render(message.content, messageLookups(store, author, realmUrl, messageId))
  await store.write((tx) => {
    if (rendered) replaceHtml(tx, messageId, message.content, rendered)
    else deletePlaceholderMessage(tx, messageId)
  })
}

/**
 * Replaces the HTML of a message, and emits `update_message` with `rendering_only`.
 *
 * @param content the rendered text; does nothing if the message was edited since
 * @source Zulip API, "Get events", type "update_message"
 */
function replaceHtml(tx: Tx, messageId: number, content: string, rendered: RenderedMarkdown): void {
  const before = findMessage(tx, messageId)
  if (before && before.content !== content) return
  deletePlaceholderMessage(tx, messageId)
  if (!before || before.renderedContent === rendered.html) return
  const { html, links } = rendered
  const message = updateMessage(tx, messageId, {
    renderedContent: html,
    hasLink: links.hasLink,
    hasImage: links.hasImage,
  })
  const { channel } = recipientOf(tx, message.recipientId)
  emitUpdate(tx, message, {
    user_id: null,
    rendering_only: true,
    edit_timestamp: seconds(tx.clock),
    message_ids: [messageId],
    content: message.content,
    rendered_content: html,
    is_me_message: message.isMe,
    ...(channel && { stream_id: channel.id, stream_name: channel.name }),
  })
}
