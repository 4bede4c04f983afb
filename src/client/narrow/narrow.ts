import type { OperatorName } from './operators.ts'

/**
 * The messages of a view. Pure: `hash.ts` turns it into links and back, `matches.ts` tells whether
 * a message belongs to it, and `terms.ts` says it to the server.
 */

/** A filter of a search, as the API takes it. */
export interface Term {
  readonly operator: OperatorName
  readonly operand: string | number | readonly number[]
  readonly negated: boolean
}

/** Messages that a list can show. */
export type Narrow =
  | { readonly kind: 'all' }
  | { readonly kind: 'channel'; readonly channelId: number }
  /** `withId`: a message of the topic, which identifies the topic after a move. */
  | {
      readonly kind: 'topic'
      readonly channelId: number
      readonly topic: string
      readonly withId?: number
    }
  /** `userIds`: the others, ascending; the user's own id alone for messages to oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }
  | { readonly kind: 'all-direct' }
  | { readonly kind: 'mentions' }
  | { readonly kind: 'starred' }
  /** Messages of the user to which others reacted. */
  | { readonly kind: 'reactions' }
  | { readonly kind: 'search'; readonly terms: readonly Term[] }

/** A view of the main pane. */
export type View =
  | { readonly kind: 'inbox' }
  | { readonly kind: 'recent' }
  /** The list of direct conversations. */
  | { readonly kind: 'direct' }
  /** `near`: the message to open it at. */
  | { readonly kind: 'messages'; readonly narrow: Narrow; readonly near?: number }
  | { readonly kind: 'topics'; readonly channelId: number }
  | { readonly kind: 'drafts' }
  | { readonly kind: 'scheduled' }
  | { readonly kind: 'reminders' }

/** An overlay, under which the view stays as it is. */
export type Overlay =
  /** `folderId`: the folder of the channel that is new. */
  | {
      readonly kind: 'channels'
      readonly tab: 'subscribed' | 'available' | 'all' | 'new'
      readonly folderId?: number
    }
  | { readonly kind: 'channel'; readonly channelId: number; readonly section: string }
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'keyboard-shortcuts' | 'message-formatting' | 'search-operators' | 'about' }
  /** `path`: the section and its part, such as `users`, `active`; empty: none chosen. */
  | {
      readonly kind: 'settings'
      readonly area: 'personal' | 'organization'
      readonly path: readonly string[]
    }
  | { readonly kind: 'groups'; readonly tab: 'your' | 'all' | 'new' }
  | { readonly kind: 'group'; readonly groupId: number; readonly section: string }
  | { readonly kind: 'invite' }

/** The meaning of a hash; undefined: it is malformed, which shows the home view. */
export type Route =
  | { readonly view: View; readonly overlay?: undefined }
  | { readonly view?: undefined; readonly overlay: Overlay }
  /** The empty hash: the view that the user chose as home. */
  | { readonly view?: undefined; readonly overlay?: undefined }
