import { realmSetting } from '#realm/settings.ts'
import { preparedSql } from '#store/prepared.ts'
import type { Read, Tx } from '#store/write.ts'

const anyChannel = preparedSql<{ found: number }>(
  'SELECT 1 AS found FROM channels WHERE retention_days > 0 LIMIT 1',
)

/** Whether messages are deleted anywhere when they are too old. */
export function isAnythingDeleted(read: Read): boolean {
  return realmSetting(read, 'message_retention_days') > 0 || anyChannel(read).get({}) !== undefined
}

/** A channel or a direct conversation, and how long its messages are kept. */
export interface Place {
  readonly recipientId: number
  /** The channel's own setting; null: the organization's; -1: for ever. */
  readonly ownDays: number | null
}

const page = preparedSql<Place>(`
  SELECT r.id AS recipientId, c.retention_days AS ownDays
  FROM recipients r LEFT JOIN channels c ON c.id = r.channel_id
  WHERE r.id > @after ORDER BY r.id LIMIT @most
`)

/** Places from one id on, ascending. */
export function listPlaces(read: Read, after: number, most: number): Place[] {
  return page(read).all({ after, most })
}

const ownDaysOf = preparedSql<{ ownDays: number | null }>(
  'SELECT retention_days AS ownDays FROM channels WHERE recipient_id = @recipientId',
)

/** How long the messages of a place are kept by now, in days; undefined: for ever. */
export function retentionDays(read: Read, recipientId: number): number | undefined {
  return effectiveDays(read, ownDaysOf(read).get({ recipientId })?.ownDays ?? null)
}

/** @param ownDays a channel's own setting; null for none, and for direct messages */
export function effectiveDays(read: Read, ownDays: number | null): number | undefined {
  const days = ownDays ?? realmSetting(read, 'message_retention_days')
  return days > 0 ? days : undefined
}

/** A message as far as deleting it goes. */
export interface OldMessage {
  readonly id: number
  readonly recipientId: number
  readonly topic: string
  readonly topicKey: string
  readonly sentAt: number
}

const oldest = preparedSql<OldMessage>(`
  SELECT id, recipient_id AS recipientId, topic, topic_key AS topicKey, sent_at AS sentAt
  FROM messages WHERE recipient_id = @recipientId ORDER BY id LIMIT @most
`)

/** The oldest messages of a place, by id: later ids are of later times. */
export function listOldest(read: Read, recipientId: number, most: number): OldMessage[] {
  return oldest(read).all({ recipientId, most })
}

const extent = preparedSql<{ ids: number | null }>('SELECT max(id) - min(id) AS ids FROM messages')

/** About how many messages there are: how many ids from the oldest to the newest. */
export function estimateMessages(read: Read): number {
  return extent(read).get({})?.ids ?? 0
}

const merge = preparedSql(`INSERT INTO messages_fts (messages_fts, rank) VALUES ('merge', @pages)`)
const changes = preparedSql<{ count: number }>('SELECT total_changes() AS count')
/** What one step of a merge writes at most, about. */
const pagesPerStep = 16

/**
 * Takes deleted messages out of the full-text index, one small step of it.
 *
 * @param isFirst whether this is the first step
 * @returns whether there are more
 * @source https://sqlite.org/fts5.html, "The 'merge' Command"
 */
export function mergeSearchIndex(tx: Tx, isFirst: boolean): boolean {
  const before = changes(tx).get({})?.count ?? 0
  merge(tx).run({ pages: isFirst ? -pagesPerStep : pagesPerStep })
  return (changes(tx).get({})?.count ?? 0) - before >= 2
}
