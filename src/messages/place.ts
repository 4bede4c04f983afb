import { type Channel, findChannelByRecipient } from '#channels/queries.ts'
import { directMemberIds } from '#recipients/queries.ts'
import type { Read } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'

/** Where a message is: in a channel, or between exactly these people, by id. */
export type Place =
  | { readonly channel: Channel; readonly people?: undefined }
  | { readonly channel?: undefined; readonly people: readonly User[] }

/** The place of a recipient. */
export function placeOf(read: Read, recipientId: number): Place {
  const channel = findChannelByRecipient(read, recipientId)
  if (channel) return { channel }
  return { people: directMemberIds(read, recipientId).flatMap((id) => findUser(read, id) ?? []) }
}
