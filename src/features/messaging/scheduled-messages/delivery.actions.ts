import { limits } from '#features/foundation/realm/limits.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { sendMessage } from '#features/messaging/messages/actions.ts'
import { composeMessage, type Draft } from '#features/messaging/messages/compose.rules.ts'
import { sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { seconds } from '#platform/clock.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { quoteBlock } from '#platform/markdown/quotes.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type Sentence, sentence, sentenceIn, sentSentence } from '#translations/translate.ts'
import { emitScheduledMessage, removeScheduledMessage } from './actions.ts'
import {
  findDueMessage,
  findScheduledMessage,
  rememberSentMessage,
  type ScheduledMessage,
  updateScheduledMessage,
} from './queries.ts'

/** Sends all scheduled messages that are due, the earliest first. */
export async function deliverDue(server: SystemContext): Promise<void> {
  const { store, clock } = server
  for (;;) {
    const message = findDueMessage(store, seconds(clock))
    if (!message) return
    await deliver(server, message)
  }
}

/**
 * Sends one message and removes it from the schedule in one transaction, so that it is sent once.
 * Checks now whether the sender may send it; if not, marks it as failed and notifies the sender.
 */
async function deliver(server: SystemContext, message: ScheduledMessage): Promise<void> {
  const { store, log } = server
  try {
    const draft = compose(store, activeSender(store, message), message, server.realmUrl)
    await store.write((tx) => {
      if (!isUnchanged(tx, message)) return
      sendMessage(tx, activeSender(tx, message), draft)
      removeScheduledMessage(tx, message)
      rememberSentMessage(tx, message)
    })
  } catch (error) {
    const isRefused = error instanceof ApiError
    if (!isRefused) log.error({ err: error, scheduledMessage: message.id }, 'sending failed')
    const reason = isRefused ? error.sentence : sentence('something went wrong on the server.')
    await store.write((tx) => fail(tx, server, message, reason))
  }
}

function activeSender(read: Read, { senderId }: ScheduledMessage): User {
  const sender = findUser(read, senderId)
  if (!sender?.isActive)
    throw new ApiError('USER_DEACTIVATED', sentSentence('Account is deactivated'))
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

/** Whether the scheduled message is unchanged since it was composed. */
function isUnchanged(read: Read, message: ScheduledMessage): boolean {
  const now = findScheduledMessage(read, message.senderId, message.id)
  return now !== undefined && JSON.stringify(now) === JSON.stringify(message)
}

function fail(tx: Tx, server: Context, message: ScheduledMessage, why: Sentence): void {
  if (!isUnchanged(tx, message)) return
  emitScheduledMessage(tx, 'update', updateScheduledMessage(tx, message.id, { failed: true }))
  const sender = findUser(tx, message.senderId)
  if (!sender?.isActive) return
  const language = userLanguage(tx, sender)
  const reason = sentenceIn(language, why)
  sendNotices(tx, [sender], {
    author: sender,
    content:
      `${language.t('A message that you had scheduled could not be sent: {reason}', { reason })}\n\n` +
      quoteBlock(message.content, limits.messageLength - 1000),
    realmUrl: server.realmUrl,
  })
}
