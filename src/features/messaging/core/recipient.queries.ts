import { type Channel, findChannelByRecipient } from '#features/channels/channels/queries.ts'
import { directMemberIds } from '#features/messaging/recipients/queries.ts'
import { findUser, type User } from '#features/people/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** Where a message is: in a channel, or in the direct conversation of these users, by id. */
export type Recipient =
  | { readonly channel: Channel; readonly people?: undefined }
  | { readonly channel?: undefined; readonly people: readonly User[] }

/** The place of a recipient. */
export function recipientOf(read: Read, recipientId: number): Recipient {
  const channel = findChannelByRecipient(read, recipientId)
  if (channel) return { channel }
  return { people: directMemberIds(read, recipientId).flatMap((id) => findUser(read, id) ?? []) }
}
