import type { StatePart } from '#events/state.ts'
import { navigationViewJson } from './events.ts'
import { listNavigationViews } from './queries.ts'

export const navigationViewsState: StatePart = {
  types: ['navigation_views'],
  read: ({ store, user }) => ({
    navigation_views: listNavigationViews(store, user.id).map(navigationViewJson),
  }),
}
