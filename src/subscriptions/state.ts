import type { StatePart } from '#events/state.ts'
import { listByMembership } from './listing.ts'

/** All channels by what the user has to do with them. */
export const subscriptionsState: StatePart = {
  types: ['subscription'],
  read: ({ user, store }, { includeSubscribers, capabilities }) =>
    listByMembership(store, user, includeSubscribers, capabilities.has('archived_channels')),
}
