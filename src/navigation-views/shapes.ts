import { boolean, choice, event, maybe, named, noted, nullable, string } from '#shape.ts'

const members = { is_pinned: boolean, name: noted(nullable(string), 'Null for built-in views.') }

/** @source contract, "Other resources" */
export const navigationViewShape = named('NavigationView', { fragment: string, ...members })

export const navigationViewEventShapes = [
  event('NavigationViewAddEvent', 'navigation_view', {
    op: choice('add'),
    navigation_view: navigationViewShape,
  }),
  event('NavigationViewUpdateEvent', 'navigation_view', {
    op: choice('update'),
    fragment: string,
    data: named('NavigationViewChanges', {
      is_pinned: maybe(members.is_pinned),
      name: maybe(members.name),
    }),
  }),
  event('NavigationViewRemoveEvent', 'navigation_view', { op: choice('remove'), fragment: string }),
]
