import type { EmojiRef } from '#features/organization/imports/stream.ts'
import type { Parts } from './texts.ts'

/**
 * The stored form of a message until all have come and it has its ID. People, channels and
 * recipients are IDs of the new database already, messages and files still keys.
 */

export interface MessageRecord {
  readonly key: string
  readonly sender: number
  readonly recipient: number
  /** The ID of the channel; undefined: a direct message. */
  readonly channel?: number | undefined
  readonly topic: string
  /** In seconds. */
  readonly time: number
  readonly parts: Parts
  readonly client?: string | undefined
  readonly link?: string | undefined
  readonly edits?: readonly EditRecord[]
  readonly edited?: number | undefined
  readonly reactions?: readonly { readonly person: number; readonly emoji: EmojiRef }[]
  readonly starredBy?: readonly number[]
  readonly formerNames?: Readonly<Record<string, number>>
  readonly mentionsChannel?: boolean | undefined
}

export interface EditRecord {
  readonly time: number
  readonly by?: number | undefined
  readonly parts?: Parts
  readonly topic?: { readonly from: string; readonly to: string }
  readonly channel?: { readonly from: number; readonly to: number }
}

/** Data of a message that came separately. */
export type MarkRecord =
  | { readonly kind: 'reaction'; readonly person: number; readonly emoji: EmojiRef }
  | { readonly kind: 'flags'; readonly person: number; readonly flags: number }
  | { readonly kind: 'submessage'; readonly person: number; readonly content: string }
  | {
      readonly kind: 'reminder'
      readonly person: number
      readonly note: string
      readonly due: number
    }

/** The result for a file of the export. */
export interface WrittenFile {
  readonly id: number
  readonly name: string
  /** Undefined: it was not available. */
  readonly path?: string
}

/** The destination of a topic of the export. */
export interface WrittenThread {
  readonly channel: number
  readonly recipient: number
  readonly topic: string
}
