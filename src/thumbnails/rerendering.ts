import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { render } from '#markdown/render.ts'
import type { Rendered } from '#markdown/types.ts'
import { emitUpdate } from '#messages/editing/actions.ts'
import { updateMessage } from '#messages/editing/queries.ts'
import { authorLookups } from '#messages/lookups.ts'
import { placeOf } from '#messages/place.ts'
import { findMessage } from '#messages/queries.ts'
import type { Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { deletePlaceholderMessage } from './queries.ts'

/** Renders a message again whose thumbnails are there, or cannot be made, and shows it so. */
export async function rerender(server: Context, messageId: number): Promise<void> {
  const { store, realmUrl } = server
  const message = findMessage(store, messageId)
  const author = message && findUser(store, message.senderId)
  const rendered = author && render(message.content, authorLookups(store, author, realmUrl))
  await store.write((tx) => {
    if (rendered) showAgain(tx, messageId, message.content, rendered)
    else deletePlaceholderMessage(tx, messageId)
  })
}

/**
 * Replaces the HTML of a message, and emits `update_message` with `rendering_only`.
 *
 * @param content what was rendered; if the text is another one by now, nothing happens yet
 * @source the API description's `update_message`; clients.md §3.3
 */
function showAgain(tx: Tx, messageId: number, content: string, rendered: Rendered): void {
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
  const { channel } = placeOf(tx, message.recipientId)
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
