import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { sendMessage } from '#messages/actions.ts'
import { composeMessage, type Draft } from '#messages/compose.ts'
import { sendNotices } from '#messages/notices.ts'
import { quoteBlock } from '#messages/quoting.ts'
import { limits } from '#realm/limits.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { removeScheduledMessage, tellSender } from './actions.ts'
import {
  findDueMessage,
  findScheduledMessage,
  type ScheduledMessage,
  updateScheduledMessage,
} from './queries.ts'

/** Sends everything that is due, the earliest first. */
export async function deliverDue(server: Context): Promise<void> {
  const { store, clock } = server
  for (;;) {
    const message = findDueMessage(store, seconds(clock))
    if (!message) return
    await deliver(server, message)
  }
}

/**
 * Sends one message and forgets that it was scheduled, in one transaction: whatever happens, it is
 * sent once. Whether its sender may send it is asked now. If not, it stays as failed, and its
 * sender is told.
 */
async function deliver(server: Context, message: ScheduledMessage): Promise<void> {
  const { store, log } = server
  try {
    const draft = compose(store, activeSender(store, message), message, server.realmUrl)
    await store.write((tx) => {
      if (!isStillDue(tx, message)) return
      sendMessage(tx, activeSender(tx, message), draft)
      removeScheduledMessage(tx, message)
    })
  } catch (error) {
    const isRefused = error instanceof ApiError
    if (!isRefused) log.error({ err: error, scheduledMessage: message.id }, 'sending failed')
    const reason = isRefused ? error.message : 'something went wrong on the server.'
    await store.write((tx) => fail(tx, server, message, reason))
  }
}

function activeSender(read: Read, { senderId }: ScheduledMessage): User {
  const sender = findUser(read, senderId)
  if (!sender?.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return sender
}

function compose(read: Read, sender: User, message: ScheduledMessage, realmUrl: string): Draft {
  const { channelId, to, topic, content, client, readBySender } = message
  return composeMessage(
    read,
    sender,
    {
      kind: channelId === null ? 'direct' : 'channel',
      to: channelId ?? to,
      topic,
      content,
      client,
      readBySender,
    },
    realmUrl,
  )
}

/** Nobody changed it while it was composed. */
function isStillDue(read: Read, message: ScheduledMessage): boolean {
  const now = findScheduledMessage(read, message.senderId, message.id)
  return now !== undefined && JSON.stringify(now) === JSON.stringify(message)
}

function fail(tx: Tx, server: Context, message: ScheduledMessage, reason: string): void {
  if (!isStillDue(tx, message)) return
  tellSender(tx, 'update', updateScheduledMessage(tx, message.id, { failed: true }))
  const sender = findUser(tx, message.senderId)
  if (!sender?.isActive) return
  sendNotices(tx, [sender], {
    author: sender,
    content:
      `A message that you had scheduled could not be sent: ${reason}\n\n` +
      quoteBlock(message.content, limits.messageLength - 1000),
    realmUrl: server.realmUrl,
  })
}
