import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { navigationViewJson } from './events.ts'
import { listNavigationViews } from './queries.ts'
import { navigationViewShape } from './shapes.ts'

export const navigationViewsState: StatePart = {
  types: ['navigation_views'],
  shape: { navigation_views: list(navigationViewShape) },
  read: ({ store, user }) => ({
    navigation_views: listNavigationViews(store, user.id).map(navigationViewJson),
  }),
}
