import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import { readPlace } from '#client/commands/mark-read.ts'
import { readsToEnd } from '#client/lists/near-reading.ts'
import { containsConversation } from '#client/narrow/matches.ts'

/** Goes to the newest message, and reads all of the conversation or channel by the user's policy. */
export async function readToEnd(app: App): Promise<void> {
  const pane = app.pane.peek()
  if (!pane) return
  pane.jump('newest')
  const { narrow } = pane.list
  const { settings, unreads } = app.store
  if (!readsToEnd(narrow, settings.peek().web_mark_read_on_scroll_policy)) return
  const isUnread = unreads.conversations
    .peek()
    .some(({ conversation }) => containsConversation(narrow, conversation))
  if (isUnread) await attempt(app, readPlace(app, narrow))
}
