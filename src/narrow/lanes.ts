import { always, type Clause } from './clause.ts'

/** An index that yields candidates in order of their ids. */
export type Lane = RecipientLane | GlobalLane

/** Indexes that end with the id; the last five have only messages where something is set. */
export type MessageIndex =
  | 'messages_recipient'
  | 'messages_topic'
  | 'messages_sender'
  | 'messages_wildcard'
  | 'messages_resolved'
  | 'messages_link'
  | 'messages_image'
  | 'messages_attachment'

/** Messages of some recipients, each of which the index `(recipient_id, ..., id)` has in order. */
export interface RecipientLane {
  readonly kind: 'recipients'
  readonly recipients: readonly number[]
  /** Further equalities on `m` that the index covers. */
  readonly key: Clause
  /** The one to use: without statistics SQLite could choose another. */
  readonly index: MessageIndex
}

/** Messages of all recipients, those of others among them. */
export interface GlobalLane {
  readonly kind: 'global'
  /** Tables, `messages m` among them, and the column that has the message's id. */
  readonly from: string
  readonly id: string
  readonly key: Clause
}

/** All messages of these recipients. */
export function wholeLane(recipients: readonly number[]): Lane {
  return { kind: 'recipients', recipients, key: always, index: 'messages_recipient' }
}
