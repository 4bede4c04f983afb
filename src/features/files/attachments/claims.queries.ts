import { sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { type attachmentClaims, attachments } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { Attachment } from './queries.ts'

/** A message that links to a file. */
export interface ClaimingMessage {
  readonly id: number
  /** Seconds since the epoch. */
  readonly sentAt: number
}

const ofFile = preparedSql<ClaimingMessage>(`
  SELECT m.id, m.sent_at AS sentAt FROM attachment_claims c JOIN messages m ON m.id = c.message_id
  WHERE c.attachment_id = @id ORDER BY m.id
`)

/** The messages that link to a file, by ID. */
export function listClaimingMessages(read: Read, attachmentId: number): ClaimingMessage[] {
  return ofFile(read).all({ id: attachmentId })
}

const places = preparedSql<{ recipientId: number }>(`
  SELECT DISTINCT m.recipient_id AS recipientId
  FROM attachment_claims c JOIN messages m ON m.id = c.message_id WHERE c.attachment_id = @id
`)

/** The channels and direct message conversations with messages that link to a file. */
export function listClaimingRecipients(read: Read, attachmentId: number): number[] {
  return places(read)
    .all({ id: attachmentId })
    .map(({ recipientId }) => recipientId)
}

const ofPlace = preparedSql<{ id: number }>(`
  SELECT m.id FROM attachment_claims c JOIN messages m ON m.id = c.message_id
  WHERE c.attachment_id = @id AND m.recipient_id = @recipientId
`)

export function listClaimingIn(read: Read, attachmentId: number, recipientId: number): number[] {
  return ofPlace(read)
    .all({ id: attachmentId, recipientId })
    .map(({ id }) => id)
}

const ofMessages = prepared((db) =>
  db
    .select()
    .from(attachments)
    .where(
      sql`${attachments.id} IN (
        SELECT attachment_id FROM attachment_claims
        WHERE message_id IN (SELECT value FROM json_each(${sql.placeholder('ids')}))
      )`,
    )
    .orderBy(attachments.id)
    .prepare(),
)

/** The files that any of these messages link to. */
export function listClaimedBy(read: Read, messageIds: readonly number[]): Attachment[] {
  return ofMessages(read).all({ ids: JSON.stringify(messageIds) })
}

const linked = preparedSql<{ found: 0 | 1 }>(`
  SELECT EXISTS (SELECT 1 FROM attachment_claims WHERE attachment_id = @id)
    OR EXISTS (SELECT 1 FROM attachment_schedules WHERE attachment_id = @id) AS found
`)

/** Whether any sent or scheduled message links to a file. */
export function isClaimed(read: Read, attachmentId: number): boolean {
  return linked(read).get({ id: attachmentId })?.found === 1
}

const insertOne = preparedSql(`
  INSERT INTO attachment_claims (attachment_id, message_id) VALUES (@attachmentId, @messageId)
  ON CONFLICT DO NOTHING
`)

export function insertClaim(tx: Tx, claim: typeof attachmentClaims.$inferInsert): void {
  insertOne(tx).run(claim)
}

const deleteOne = preparedSql(
  'DELETE FROM attachment_claims WHERE attachment_id = @attachmentId AND message_id = @messageId',
)

export function deleteClaim(tx: Tx, claim: typeof attachmentClaims.$inferInsert): void {
  deleteOne(tx).run(claim)
}

const deleteSome = preparedSql(
  'DELETE FROM attachment_claims WHERE message_id IN (SELECT value FROM json_each(@ids))',
)

export function deleteClaimsOf(tx: Tx, messageIds: readonly number[]): void {
  deleteSome(tx).run({ ids: JSON.stringify(messageIds) })
}

const schedule = preparedSql(`
  INSERT INTO attachment_schedules (attachment_id, scheduled_message_id)
  VALUES (@attachmentId, @scheduledMessageId) ON CONFLICT DO NOTHING
`)

export function insertSchedule(tx: Tx, attachmentId: number, scheduledMessageId: number): void {
  schedule(tx).run({ attachmentId, scheduledMessageId })
}

const scheduled = prepared((db) =>
  db
    .select()
    .from(attachments)
    .where(
      sql`${attachments.id} IN (
        SELECT attachment_id FROM attachment_schedules
        WHERE scheduled_message_id = ${sql.placeholder('id')}
      )`,
    )
    .prepare(),
)

/** The files that a scheduled message links to. */
export function listScheduledBy(read: Read, scheduledMessageId: number): Attachment[] {
  return scheduled(read).all({ id: scheduledMessageId })
}

const unschedule = preparedSql('DELETE FROM attachment_schedules WHERE scheduled_message_id = @id')

export function deleteSchedulesOf(tx: Tx, scheduledMessageId: number): void {
  unschedule(tx).run({ id: scheduledMessageId })
}

const since = preparedSql('UPDATE attachments SET unclaimed_since = @since WHERE id = @id')

/** @param unclaimedSince seconds since the epoch; null while a message links to the file */
export function setUnclaimedSince(
  tx: Tx,
  attachmentId: number,
  unclaimedSince: number | null,
): void {
  since(tx).run({ id: attachmentId, since: unclaimedSince })
}
