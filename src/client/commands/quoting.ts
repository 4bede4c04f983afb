import type { App } from '#client/app.ts'
import type { Message, User } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { longerMarks } from '#shared/code-marks.ts'

/** The Markdown source of a message, as the server has it. */
export async function sourceOf(app: App, messageId: number): Promise<string> {
  const reply = await app.api.get<{ message: { content: string } }>(`/messages/${messageId}`, {
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return reply.message.content
}

/** The name of a user in a mention, with the ID if another user has the same name. */
export function mentionName(users: Iterable<User>, user: Pick<User, 'id' | 'name'>): string {
  for (const other of users) {
    if (other.id !== user.id && other.name === user.name) return `${user.name}|${user.id}`
  }
  return user.name
}

/** Markdown that quotes a message, with its sender and a link to it. */
export function quoteOf(app: App, message: Message, source: string): string {
  const name = `@_**${message.senderName}|${message.senderId}**`
  const link = `[${t('said')}](${absoluteLink(app, message)})`
  const marks = longerMarks(source, 3)
  return `${name} ${link}:\n${marks}quote\n${source}\n${marks}`
}

/** The address of a message, for anywhere. */
export function absoluteLink(app: App, message: Message): string {
  const narrow = message.conversation
  const hash = app.router.href({ kind: 'messages', narrow, near: message.id })
  return `${location.origin}/${hash}`
}
