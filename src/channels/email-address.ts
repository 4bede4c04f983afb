import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { mayPost } from '#messages/rules.ts'
import type { Read } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { accessContent } from './access.ts'

/**
 * The address under which a channel takes mail. It is empty, as clients know it of servers that take
 * no mail, which this one never does; who may ask, and for which sender, is as with any other.
 *
 * @param senderId who would be shown as the sender; without it the server's Email Gateway
 * @throws BAD_REQUEST no such channel for the caller, who may not post in it; somebody else's sender
 * @source the API description's `get-stream-email-address`; api-changes §3b (levels 335, 448)
 */
export function channelEmailAddress(
  read: Read,
  caller: Caller,
  channelId: number,
  senderId: number | undefined,
): string {
  const { user } = caller
  const channel = accessContent(read, caller, channelId)
  if (!mayPost(read, user, channel)) {
    throw badRequest(`Not authorized to send to channel '${channel.name}'`)
  }
  const sender = senderId === undefined ? undefined : findUser(read, senderId)
  if (senderId !== undefined && !(sender && maySendAs(user, sender))) {
    throw badRequest('Invalid sender_id')
  }
  return ''
}

/** Oneself, an own bot, or the server's bot that mail comes in through. */
function maySendAs(user: User, sender: User): boolean {
  if (sender.id === user.id) return true
  if (sender.isSystemBot) return sender.emailKey.startsWith('emailgateway@')
  return sender.isActive && sender.botOwnerId === user.id
}
