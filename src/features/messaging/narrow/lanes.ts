import { always, type Clause } from './clause.ts'

/** An index scan that yields candidate messages in order of their ids. */
export type Lane = RecipientLane | GlobalLane

/** Indexes that end with the id; the last five are partial, on messages with that property. */
export type MessageIndex =
  | 'messages_recipient'
  | 'messages_topic'
  | 'messages_sender'
  | 'messages_wildcard'
  | 'messages_resolved'
  | 'messages_link'
  | 'messages_image'
  | 'messages_attachment'

/** Messages of some recipients; the index `(recipient_id, ..., id)` has those of each in order. */
export interface RecipientLane {
  readonly kind: 'recipients'
  readonly recipients: readonly number[]
  /** Further equality conditions on `m` that the index covers. */
  readonly key: Clause
  /** The index to use: without statistics SQLite could choose another. */
  readonly index: MessageIndex
}

/** Messages of all recipients, including those that are not visible to the reader. */
export interface GlobalLane {
  readonly kind: 'global'
  /** The tables, including `messages m`. */
  readonly from: string
  /** The column of the message's id. */
  readonly id: string
  readonly key: Clause
}

/** All messages of these recipients. */
export function wholeLane(recipients: readonly number[]): Lane {
  return { kind: 'recipients', recipients, key: always, index: 'messages_recipient' }
}
