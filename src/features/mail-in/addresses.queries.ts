import { randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { deleteUntil } from '#platform/store/expiry.ts'
import { channelMailAddresses, receivedMail, replyAddresses } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'

export type ChannelMailAddress = typeof channelMailAddresses.$inferSelect
export type ReplyAddress = typeof replyAddresses.$inferSelect

/** How long a mail can be answered, in seconds. */
const replySeconds = 30 * 24 * 3600

/** The address that somebody asked for before, for a channel and a sender. */
export function findChannelAddressOf(
  { db }: Read,
  { channelId, creatorId, senderId }: Omit<ChannelMailAddress, 'token' | 'createdAt'>,
): ChannelMailAddress | undefined {
  const wanted = and(
    eq(channelMailAddresses.channelId, channelId),
    eq(channelMailAddresses.creatorId, creatorId),
    eq(channelMailAddresses.senderId, senderId),
  )
  return db.select().from(channelMailAddresses).where(wanted).get()
}

export function insertChannelAddress(
  tx: Tx,
  address: Omit<ChannelMailAddress, 'token' | 'createdAt'>,
): ChannelMailAddress {
  const row = { ...address, token: newToken(), createdAt: seconds(tx.clock) }
  return tx.db.insert(channelMailAddresses).values(row).returning().get()
}

/** The channel's address with this secret part. */
export function findChannelAddress({ db }: Read, token: string): ChannelMailAddress | undefined {
  return db.select().from(channelMailAddresses).where(eq(channelMailAddresses.token, token)).get()
}

/**
 * Stores an address by which somebody can answer in the conversation of a message, for 30 days.
 * Deletes those that have expired.
 *
 * @returns its secret part, of which only a hash is stored
 */
export function insertReplyAddress(tx: Tx, userId: number, messageId: number): string {
  const now = seconds(tx.clock)
  deleteUntil(tx, replyAddresses.createdAt, now - replySeconds)
  const token = newToken()
  tx.db
    .insert(replyAddresses)
    .values({ tokenHash: secretHash(token), userId, messageId, createdAt: now })
    .run()
  return token
}

/** The address to answer with this secret part, unless it has expired. */
export function findReplyAddress(read: Read, token: string): ReplyAddress | undefined {
  const wanted = and(
    eq(replyAddresses.tokenHash, secretHash(token)),
    gt(replyAddresses.createdAt, seconds(read.clock) - replySeconds),
  )
  return read.db.select().from(replyAddresses).where(wanted).get()
}

/** Ends the addresses by which somebody could answer mail. */
export function deleteReplyAddressesOf(tx: Tx, userId: number): void {
  tx.db.delete(replyAddresses).where(eq(replyAddresses.userId, userId)).run()
}

/** How long a mail server may try to send a mail again, in seconds. */
const retrySeconds = 7 * 24 * 3600

/**
 * Stores that a mail came in. Deletes what is too old to matter.
 *
 * @param token the secret part of the address that it was for
 * @returns false: it had come before
 */
export function insertReceivedMail(tx: Tx, token: string, messageId: string): boolean {
  const now = seconds(tx.clock)
  deleteUntil(tx, receivedMail.receivedAt, now - retrySeconds)
  const row = { key: secretHash(`${token} ${messageId}`), receivedAt: now }
  return tx.db.insert(receivedMail).values(row).onConflictDoNothing().run().changes > 0
}

const newToken = () => randomBytes(16).toString('hex')
