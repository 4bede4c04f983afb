import { listMessages, type Message } from '#features/foundation/core/queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { messageEdits } from '#platform/store/schema.ts'
import { messageTypes, noTopic, recipientTypes, withoutNul } from './format.ts'
import { type Plan, targetOf } from './plan.queries.ts'
import type { Row } from './tables.queries.ts'

/** How many messages a file has at most: Zulip reads each file whole. */
export const messagesInFile = 1000

const nextIds = preparedSql<{ id: number }>(
  'SELECT id FROM messages WHERE id > @after ORDER BY id LIMIT @most',
)

/** The messages after one that are in the export, and the last ID that was looked at. */
export function nextMessages(
  { read, selection }: Plan,
  after: number,
  most: number,
): { readonly messages: readonly Message[]; readonly last: number | undefined } {
  const ids = nextIds(read)
    .all({ after, most })
    .map(({ id }) => id)
  const messages = listMessages(read, ids).filter((message) => selection.hasMessage(message))
  return { messages, last: ids.at(-1) }
}

type Edit = typeof messageEdits.$inferSelect

const editsOf = preparedSql<Edit>(`
  SELECT id, message_id AS messageId, user_id AS userId, edited_at AS editedAt,
    prev_topic AS prevTopic, topic, prev_channel_id AS prevChannelId, channel_id AS channelId,
    prev_content AS prevContent, prev_rendered_content AS prevRenderedContent
  FROM message_edits WHERE message_id IN (SELECT value FROM json_each(@ids)) ORDER BY id DESC`)

/** Rows of `zerver_message`; messages whose place is not in the export are left out. */
export function* messageRows(plan: Plan, messages: readonly Message[]): Generator<Row> {
  // Not by the times in the messages: the resolving of a topic is a change that sets neither.
  const ids = JSON.stringify(messages.map(({ id }) => id))
  const edits = new Map<number, Edit[]>()
  for (const edit of editsOf(plan.read).all({ ids })) {
    const ofMessage = edits.get(edit.messageId)
    if (ofMessage) ofMessage.push(edit)
    else edits.set(edit.messageId, [edit])
  }
  for (const message of messages) {
    const target = targetOf(plan, message)
    if (!target) continue
    const isInChannel = target.type === recipientTypes.channel
    yield {
      id: message.id,
      realm: 1,
      sender: plan.shown(message.senderId),
      recipient: target.id,
      type: isResolveNotice(plan, message) ? messageTypes.resolveNotice : messageTypes.normal,
      subject: isInChannel ? withoutNul(message.topic) : noTopic,
      content: portable(plan, message),
      rendered_content: rendered(plan, message),
      rendered_content_version: 1,
      date_sent: message.sentAt,
      sending_client: plan.client(message.client),
      last_edit_time: message.lastEditAt,
      edit_history: history(plan, edits.get(message.id)),
      has_attachment: message.hasAttachment,
      has_image: message.hasImage,
      has_link: message.hasLink,
      is_channel_message: isInChannel,
    }
  }
}

const resolveNotice = /has marked this topic as (?:un)?resolved\.$/

function isResolveNotice({ bots }: Plan, { content, senderId }: Message): boolean {
  return senderId === bots.get('notification-bot')?.id && resolveNotice.test(content)
}

/** Mentions by name and ID, which Zulip does not renumber. */
const mention = /@(_?)\*\*([^*|\n]{1,100})\|(\d+)\*\*/g
const nearLink = /#narrow\/(?:(?!#narrow\/)\S)*\/(?:near|with)\/\d/

/** The text without what only holds on this server. */
function portable(plan: Plan, { content, id, renderedContent }: Message): string {
  const { notes, uniqueNames } = plan
  if (nearLink.test(content)) notes.lost('nearLink', `message ${id}`)
  return withoutNul(content).replace(mention, (whole, silent, name, userId) => {
    if (!renderedContent.includes(`data-user-id="${userId}"`)) return whole
    if (uniqueNames.get(name) === Number(userId)) return `@${silent}**${name}**`
    notes.lost('mention', `message ${id}`)
    return whole
  })
}

/** Pictures whose addresses only this server understands. */
const ownPictures = /\/(?:external_content|user_uploads\/thumbnail)\//

/** Such pictures in HTML, with the frames of previews. */
const shownPictures =
  /<div class="message_inline_image[^"<>]*">(?:(?!<\/?div).)*<\/div>|<img\b(?=[^<>]*\/(?:external_content|user_uploads\/thumbnail)\/)[^<>]*>/gs

/**
 * The HTML; null: Zulip renders it, which takes longer. Mentions in it have the IDs of people, which
 * Zulip replaces.
 */
function rendered(plan: Plan, { renderedContent, senderId }: Message): string | null {
  const html = withoutNul(renderedContent)
  if (!ownPictures.test(html)) return html
  // During an import, Zulip does not know its own bots as senders, so it cannot render their messages.
  if (plan.users.get(senderId)?.isSystemBot) return html.replace(shownPictures, '')
  plan.notes.count('rendered', 1)
  return null
}

/** The changes of a message as JSON text, newest first; null: none. */
function history(plan: Plan, edits: readonly Edit[] | undefined): string | null {
  if (!edits) return null
  const bot = plan.bots.get('notification-bot')?.id ?? 0
  return JSON.stringify(
    edits.map((edit) => ({
      // Zulip refuses a change of nobody.
      user_id: edit.userId === null ? bot : plan.shown(edit.userId),
      timestamp: edit.editedAt,
      ...(edit.prevContent !== null && {
        prev_content: withoutNul(edit.prevContent),
        prev_rendered_content: withoutNul(edit.prevRenderedContent ?? ''),
        prev_rendered_content_version: 1,
      }),
      ...(edit.prevTopic !== null && {
        prev_topic: withoutNul(edit.prevTopic),
        topic: withoutNul(edit.topic ?? ''),
      }),
      ...(edit.prevChannelId !== null && {
        prev_stream: edit.prevChannelId,
        stream: edit.channelId,
      }),
    })),
  )
}
