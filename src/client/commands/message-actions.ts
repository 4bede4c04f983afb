import type { App } from '#client/app.ts'
import { termsOf } from '#client/narrow/terms.ts'
import type { Message } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { attempt } from './attempt.ts'
import { copy } from './copy.ts'
import { absoluteLink } from './quoting.ts'

/** Opens the compose box for an answer. */
export function reply(app: App, message: Message): void {
  app.compose.open(message.conversation)
}

/** Opens the compose box for a direct message to the sender of a message. */
export function replyDirectly(app: App, message: Message): void {
  app.compose.open({ kind: 'direct', userIds: [message.senderId] })
}

export function replyMentioning(app: App, message: Message): void {
  app.compose.open(message.conversation)
  app.compose.insert(`@**${message.senderName}|${message.senderId}** `)
}

export async function toggleStar(app: App, message: Message): Promise<void> {
  const isStarred = message.flags.has('starred')
  await attempt(app, app.changes.setStarred([message.id], !isStarred))
}

export async function copyLink(app: App, message: Message): Promise<void> {
  await copy(app, absoluteLink(app, message), t('Link copied.'))
}

/** Marks a message and all later ones of its conversation as unread. */
export async function markUnreadFrom(app: App, message: Message): Promise<void> {
  const narrow = termsOf(message.conversation, app.store.selfId)
  app.pane.peek()?.hold()
  await attempt(app, app.marking.markUnreadFrom(narrow, message.id))
}
