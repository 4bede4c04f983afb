import { occasion } from '#platform/store/occasions.ts'
import type { Channel } from './queries.ts'

/** A channel that some users can see from now on. */
export interface RevealedChannel {
  readonly channel: Channel
  readonly viewerIds: readonly number[]
}

export const channelRevealed = occasion<RevealedChannel>('a channel became visible')
