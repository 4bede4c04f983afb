import type { Db } from '#platform/store/open.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/**
 * Data that has to be sorted, or looked up by the keys of the source, is in a scratch database, so
 * that memory does not grow with the export.
 */

const tables = `
  CREATE TABLE spool.messages (seq INTEGER PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE spool.times (seq INTEGER PRIMARY KEY, time REAL NOT NULL);
  CREATE TABLE spool.keys (key TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE spool.numbers (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
  CREATE TABLE spool.things (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (kind, key)) WITHOUT ROWID;
  CREATE TABLE spool.topics (channel INTEGER NOT NULL, topic_key TEXT NOT NULL,
    PRIMARY KEY (channel, topic_key)) WITHOUT ROWID;
  CREATE TABLE spool.marks (n INTEGER PRIMARY KEY, message TEXT NOT NULL, record TEXT NOT NULL);
  CREATE TABLE spool.unread (message TEXT NOT NULL, user_id INTEGER NOT NULL);
  CREATE TABLE spool.unread_ids (user_id INTEGER NOT NULL, recipient_id INTEGER NOT NULL,
    id INTEGER NOT NULL, PRIMARY KEY (user_id, recipient_id, id)) WITHOUT ROWID;
  CREATE TABLE spool.claims (attachment_id INTEGER NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (attachment_id, message)) WITHOUT ROWID;
  CREATE TABLE spool.spans (user_id INTEGER NOT NULL, channel_id INTEGER NOT NULL,
    from_moment TEXT, until_moment TEXT);
  CREATE INDEX spool.spans_pair ON spans (user_id, channel_id);
  CREATE TABLE spool.read_up_to (user_id INTEGER NOT NULL, channel_id INTEGER NOT NULL,
    moment TEXT NOT NULL, PRIMARY KEY (user_id, channel_id)) WITHOUT ROWID;`

export function createSpool(db: Db): void {
  db.$client.exec(tables)
}

const insertRecord = preparedSql('INSERT INTO spool.messages (seq, record) VALUES (@seq, @record)')
const insertTime = preparedSql('INSERT INTO spool.times (seq, time) VALUES (@seq, @time)')
const insertNumber = preparedSql(
  'INSERT INTO spool.numbers (id, seq) VALUES (@id, @seq) ON CONFLICT DO NOTHING',
)
const insertKey = preparedSql(
  'INSERT INTO spool.keys (key, seq) VALUES (@key, @seq) ON CONFLICT DO NOTHING',
)

/** A pending message: its data before all messages have come. */
export interface SpooledMessage {
  readonly seq: number
  readonly key: string
  /** The ID to keep. */
  readonly id: number | undefined
  readonly time: number
  /** JSON text. */
  readonly record: string
}

/** Stores a message; returns false if there is one with its key or ID already. */
export function spoolMessage(tx: Tx, { id, key, record, seq, time }: SpooledMessage): boolean {
  if (id !== undefined) {
    if (insertNumber(tx).run({ id, seq }).changes === 0) return false
  } else if (key !== '' && insertKey(tx).run({ key, seq }).changes === 0) return false
  if (id === undefined) insertTime(tx).run({ seq, time })
  insertRecord(tx).run({ seq, record })
  return true
}

/** Numbers the messages without kept IDs by their time, and those of one time as they came. */
export function numberMessages({ db }: Tx): void {
  db.$client.exec(`
    INSERT INTO spool.numbers (seq) SELECT seq FROM spool.times ORDER BY time, seq;
    CREATE UNIQUE INDEX spool.numbers_seq ON numbers (seq);`)
}

export interface NumberedMessage {
  readonly id: number
  readonly record: string
}

const someNumbered = preparedSql<NumberedMessage>(`
  SELECT n.id, m.record FROM spool.numbers n JOIN spool.messages m ON m.seq = n.seq
  WHERE n.id > @after ORDER BY n.id LIMIT @most`)

/** The next messages by their IDs. */
export function listNumbered(read: Read, after: number, most: number): NumberedMessage[] {
  return someNumbered(read).all({ after, most })
}

const countNumbered = preparedSql<{ count: number }>('SELECT count(*) AS count FROM spool.numbers')

export function countMessages(read: Read): number {
  return countNumbered(read).get({})?.count ?? 0
}

const idByKey = preparedSql<{ id: number }>(`
  SELECT n.id FROM spool.keys k JOIN spool.numbers n ON n.seq = k.seq WHERE k.key = @key`)
const idKept = preparedSql<{ id: number }>('SELECT id FROM spool.numbers WHERE id = @id')

/**
 * The new ID of a message.
 *
 * @param isKept whether keys are kept IDs
 */
export function idOfMessage(read: Read, key: string, isKept: boolean): number | undefined {
  if (!isKept) return idByKey(read).get({ key })?.id
  return /^\d{1,15}$/.test(key) ? idKept(read).get({ id: Number(key) })?.id : undefined
}

const recordById = preparedSql<{ record: string }>(`
  SELECT m.record FROM spool.numbers n JOIN spool.messages m ON m.seq = n.seq WHERE n.id = @id`)

/** A pending message, by its new ID. */
export function findRecord(read: Read, id: number): string | undefined {
  return recordById(read).get({ id })?.record
}

const putThing = preparedSql(`
  INSERT INTO spool.things (kind, key, value) VALUES (@kind, @key, @value) ON CONFLICT DO NOTHING`)
const getThing = preparedSql<{ value: string }>(
  'SELECT value FROM spool.things WHERE kind = @kind AND key = @key',
)

type Kind = 'conversation' | 'thread' | 'file'

/** Stores the new ID of a thing of the source; returns false if it was stored already. */
export function noteThing(tx: Tx, kind: Kind, key: string, value: object): boolean {
  return putThing(tx).run({ kind, key, value: JSON.stringify(value) }).changes > 0
}

export function findThing<T>(read: Read, kind: Kind, key: string): T | undefined {
  const row = getThing(read).get({ kind, key })
  return row && (JSON.parse(row.value) as T)
}

const putTopic = preparedSql(`
  INSERT INTO spool.topics (channel, topic_key) VALUES (@channel, @key) ON CONFLICT DO NOTHING`)

/** Takes a topic of a channel; returns false if a thread has it already. */
export function takeTopic(tx: Tx, channel: number, key: string): boolean {
  return putTopic(tx).run({ channel, key }).changes > 0
}

const putMark = preparedSql('INSERT INTO spool.marks (message, record) VALUES (@message, @record)')

/** Stores data of a message that came separately. */
export function spoolMark(tx: Tx, message: string, mark: object): void {
  putMark(tx).run({ message, record: JSON.stringify(mark) })
}

const someMarks = preparedSql<{ n: number; message: string; record: string }>(`
  SELECT n, message, record FROM spool.marks WHERE n > @after ORDER BY n LIMIT @most`)

export function listMarks(read: Read, after: number, most: number) {
  return someMarks(read).all({ after, most })
}

const putUnread = preparedSql(
  'INSERT INTO spool.unread (message, user_id) VALUES (@message, @userId)',
)

export function spoolUnread(tx: Tx, message: string, userId: number): void {
  putUnread(tx).run({ message, userId })
}

/**
 * Sorts unread messages by people and conversations.
 *
 * @returns how many there are
 */
export function sortUnread({ db }: Tx, isKept: boolean): number {
  const ids = isKept
    ? 'JOIN main.messages m ON m.id = CAST(u.message AS INTEGER)'
    : `JOIN spool.keys k ON k.key = u.message JOIN spool.numbers n ON n.seq = k.seq
       JOIN main.messages m ON m.id = n.id`
  const sort = `INSERT INTO spool.unread_ids (user_id, recipient_id, id)
    SELECT DISTINCT u.user_id, m.recipient_id, m.id FROM spool.unread u ${ids} ORDER BY 1, 2, 3`
  return db.$client.prepare(sort).run().changes
}

const unreadOf = prepared((db) =>
  db.$client
    .prepare<[number, number], number>(
      'SELECT id FROM spool.unread_ids WHERE user_id = ? AND recipient_id = ? ORDER BY id',
    )
    .pluck(),
)

export function listUnread(read: Read, userId: number, recipientId: number): number[] {
  return unreadOf(read).all(userId, recipientId)
}

const putClaim = preparedSql(`
  INSERT INTO spool.claims (attachment_id, message) VALUES (@attachmentId, @message)
  ON CONFLICT DO NOTHING`)
const getClaim = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM spool.claims
  WHERE attachment_id = @attachmentId AND message = @message`)

/** Notes that a message may show a file. */
export function allowClaim(tx: Tx, attachmentId: number, message: string): void {
  putClaim(tx).run({ attachmentId, message })
}

export function mayClaim(read: Read, attachmentId: number, message: string): boolean {
  return getClaim(read).get({ attachmentId, message }) !== undefined
}

const putSpan = preparedSql(`
  INSERT INTO spool.spans (user_id, channel_id, from_moment, until_moment)
  VALUES (@userId, @channelId, @from, @until)`)

export function spoolSpan(
  tx: Tx,
  userId: number,
  channelId: number,
  from: object | undefined,
  until: object | undefined,
): void {
  const text = (moment: object | undefined) => (moment ? JSON.stringify(moment) : null)
  putSpan(tx).run({ userId, channelId, from: text(from), until: text(until) })
}

const putReadUpTo = preparedSql(`
  INSERT INTO spool.read_up_to (user_id, channel_id, moment) VALUES (@userId, @channelId, @moment)
  ON CONFLICT DO NOTHING`)

export function spoolReadUpTo(tx: Tx, userId: number, channelId: number, moment: object): void {
  putReadUpTo(tx).run({ userId, channelId, moment: JSON.stringify(moment) })
}

export interface SpooledSpan {
  readonly n: number
  readonly userId: number
  readonly channelId: number
  readonly from: string | null
  readonly until: string | null
}

const someSpans = preparedSql<SpooledSpan>(`
  SELECT rowid AS n, user_id AS userId, channel_id AS channelId, from_moment AS "from",
    until_moment AS "until"
  FROM spool.spans WHERE rowid > @after ORDER BY rowid LIMIT @most`)

export function listSpans(read: Read, after: number, most: number): SpooledSpan[] {
  return someSpans(read).all({ after, most })
}

const readUpToOf = preparedSql<{ moment: string }>(`
  SELECT moment FROM spool.read_up_to WHERE user_id = @userId AND channel_id = @channelId`)

export function findReadUpTo(read: Read, userId: number, channelId: number): string | undefined {
  return readUpToOf(read).get({ userId, channelId })?.moment
}

/**
 * Gives people without a period of subscription one from the first message on, until now if they
 * have left.
 */
export function fillSpans({ db }: Tx, newest: number): void {
  db.$client
    .prepare(
      `INSERT INTO main.subscription_spans (user_id, channel_id, from_message, until_message)
       SELECT b.user_id, b.channel_id, 0, CASE WHEN b.is_active THEN NULL ELSE ? END
       FROM main.subscriptions b WHERE NOT EXISTS (SELECT 1 FROM main.subscription_spans s
         WHERE s.user_id = b.user_id AND s.channel_id = b.channel_id)`,
    )
    .run(newest + 1)
}
