import { preparedSql } from '#platform/store/prepared.ts'
import type { messageEdits } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** The state of a message before a change of its content, topic or channel. */
export type Edit = typeof messageEdits.$inferSelect

/** The edits that the organization shows: all of them, or only moves. */
export type ShownEdits = 'all' | 'moves'

const insertOne = preparedSql(`
  INSERT INTO message_edits (message_id, user_id, edited_at, prev_topic, topic, prev_channel_id,
    channel_id, prev_content, prev_rendered_content)
  VALUES (@messageId, @userId, @editedAt, @prevTopic, @topic, @prevChannelId,
    @channelId, @prevContent, @prevRenderedContent)
`)

type NewEdit = Pick<Edit, 'messageId' | 'userId' | 'editedAt'> & Partial<Edit>

const unchangedPlace = { prevTopic: null, topic: null, prevChannelId: null, channelId: null }
const unchanged = { ...unchangedPlace, prevContent: null, prevRenderedContent: null }

export function insertEdit(tx: Tx, edit: NewEdit): void {
  insertOne(tx).run({ ...unchanged, ...edit })
}

type MoveEdit = Omit<NewEdit, 'messageId' | 'id' | keyof EditContents>

const insertAll = preparedSql(`
  INSERT INTO message_edits (message_id, user_id, edited_at, prev_topic, topic, prev_channel_id,
    channel_id)
  SELECT value, @userId, @editedAt, @prevTopic, @topic, @prevChannelId, @channelId
  FROM json_each(@ids)
`)

/** Adds the same move of many messages. */
export function insertMoves(tx: Tx, messageIds: readonly number[], move: MoveEdit): void {
  insertAll(tx).run({ ...unchangedPlace, ...move, ids: JSON.stringify(messageIds) })
}

const place = `
  id, message_id AS messageId, user_id AS userId, edited_at AS editedAt,
  prev_topic AS prevTopic, topic, prev_channel_id AS prevChannelId, channel_id AS channelId`
const contents = 'prev_content AS prevContent, prev_rendered_content AS prevRenderedContent'

/** The condition of the index `message_edits_move`. */
const isMove = '(prev_topic IS NOT NULL OR prev_channel_id IS NOT NULL)'

export interface EditSize extends Omit<Edit, 'prevContent' | 'prevRenderedContent'> {
  /** The bytes of the content before the edit and of its HTML; null if it did not change. */
  readonly contentBytes: number | null
}

const contentSize =
  'octet_length(prev_content) + octet_length(prev_rendered_content) AS contentBytes'
const ofMessage = 'FROM message_edits WHERE message_id = @messageId'
const sizes = {
  all: preparedSql<EditSize>(`SELECT ${place}, ${contentSize} ${ofMessage} ORDER BY id DESC`),
  moves: preparedSql<EditSize>(
    `SELECT ${place}, NULL AS contentBytes ${ofMessage} AND ${isMove} ORDER BY id DESC`,
  ),
}

/**
 * A message's edits without their contents, newest first: SQLite knows the sizes of these without
 * reading them. Reads only as many edits as are used.
 */
export function editSizesOf(read: Read, messageId: number, shown: ShownEdits): Iterable<EditSize> {
  return sizes[shown](read).iterate({ messageId })
}

const oldestFirst = preparedSql<EditSize>(`
  SELECT ${place}, ${contentSize} FROM message_edits
  WHERE message_id = @messageId AND id > @after ORDER BY id LIMIT 100
`)

/** The first of a message's edits with ids above `after`, oldest first, without contents. */
export function listEditSizesAfter(read: Read, messageId: number, after: number): EditSize[] {
  return oldestFirst(read).all({ messageId, after })
}

export type EditContents = Pick<Edit, 'prevContent' | 'prevRenderedContent'>

const contentsById = preparedSql<EditContents>(
  `SELECT ${contents} FROM message_edits WHERE id = @id`,
)

/** The contents before an edit; undefined if there is no such edit. */
export function findEditContents(read: Read, id: number): EditContents | undefined {
  return contentsById(read).get({ id })
}

const edited = preparedSql<{ id: number }>(`
  SELECT value AS id FROM json_each(@ids)
  WHERE EXISTS (SELECT 1 FROM message_edits WHERE message_id = value)
`)

/** The ids of those messages that were ever edited or moved. */
export function listEdited(read: Read, messages: readonly { readonly id: number }[]): number[] {
  return edited(read)
    .all({ ids: JSON.stringify(messages.map(({ id }) => id)) })
    .map(({ id }) => id)
}

const oldestContents = preparedSql<EditContents>(`
  SELECT ${contents} FROM message_edits
  WHERE message_id = @messageId AND prev_content IS NOT NULL ORDER BY id LIMIT 1
`)

/** The original state of a message; undefined if its content never changed. */
export function findOldestContents(read: Read, messageId: number): EditContents | undefined {
  return oldestContents(read).get({ messageId })
}

const oldestTopic = preparedSql<{ prevTopic: string }>(`
  SELECT prev_topic AS prevTopic FROM message_edits
  WHERE message_id = @messageId AND ${isMove} AND prev_topic IS NOT NULL
  ORDER BY id LIMIT 1
`)

/** The topic that a message was sent to; undefined if it never changed. */
export function findOldestTopic(read: Read, messageId: number): string | undefined {
  return oldestTopic(read).get({ messageId })?.prevTopic
}
