import type { Channel } from '#channels/queries.ts'

/** What a filter is about: a name, an id, or a list of them. */
export type Operand = number | string | readonly (number | string)[]

/** One filter of a narrow, as the client sent it. A narrow is a list of them, all of which hold. */
export interface Term {
  readonly operator: string
  readonly operand: Operand
  readonly negated: boolean
}

/** A new message as the narrow of one event queue sees it. */
export interface NarrowSubject {
  readonly id: number
  readonly senderId: number
  readonly recipientId: number
  /** Undefined for a direct message. */
  readonly channel: Channel | undefined
  /** All participants of a direct message, the sender among them; empty for a channel message. */
  readonly people: readonly number[]
  /** Empty for direct messages and for the empty topic. */
  readonly topic: string
  /** The Markdown source. */
  readonly content: string
  readonly hasLink: boolean
  readonly hasImage: boolean
  readonly hasAttachment: boolean
  /** What the message is to the owner of the queue: `read`, `mentioned`, `has_alert_word` ... */
  readonly flags: readonly string[]
}
