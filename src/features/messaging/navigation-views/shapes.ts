import * as shape from '#platform/shape.ts'

const members = {
  is_pinned: shape.boolean,
  name: shape.noted(shape.nullable(shape.string), 'Null for built-in views.'),
}

/** @source Zulip API, "Get all navigation views" (feature level 390) */
export const navigationViewShape = shape.named('NavigationView', {
  fragment: shape.string,
  ...members,
})

export const navigationViewEventShapes = [
  shape.event('NavigationViewAddEvent', 'navigation_view', {
    op: shape.choice('add'),
    navigation_view: navigationViewShape,
  }),
  shape.event('NavigationViewUpdateEvent', 'navigation_view', {
    op: shape.choice('update'),
    fragment: shape.string,
    data: shape.named('NavigationViewChanges', {
      is_pinned: shape.maybe(members.is_pinned),
      name: shape.maybe(members.name),
    }),
  }),
  shape.event('NavigationViewRemoveEvent', 'navigation_view', {
    op: shape.choice('remove'),
    fragment: shape.string,
  }),
]
