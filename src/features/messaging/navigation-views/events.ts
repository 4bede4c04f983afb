import type { EventOf, Shaped } from '#platform/shape.ts'
import type { NavigationView, NavigationViewChange } from './queries.ts'
import type { navigationViewEventShapes, navigationViewShape } from './shapes.ts'

/**
 * A view of the left sidebar on the wire.
 *
 * @source Zulip API, "Get all navigation views" (feature level 390)
 */
export type NavigationViewJson = Shaped<typeof navigationViewShape>

/**
 * A user's views changed; sent to all their clients.
 *
 * @source Zulip API, "Get events", type "navigation_view" (feature level 390)
 */
export type NavigationViewEvent = EventOf<typeof navigationViewEventShapes, 'navigation_view'>

export function navigationViewJson(view: NavigationView): NavigationViewJson {
  return { fragment: view.fragment, is_pinned: view.isPinned, name: view.name }
}

export function navigationViewAddEvent(view: NavigationView): NavigationViewEvent {
  return { type: 'navigation_view', op: 'add', navigation_view: navigationViewJson(view) }
}

export function navigationViewUpdateEvent(
  fragment: string,
  { isPinned, name }: NavigationViewChange,
): NavigationViewEvent {
  const data = {
    ...(isPinned !== undefined && { is_pinned: isPinned }),
    ...(name !== undefined && { name }),
  }
  return { type: 'navigation_view', op: 'update', fragment, data }
}

export function navigationViewRemoveEvent(fragment: string): NavigationViewEvent {
  return { type: 'navigation_view', op: 'remove', fragment }
}
