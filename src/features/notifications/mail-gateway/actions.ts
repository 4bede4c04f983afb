import { accessContent } from '#features/foundation/channels/access.ts'
import { findSystemBot, findUser, type User } from '#features/foundation/users/queries.ts'
import { canPost } from '#features/messaging/messages/rules.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  channelAddressId,
  deleteChannelAddress,
  findChannelAddressOf,
  insertChannelAddress,
  insertReplyAddress,
  listChannelAddressesOf,
} from './addresses.queries.ts'
import { channelLocalPart, mailAddress, replyLocalPart } from './addresses.ts'
import { channelAddressQuota } from './quotas.ts'

/**
 * The email address of a channel for a user and a sender, always the same. Empty if the server
 * receives no mail, as clients expect; the permission checks still apply.
 *
 * @param senderId the sender of the messages: the user, a bot of theirs or, by default, Email
 *   Gateway
 * @throws BAD_REQUEST the user cannot read the channel or post in it; a sender of someone else; or
 *   they have too many addresses
 * @source Zulip API, "Get channel's email address" (feature levels 335, 448)
 */
export function channelEmailAddress(
  tx: Tx,
  user: User,
  channelId: number,
  senderId: number | undefined,
): string {
  const { mailGateway } = tx.config
  const channel = accessContent(tx, { user }, channelId)
  if (!canPost(tx, user, channel)) {
    throw badRequest(
      sentSentence("Not authorized to send to channel '{name}'", { name: channel.name }),
      { parameter: 'stream_id' },
    )
  }
  const sender = senderId === undefined ? findSystemBot(tx, 'emailgateway') : findUser(tx, senderId)
  if (!sender || !maySendAs(user, sender))
    throw badRequest(sentSentence('Invalid sender_id'), { parameter: 'sender_id' })
  if (mailGateway === null) return ''
  const wanted = { channelId: channel.id, creatorId: user.id, senderId: sender.id }
  let known = findChannelAddressOf(tx, wanted)
  if (!known) {
    requireRoom(tx, channelAddressQuota, user)
    known = insertChannelAddress(tx, wanted)
  }
  return mailAddress(mailGateway, channelLocalPart(channel.name, known.token))
}

/** The user, a bot of the user, or Email Gateway. */
function maySendAs(user: User, sender: User): boolean {
  if (sender.id === user.id) return true
  if (sender.isSystemBot) return sender.emailKey.startsWith('emailgateway@')
  return sender.isActive && sender.botOwnerId === user.id
}

/**
 * Ends an address of a channel that the user asked for, or that posts as the user or one of their
 * bots.
 *
 * @param id as from `channelAddressId`
 * @throws NOT_FOUND no such address, or someone else's
 */
export function revokeChannelAddress(tx: Tx, user: User, id: string): void {
  const address = listChannelAddressesOf(tx, user.id).find((each) => channelAddressId(each) === id)
  if (!address)
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('No such address.'),
      {},
      { parameter: 'address_id' },
    )
  deleteChannelAddress(tx, address)
}

/**
 * Makes an address with which a user can answer in the conversation of a message.
 *
 * @returns undefined if the server receives no mail
 */
export function addReplyAddress(tx: Tx, userId: number, messageId: number): string | undefined {
  const { mailGateway } = tx.config
  if (mailGateway === null) return undefined
  return mailAddress(mailGateway, replyLocalPart(insertReplyAddress(tx, userId, messageId)))
}
