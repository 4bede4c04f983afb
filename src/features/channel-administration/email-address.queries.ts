import { accessContent } from '#features/channels/access.ts'
import { canPost } from '#features/messages/rules.ts'
import { findUser, type User } from '#features/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read } from '#platform/store/write.ts'

/**
 * The email address of a channel. It is always empty, because this server has no incoming email;
 * clients know the empty address from servers without it. The permission checks still apply.
 *
 * @param senderId the sender that messages would have; default: the server's Email Gateway
 * @throws BAD_REQUEST the caller cannot read the channel or post in it; a sender of someone else
 * @source Zulip API, "Get channel's email address" (feature levels 335, 448)
 */
export function channelEmailAddress(
  read: Read,
  caller: Caller,
  channelId: number,
  senderId: number | undefined,
): string {
  const { user } = caller
  const channel = accessContent(read, caller, channelId)
  if (!canPost(read, user, channel)) {
    throw badRequest(`Not authorized to send to channel '${channel.name}'`)
  }
  const sender = senderId === undefined ? undefined : findUser(read, senderId)
  if (senderId !== undefined && !(sender && maySendAs(user, sender))) {
    throw badRequest('Invalid sender_id')
  }
  return ''
}

/** The user, a bot of the user, or the Email Gateway bot. */
function maySendAs(user: User, sender: User): boolean {
  if (sender.id === user.id) return true
  if (sender.isSystemBot) return sender.emailKey.startsWith('emailgateway@')
  return sender.isActive && sender.botOwnerId === user.id
}
