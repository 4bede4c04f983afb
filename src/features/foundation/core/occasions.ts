import type { User } from '#features/foundation/users/queries.ts'
import { occasion } from '#platform/store/occasions.ts'
import type { Message } from './queries.ts'
import type { Recipient } from './recipient.queries.ts'

/** A new message, its rows already stored, its event not yet emitted. */
export interface SentMessage {
  readonly message: Message
  readonly sender: User
  readonly recipient: Recipient
  /** The flags with which users receive it, by user ID; see `flagBits`. */
  readonly bits: ReadonlyMap<number, number>
  /** IDs of the users whom it mentions by name or with a group, without wildcards. */
  readonly mentioned: ReadonlySet<number>
  /** The addresses of the linked web pages whose previews readers may see. */
  readonly pages: readonly string[]
  /** Whether the message counts as read for a user from the start. */
  hasRead(userId: number): boolean
}

export const messageSent = occasion<SentMessage>('a message was sent')

/** Messages of one channel or conversation whose rows are about to go, ascending by ID. */
export interface ErasedMessages {
  readonly ids: readonly number[]
}

export const messagesErased = occasion<ErasedMessages>('messages were erased')

/** Messages with other contents, in another place, or with a further step of their widget. */
export interface ChangedMessages {
  readonly ids: readonly number[]
}

export const messagesChanged = occasion<ChangedMessages>('messages were changed')
