import { type Channel, findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/** The conversation of a message: a channel, or the direct conversation of these users, by ID. */
export type Recipient =
  | { readonly channel: Channel; readonly people?: undefined }
  | { readonly channel?: undefined; readonly people: readonly User[] }

/** The conversation of a recipient. */
export function recipientOf(read: Read, recipientId: number): Recipient {
  const channel = findChannelByRecipient(read, recipientId)
  if (channel) return { channel }
  return { people: directMemberIds(read, recipientId).flatMap((id) => findUser(read, id) ?? []) }
}
