import { canAccessContent } from '#features/foundation/channels/access.ts'
import { type Channel, findChannel } from '#features/foundation/channels/queries.ts'
import { findReadableMessage } from '#features/foundation/core/queries.ts'
import { type Recipient, recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { canPost } from '#features/messaging/messages/rules.ts'
import { ApiError } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { findChannelAddress, findReplyAddress } from './addresses.queries.ts'
import type { MailAddress, MailOptions } from './addresses.ts'

/** The recipient and the sender of the message of a mail. */
export type Destination =
  | {
      readonly kind: 'channel'
      readonly channel: Channel
      readonly sender: User
      /**
       * The user whose rights count: the sender, or for Email Gateway the user who asked for the
       * address.
       */
      readonly voice: User
      readonly options: MailOptions
    }
  | {
      readonly kind: 'reply'
      readonly recipient: Recipient
      readonly topic: string
      readonly sender: User
    }

/**
 * Finds the recipient of a mail's message, and checks that it may be sent now.
 *
 * @throws NOT_FOUND no such address, or it has expired
 * @throws BAD_REQUEST its sender may not send it
 */
export function accessDestination(read: Read, address: MailAddress): Destination {
  return address.kind === 'channel'
    ? channelDestination(read, address.token, address.options)
    : replyDestination(read, address.token)
}

function channelDestination(read: Read, token: string, options: MailOptions): Destination {
  const known = findChannelAddress(read, token)
  const channel = known && findChannel(read, known.channelId)
  const creator = known && findUser(read, known.creatorId)
  const sender = known && findUser(read, known.senderId)
  if (!channel || !sender || !creator) throw noAddress()
  const voice = sender.isSystemBot ? creator : sender
  if (!creator.isActive || !sender.isActive) throw noAddress()
  if (!canAccessContent(read, voice, channel) || !canPost(read, voice, channel)) throw notAllowed()
  return { kind: 'channel', channel, sender, voice, options }
}

function replyDestination(read: Read, token: string): Destination {
  const known = findReplyAddress(read, token)
  const sender = known && findUser(read, known.userId)
  if (!sender?.isActive) throw noAddress()
  const message = findReadableMessage(read, sender, known?.messageId ?? 0)
  if (!message) throw notAllowed()
  const recipient = recipientOf(read, message.recipientId)
  if (recipient.channel && !canPost(read, sender, recipient.channel)) throw notAllowed()
  return { kind: 'reply', recipient, topic: message.topic, sender }
}

const noAddress = () => new ApiError('NOT_FOUND', 'There is no such address, or it has expired.')
const notAllowed = () => new ApiError('BAD_REQUEST', 'You may not send messages there.')
