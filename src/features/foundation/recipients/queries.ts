import { asc, eq, sql } from 'drizzle-orm'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { directMembers, recipients } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

type Recipient = typeof recipients.$inferSelect

const insertOne = preparedInsert(recipients)
const insertMember = preparedInsert(directMembers)

const byDirectKey = prepared((db) =>
  db
    .select()
    .from(recipients)
    .where(eq(recipients.directKey, sql.placeholder('key')))
    .prepare(),
)

/** The direct conversation of exactly these users, in any order; undefined when they have none. */
export function findDirectRecipient(read: Read, userIds: readonly number[]): Recipient | undefined {
  return byDirectKey(read).get({ key: directKey(sorted(userIds)) })
}

/** The direct conversation of exactly these users, in any order; creates a missing one. */
export function directRecipient(tx: Tx, userIds: readonly number[]): Recipient {
  const members = sorted(userIds)
  const key = directKey(members)
  const known = byDirectKey(tx).get({ key })
  if (known) return known
  const recipient = insertOne(tx, { directKey: key })
  for (const userId of members) insertMember(tx, { userId, recipientId: recipient.id })
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

/** Ids of the participants of a direct conversation, ascending; empty for a channel. */
export function directMemberIds(read: Read, recipientId: number): number[] {
  return members(read)
    .all({ recipientId })
    .map(({ userId }) => userId)
}

const membership = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM direct_members WHERE user_id = @userId AND recipient_id = @recipientId`)

/** Whether a user is a participant of a direct conversation. */
export function isDirectMember(read: Read, recipientId: number, userId: number): boolean {
  return membership(read).get({ recipientId, userId }) !== undefined
}

/** A recipient for a channel that is being created; `bindRecipient` then links the two. */
export function insertChannelRecipient(tx: Tx): Recipient {
  return insertOne(tx, {})
}

const bindOne = preparedSql('UPDATE recipients SET channel_id = @channelId WHERE id = @recipientId')

/** Links a recipient to its channel. */
export function bindRecipient(tx: Tx, recipientId: number, channelId: number): void {
  bindOne(tx).run({ recipientId, channelId })
}
