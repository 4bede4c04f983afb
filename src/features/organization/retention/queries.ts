import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const anyChannel = preparedSql<{ found: number }>(
  'SELECT 1 AS found FROM channels WHERE retention_days > 0 LIMIT 1',
)

/** Whether any channel, or the organization, deletes old messages. */
export function isAnythingDeleted(read: Read): boolean {
  return realmSetting(read, 'message_retention_days') > 0 || anyChannel(read).get({}) !== undefined
}

/** A channel or a direct conversation, and how long its messages are kept. */
export interface RetentionScope {
  readonly recipientId: number
  /** The channel's own setting in days; null: the organization's applies; -1: forever. */
  readonly ownDays: number | null
}

const page = preparedSql<RetentionScope>(`
  SELECT r.id AS recipientId, c.retention_days AS ownDays
  FROM recipients r LEFT JOIN channels c ON c.id = r.channel_id
  WHERE r.id > @after ORDER BY r.id LIMIT @most
`)

/** The places with recipient ids above `after`, ascending; at most `most`. */
export function listRetentionScopes(read: Read, after: number, most: number): RetentionScope[] {
  return page(read).all({ after, most })
}

const ownDaysOf = preparedSql<{ ownDays: number | null }>(
  'SELECT retention_days AS ownDays FROM channels WHERE recipient_id = @recipientId',
)

/** How long the messages of a place are kept, in days; undefined: forever. */
export function retentionDays(read: Read, recipientId: number): number | undefined {
  return effectiveDays(read, ownDaysOf(read).get({ recipientId })?.ownDays ?? null)
}

/**
 * How long messages are kept, in days; undefined: forever.
 *
 * @param ownDays a channel's own setting; null for none, and for direct messages
 */
export function effectiveDays(read: Read, ownDays: number | null): number | undefined {
  const days = ownDays ?? realmSetting(read, 'message_retention_days')
  return days > 0 ? days : undefined
}

/** The columns of a message that its deletion needs. */
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

/** The oldest messages of a place, by id: ids and times ascend together. */
export function listOldest(read: Read, recipientId: number, most: number): OldMessage[] {
  return oldest(read).all({ recipientId, most })
}

const extent = preparedSql<{ ids: number | null }>('SELECT max(id) - min(id) AS ids FROM messages')

/** An estimate of the number of messages: the distance from the oldest id to the newest. */
export function estimateMessages(read: Read): number {
  return extent(read).get({})?.ids ?? 0
}

const merge = preparedSql(`INSERT INTO messages_fts (messages_fts, rank) VALUES ('merge', @pages)`)
const changes = preparedSql<{ count: number }>('SELECT total_changes() AS count')
/** The approximate number of pages that one step of a merge writes at most. */
const pagesPerStep = 16

/**
 * Removes deleted messages from the full-text index, one small step at a time.
 *
 * @param isFirst whether this is the first step
 * @returns whether more steps are needed
 * @source https://sqlite.org/fts5.html, "The 'merge' Command"
 */
export function mergeSearchIndex(tx: Tx, isFirst: boolean): boolean {
  const before = changes(tx).get({})?.count ?? 0
  merge(tx).run({ pages: isFirst ? -pagesPerStep : pagesPerStep })
  return (changes(tx).get({})?.count ?? 0) - before >= 2
}
