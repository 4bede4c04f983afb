import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { navigationViewJson } from './events.ts'
import { listNavigationViews } from './queries.ts'
import { navigationViewShape } from './shapes.ts'

export const navigationViewsState = {
  types: ['navigation_views'],
  members: { navigation_views: shape.list(navigationViewShape) },
  read: ({ store, user }) => ({
    navigation_views: listNavigationViews(store, user.id).map(navigationViewJson),
  }),
} satisfies StatePart
