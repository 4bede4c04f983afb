import { setUnclaimedSince } from '#features/files/attachments/claims.queries.ts'
import { findAttachment } from '#features/files/attachments/queries.ts'
import { awaitThumbnails } from '#features/files/thumbnails/actions.ts'
import { isSubscribed } from '#features/foundation/channels/queries.ts'
import { clientColumns } from '#features/foundation/core/clients.queries.ts'
import { noteDisorder } from '#features/foundation/core/order.queries.ts'
import { storedHtml } from '#features/foundation/core/rows.queries.ts'
import { listAllMembers } from '#features/foundation/groups/queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { isDirectMember } from '#features/foundation/recipients/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { withTaskKey } from '#features/messaging/messages/submessages/task-keys.queries.ts'
import { insertOldLink } from '#features/messaging/old-links/queries.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import {
  attachmentClaims,
  flagBits,
  messageEdits,
  messages,
  reactions,
  submessages,
} from '#platform/store/schema.ts'
import { isToggled } from '#shared/resolved-topics.ts'
import { text } from '#translations/translate.ts'
import { bulkInsert, putFlags } from './bulk.queries.ts'
import { emojiOf } from './emoji.actions.ts'
import { writeReminder } from './further.actions.ts'
import type { EditRecord, MarkRecord, MessageRecord, WrittenFile } from './records.ts'
import { referents, renderFor } from './rendering.actions.ts'
import {
  countMessages,
  findThing,
  idOfMessage,
  listMarks,
  listNumbered,
  mayClaim,
  numberMessages,
} from './spool.queries.ts'
import { type Parts, resolveContent } from './texts.ts'
import type { Pause, Work } from './work.actions.ts'

const insertMessage = bulkInsert(messages)
const insertReaction = bulkInsert(reactions)
const insertEdit = bulkInsert(messageEdits)
const insertClaim = bulkInsert(attachmentClaims)
const insertSubmessage = bulkInsert(submessages)

const atOnce = 500

/** Writes all messages in the order of their IDs, with the data beside them. */
export async function writeMessages(work: Work, pause: Pause): Promise<void> {
  const { tx } = work
  if (!work.keepsIds) numberMessages(tx)
  const total = countMessages(tx)
  let done = 0
  let last = 0
  let newestTime = 0
  let disorder = 0
  for (;;) {
    const page = listNumbered(tx, last, atOnce)
    if (page.length === 0) {
      noteDisorder(tx, disorder)
      return
    }
    for (const { id, record } of page) {
      last = id
      done++
      const message = JSON.parse(record) as MessageRecord
      writeMessage(work, id, message)
      if (message.time < newestTime) work.notes.changed('messages', 'older-order', String(id))
      newestTime = Math.max(newestTime, message.time)
      disorder = Math.max(disorder, Math.ceil(newestTime - message.time))
      await pause(
        text('Writing messages'),
        () => done,
        () => total,
        'messages',
      )
    }
    if (done % (atOnce * 20) === 0) work.commit()
  }
}

function writeMessage(work: Work, id: number, record: MessageRecord): void {
  const { notes, source, tx } = work
  const { channel, recipient, sender, time, topic } = record
  const shown = filesIn(work, record.parts)
  const mayShow = (file: number) => shown.has(file) || mayClaim(tx, file, record.key)
  const content = resolveContent(record.parts, referents(work)).trimEnd() || '(deleted message)'
  const rendered = renderFor(work, sender, content, { formerNames: record.formerNames, mayShow })
  const files = new Set(
    rendered.links.uploads.flatMap((path) => {
      const file = findAttachment(tx, path)
      return file && mayShow(file.id) ? [file.id] : []
    }),
  )
  for (const attachmentId of files) {
    insertClaim(tx, { attachmentId, messageId: id })
    setUnclaimedSince(tx, attachmentId, null)
  }
  const edits = (record.edits ?? []).map((edit) => writeEdit(work, id, sender, edit))
  const isWildcard = record.mentionsChannel ?? rendered.mentions.channelWildcard
  insertMessage(tx, {
    id,
    recipientId: recipient,
    senderId: sender,
    topic,
    topicKey: topicKey(topic),
    content,
    renderedContent: storedHtml(content, rendered.html),
    sentAt: time,
    ...clientColumns(tx, (record.client ?? source.title).slice(0, 30) || source.title),
    hasLink: rendered.links.hasLink,
    hasImage: rendered.links.hasImage,
    hasAttachment: files.size > 0,
    isMe: rendered.isMe,
    channelWildcard: channel !== undefined && isWildcard,
    lastEditAt: newest(edits, ({ parts }) => parts !== undefined) ?? record.edited ?? null,
    lastMovedAt: newest(edits, isMove) ?? null,
  })
  notes.imported('messages')
  if (record.link !== undefined) insertOldLink(tx, record.link, id)
  awaitThumbnails(tx, id, rendered.html)
  for (const { emoji, person } of record.reactions ?? []) writeReaction(work, id, person, emoji)
  for (const person of record.starredBy ?? []) writeFlags(work, id, person, flagBits.starred)
  if (!source.statesMentions) flagMentions(work, id, record, rendered)
}

/** The files that the source says a text shows. */
function filesIn({ tx }: Work, parts: Parts): ReadonlySet<number> {
  const found = new Set<number>()
  for (const part of parts) {
    if (typeof part === 'string' || !('file' in part)) continue
    const file = findThing<WrittenFile>(tx, 'file', part.file)
    if (file?.path !== undefined) found.add(file.id)
  }
  return found
}

function writeEdit(work: Work, messageId: number, author: number, edit: EditRecord): EditRecord {
  const { by, channel, parts, time, topic } = edit
  const prevContent = parts && resolveContent(parts, referents(work))
  insertEdit(work.tx, {
    messageId,
    userId: by ?? null,
    editedAt: time,
    prevTopic: topic?.from ?? null,
    topic: topic?.to ?? null,
    prevChannelId: channel?.from ?? null,
    channelId: channel?.to ?? null,
    prevContent: prevContent ?? null,
    prevRenderedContent:
      prevContent === undefined ? null : renderFor(work, author, prevContent).html,
  })
  work.notes.imported('edits')
  return edit
}

function newest(
  edits: readonly EditRecord[],
  is: (edit: EditRecord) => boolean,
): number | undefined {
  const times = edits.filter(is).map(({ time }) => time)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Whether a change moved a message, and did not only mark its topic as resolved or not. */
function isMove({ channel, topic }: EditRecord): boolean {
  if (channel) return true
  return topic !== undefined && !isToggled(topic.from, topic.to, limits.topicLength)
}

function writeReaction(
  work: Work,
  messageId: number,
  userId: number,
  asked: Parameters<typeof emojiOf>[1],
): void {
  const { notes, tx } = work
  const emoji = emojiOf(work, asked)
  if (!emoji) notes.skipped('reactions', 'bad-emoji', nameOf(asked))
  else if (insertReaction(tx, { messageId, userId, ...emoji })) notes.imported('reactions')
  else notes.skipped('reactions', 'duplicate')
}

function nameOf(emoji: Parameters<typeof emojiOf>[1]): string {
  return 'custom' in emoji ? emoji.custom : (emoji.name ?? ('code' in emoji ? emoji.code : ''))
}

function writeFlags({ notes, tx }: Work, messageId: number, userId: number, flags: number): void {
  putFlags(tx, userId, messageId, flags)
  notes.imported('flags')
}

/** Flags a message for the people whom it mentions, if they have it. */
function flagMentions(
  work: Work,
  id: number,
  record: MessageRecord,
  { mentions }: RenderedMarkdown,
): void {
  const { tx } = work
  const { channel, recipient } = record
  const groups = listAllMembers(tx, ...mentions.groupIds)
  for (const userId of new Set([...mentions.userIds, ...groups])) {
    const has =
      channel === undefined
        ? isDirectMember(tx, recipient, userId)
        : isSubscribed(tx, userId, channel)
    if (has) writeFlags(work, id, userId, flagBits.mentioned)
  }
}

/** Writes data of messages that came separately. */
export async function writeMarks(work: Work, pause: Pause): Promise<void> {
  const { notes, tx } = work
  let last = 0
  for (;;) {
    const page = listMarks(tx, last, atOnce)
    if (page.length === 0) return
    for (const { message, n, record } of page) {
      last = n
      const mark = JSON.parse(record) as MarkRecord
      const id = idOfMessage(tx, message, work.keepsIds === true)
      if (id === undefined) notes.skipped(tableOf(mark), 'absent', `message ${message}`)
      else writeMark(work, id, mark)
      await pause(
        text('Writing reactions and flags'),
        () => last,
        () => 0,
      )
    }
  }
}

const tableOf = ({ kind }: MarkRecord) =>
  (
    ({
      reaction: 'reactions',
      flags: 'flags',
      submessage: 'widgets',
      reminder: 'reminders',
    }) as const
  )[kind]

function writeMark(work: Work, id: number, mark: MarkRecord): void {
  const { notes, tx } = work
  if (mark.kind === 'reaction') writeReaction(work, id, mark.person, mark.emoji)
  else if (mark.kind === 'flags') writeFlags(work, id, mark.person, mark.flags)
  else if (mark.kind === 'reminder') writeReminder(work, id, mark)
  else {
    insertSubmessage(tx, {
      messageId: id,
      senderId: mark.person,
      msgType: 'widget',
      content: withTaskKey(tx, id, mark.content),
    })
    notes.imported('widgets')
  }
}
