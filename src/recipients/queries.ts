import { asc, eq, sql } from 'drizzle-orm'
import { preparedInsert } from '#store/insert.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import { directMembers, recipients } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

type Recipient = typeof recipients.$inferSelect

const insertOne = preparedInsert(recipients)

const byDirectKey = prepared((db) =>
  db
    .select()
    .from(recipients)
    .where(eq(recipients.directKey, sql.placeholder('key')))
    .prepare(),
)

/** The conversation of exactly these people, in any order, if they ever had one. */
export function findDirectRecipient(read: Read, userIds: readonly number[]): Recipient | undefined {
  return byDirectKey(read).get({ key: directKey(sorted(userIds)) })
}

/** The conversation of exactly these people, in any order; begins it where there is none. */
export function directRecipient(tx: Tx, userIds: readonly number[]): Recipient {
  const members = sorted(userIds)
  const key = directKey(members)
  const known = byDirectKey(tx).get({ key })
  if (known) return known
  const recipient = insertOne(tx, { directKey: key })
  for (const userId of members) {
    tx.db.insert(directMembers).values({ userId, recipientId: recipient.id }).run()
  }
  return recipient
}

function sorted(userIds: readonly number[]): number[] {
  return [...new Set(userIds)].sort((a, b) => a - b)
}

function directKey(members: readonly number[]): string {
  return members.join(',')
}

const members = prepared((db) =>
  db
    .select({ userId: directMembers.userId })
    .from(directMembers)
    .where(eq(directMembers.recipientId, sql.placeholder('recipientId')))
    .orderBy(asc(directMembers.userId))
    .prepare(),
)

/** Who takes part in a direct conversation, ascending; empty for a channel. */
export function directMemberIds(read: Read, recipientId: number): number[] {
  return members(read)
    .all({ recipientId })
    .map(({ userId }) => userId)
}

const membership = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM direct_members WHERE user_id = @userId AND recipient_id = @recipientId`)

/** Whether a user takes part in a direct conversation. */
export function isDirectMember(read: Read, recipientId: number, userId: number): boolean {
  return membership(read).get({ recipientId, userId }) !== undefined
}

/** A recipient for a channel that is being created; `bindRecipient` then names the channel. */
export function insertChannelRecipient(tx: Tx): Recipient {
  return insertOne(tx, {})
}

/** Says which channel a recipient belongs to. */
export function bindRecipient(tx: Tx, recipientId: number, channelId: number): void {
  tx.db.update(recipients).set({ channelId }).where(eq(recipients.id, recipientId)).run()
}
