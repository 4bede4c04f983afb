import { randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, or } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { deleteUntil } from '#platform/store/expiry.ts'
import {
  channelMailAddresses,
  receivedMail,
  replyAddresses,
  users,
} from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type ChannelMailAddress = typeof channelMailAddresses.$inferSelect
export type ReplyAddress = typeof replyAddresses.$inferSelect

/** How long a mail can be answered, in seconds. */
const replySeconds = 30 * 24 * 3600

/** The address that someone has already asked for, for a channel and a sender. */
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
 * The addresses that a user asked for, or that post as the user or one of their bots, the oldest
 * first: each of them can be revoked by that user.
 */
export function listChannelAddressesOf({ db }: Read, userId: number): ChannelMailAddress[] {
  const { creatorId, senderId, createdAt, token } = channelMailAddresses
  const bots = db.select({ id: users.id }).from(users).where(eq(users.botOwnerId, userId))
  const wanted = or(eq(creatorId, userId), eq(senderId, userId), inArray(senderId, bots))
  return db.select().from(channelMailAddresses).where(wanted).orderBy(createdAt, token).all()
}

/** An ID of an address that does not reveal it. */
export const channelAddressId = ({ token }: ChannelMailAddress) => secretHash(token)

export function deleteChannelAddress(tx: Tx, { token }: ChannelMailAddress): void {
  tx.db.delete(channelMailAddresses).where(eq(channelMailAddresses.token, token)).run()
}

/**
 * Stores an address with which someone can answer in the conversation of a message, for 30 days.
 * Deletes those that have expired.
 *
 * @returns its secret part; only a hash of it is stored
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

/**
 * Ends all addresses whose mail is posted as a user: those that answer mail to them, and those of
 * channels whose sender is the user or one of their bots. Addresses that post as Email Gateway stay.
 */
export function deleteAddressesPostingAs(tx: Tx, userId: number): void {
  tx.db.delete(replyAddresses).where(eq(replyAddresses.userId, userId)).run()
  const bots = tx.db.select({ id: users.id }).from(users).where(eq(users.botOwnerId, userId))
  const { senderId } = channelMailAddresses
  tx.db
    .delete(channelMailAddresses)
    .where(or(eq(senderId, userId), inArray(senderId, bots)))
    .run()
}

/** How long a mail server may try to send a mail again, in seconds. */
const retrySeconds = 7 * 24 * 3600

/**
 * Stores that a mail came in. Deletes entries that are too old.
 *
 * @param token the secret part of its recipient
 * @returns false: it has come before
 */
export function insertReceivedMail(tx: Tx, token: string, messageId: string): boolean {
  const now = seconds(tx.clock)
  deleteUntil(tx, receivedMail.receivedAt, now - retrySeconds)
  const row = { key: mailKey(token, messageId), receivedAt: now }
  return tx.db.insert(receivedMail).values(row).onConflictDoNothing().run().changes > 0
}

/** Whether a mail for this address came in, a week ago at most. */
export function isReceivedMail(read: Read, token: string, messageId: string): boolean {
  const wanted = and(
    eq(receivedMail.key, mailKey(token, messageId)),
    gt(receivedMail.receivedAt, seconds(read.clock) - retrySeconds),
  )
  return read.db.select().from(receivedMail).where(wanted).get() !== undefined
}

/** Forgets that a mail came in. */
export function deleteReceivedMail(tx: Tx, token: string, messageId: string): void {
  tx.db
    .delete(receivedMail)
    .where(eq(receivedMail.key, mailKey(token, messageId)))
    .run()
}

const mailKey = (token: string, messageId: string) => secretHash(`${token} ${messageId}`)

const newToken = () => randomBytes(16).toString('hex')
