import {
  findReadableMessage,
  listMessages,
  type Message,
} from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { queueWanted } from '#features/foundation/mail/actions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { triggersNow } from '#features/messaging/messages/notified.rules.ts'
import { addReplyAddress } from '#features/notifications/mail-gateway/actions.ts'
import type { Context } from '#platform/context.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type MissedConversation, missedMail, showsContent } from './mails.ts'
import { clearPending, listBefore, listPending } from './queries.ts'
import type { ToMailHtml } from './shown.mails.ts'

/** How old earlier messages may be that are shown with a mention, in seconds. */
const contextSeconds = 15 * 60

/**
 * Queues the mails about the messages that wait for one to someone: one for each conversation,
 * without messages that they have read in the meantime, or no longer want or may read. Each
 * conversation is a step, in which its messages stop to wait as well.
 */
export function* mailMissed(
  begun: Tx,
  { realmUrl }: Pick<Context, 'realmUrl'>,
  userId: number,
  toHtml: ToMailHtml,
): LongWrite<void> {
  let tx = begun
  const pending = listPending(tx, userId)
  const conversations = new Map<string, Message[]>()
  for (const message of listMessages(tx, [...pending.keys()])) {
    const key = `${message.recipientId} ${message.topicKey}`
    conversations.set(key, [...(conversations.get(key) ?? []), message])
  }
  const newest = (each: readonly Message[]) => each.at(-1)?.id ?? 0
  for (const each of [...conversations.values()].sort((a, b) => newest(a) - newest(b))) {
    const ids = each.map(({ id }) => id)
    mailConversation(
      tx,
      realmUrl,
      userId,
      new Map(ids.map((id) => [id, pending.get(id) ?? null])),
      toHtml,
    )
    for (const id of ids) pending.delete(id)
    clearPending(tx, userId, ids)
    tx = yield
  }
  // Messages that are gone.
  clearPending(tx, userId, [...pending.keys()])
}

/** @param waiting messages of one conversation, with the group that each mentions */
function mailConversation(
  tx: Tx,
  realmUrl: string,
  userId: number,
  waiting: ReadonlyMap<number, number | null>,
  toHtml: ToMailHtml,
): void {
  const reader = findUser(tx, userId)
  if (!reader) return
  const found = listMessages(tx, [...waiting.keys()]).flatMap((message): MissedMessage[] => {
    const trigger = triggersNow(tx, reader, message).email
    return trigger ? [{ message, trigger, groupId: waiting.get(message.id) ?? null }] : []
  })
  const missed = withContext(tx, reader, found)
  if (!missed) return
  // A mail without the text of messages must not give access to the conversation either.
  const replyTo = showsContent(tx, reader)
    ? addReplyAddress(tx, userId, found.at(-1)?.message.id ?? 0)
    : undefined
  queueWanted(tx, missedMail(tx, reader, { ...missed, replyTo }, realmUrl, toHtml))
}

interface MissedMessage extends Pick<MissedConversation, 'trigger' | 'groupId'> {
  readonly message: Message
}

/** The conversation, with shortly earlier messages if it begins with a mention. */
function withContext(
  read: Read,
  reader: User,
  found: readonly MissedMessage[],
): Omit<MissedConversation, 'replyTo'> | undefined {
  const [first] = found
  if (!first) return undefined
  const { message, trigger, groupId } = first
  const recipient = recipientOf(read, message.recipientId)
  const isMention = recipient.channel !== undefined && trigger === 'mentioned'
  const since = message.sentAt - contextSeconds
  const earlier = isMention ? listMessages(read, listBefore(read, message, since)) : []
  const readable = earlier.filter(({ id }) => findReadableMessage(read, reader, id))
  return {
    recipient,
    trigger,
    groupId,
    messages: [...readable, ...found.map((each) => each.message)],
  }
}
