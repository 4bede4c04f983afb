import { occasion } from '#platform/store/occasions.ts'
import type { Channel } from './queries.ts'

/** A channel that some users can see from now on. */
export interface RevealedChannel {
  readonly channel: Channel
  readonly viewerIds: readonly number[]
}

export const channelRevealed = occasion<RevealedChannel>('a channel became visible')

/** A channel that clients have dropped, and that is told to some users again. */
export interface ReturnedChannel {
  readonly channel: Channel
  readonly isViewer: (userId: number) => boolean
}

/** Announced after the channel's own event. */
export const channelReturned = occasion<ReturnedChannel>('a channel was told again')
