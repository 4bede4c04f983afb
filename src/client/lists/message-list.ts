import type { ReadonlySignal } from '@preact/signals-core'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { Message } from '#client/state/model.ts'
import type { LongMessages } from './long-messages.ts'

/** The position at which a list opens. */
export type Anchor =
  | { readonly at: 'first-unread' | 'newest' }
  | { readonly at: 'message'; readonly id: number }

/** The fetched messages of a narrow: contiguous, ascending. */
export interface MessageList {
  readonly narrow: Narrow
  /** Ids that are shown, ascending: muted people's and, in wide views, muted topics' are not. */
  readonly ids: ReadonlySignal<readonly number[]>
  readonly status: ReadonlySignal<ListStatus>
  /** The message at which the list opened; undefined until the first fetch, or in an empty list. */
  readonly anchorId: ReadonlySignal<number | undefined>
  /** The first unread message when the list opened: the position of the marker. */
  readonly firstUnreadId: ReadonlySignal<number | undefined>
  /** Fetches the first messages. Fetches again from elsewhere when the anchor is not among them. */
  open(anchor: Anchor): Promise<void>
  /** Fetches earlier or later messages, unless there are none, or they are being fetched. */
  fetchOlder(): Promise<void>
  fetchNewer(): Promise<void>
  /** The message that is being read: a restart fetches around it. The view sets it. */
  readingId: number | undefined
  /** The current place of the topic, if it is not here: the view should go there. */
  readonly movedTo: ReadonlySignal<Narrow | undefined>
  /** HTML with what a search found highlighted, by message. */
  readonly matches: ReadonlySignal<
    ReadonlyMap<number, { readonly html: string; readonly topic: string }>
  >
  /** Which of its messages are long, and which of those are folded. */
  readonly long: LongMessages
  /** The part with which the next page can begin; undefined if events were missed. */
  kept(): KeptList | undefined
  close(): void
}

/** A part of a list: contiguous, ascending. */
export interface KeptList {
  readonly narrow: Narrow
  /** Including muted ones. */
  readonly ids: readonly number[]
  readonly hasOldest: boolean
  readonly hasNewest: boolean
}

export interface ListStatus {
  readonly isOpening: boolean
  readonly hasOldest: boolean
  readonly hasNewest: boolean
  /** A fetch that failed, in words for the user, until the next one. */
  readonly problem: string | undefined
}

/** A row of the message pane. Derived from ids; see `rows.ts`. */
export type Row =
  | {
      readonly kind: 'recipient'
      readonly key: string
      readonly message: Message
      /** `2026-11-22`, in the reader's zone. */
      readonly date: string
    }
  /** `date` as above. */
  | { readonly kind: 'day'; readonly key: string; readonly date: string }
  | { readonly kind: 'unread-marker'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      /**
       * Whether sender and time are shown: not if the row before is a recent one by the same
       * sender.
       */
      readonly showsSender: boolean
    }
