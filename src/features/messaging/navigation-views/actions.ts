import type { User } from '#features/foundation/users/queries.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  navigationViewAddEvent,
  navigationViewRemoveEvent,
  navigationViewUpdateEvent,
} from './events.ts'
import {
  deleteNavigationView,
  insertNavigationView,
  listNavigationViews,
  type NavigationView,
  type NavigationViewChange,
  updateNavigationView,
} from './queries.ts'
import { navigationViewQuota } from './quotas.ts'

/** The views that every client has and names itself. */
const builtInViews: ReadonlySet<string> = new Set([
  'drafts',
  'feed',
  'inbox',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'recent',
  'reminders',
  'scheduled',
])

export interface RequestedView {
  /** The part of the view's URL after `#`. */
  readonly fragment: string
  readonly isPinned: boolean
  readonly name: string | undefined
}

/**
 * Adds a custom view, or the setting of whether a built-in view is pinned; emits
 * `navigation_view`/`add`.
 *
 * @throws BAD_REQUEST a view or name that the user has already, a name for a built-in view, no name
 *   for a custom view, too many views
 * @source Zulip API, "Add a navigation view" (feature level 390)
 */
export function addNavigationView(tx: Tx, user: User, asked: RequestedView): void {
  const views = listNavigationViews(tx, user.id)
  const { fragment, isPinned } = asked
  if (views.some((view) => view.fragment === fragment)) {
    throw badRequest(sentSentence('Navigation view already exists.'), { parameter: 'fragment' })
  }
  if (fragment === '')
    throw badRequest(sentSentence('fragment cannot be blank'), { parameter: 'fragment' })
  const isBuiltIn = builtInViews.has(fragment)
  if (!isBuiltIn && asked.name === undefined)
    throw badRequest(sentSentence('A custom view must have a name.'), { parameter: 'name' })
  const name = asked.name === undefined ? null : checkName(views, fragment, asked.name)
  requireRoom(tx, navigationViewQuota, user)
  const view = { userId: user.id, fragment, isPinned, name }
  insertNavigationView(tx, view)
  tx.emit(navigationViewAddEvent(view), [user.id])
}

/**
 * Pins or unpins a view, or renames a custom view; emits `navigation_view`/`update`.
 *
 * @throws NOT_FOUND the user has no such view
 * @throws BAD_REQUEST a taken or blank name, or a name for a built-in view
 * @source Zulip API, "Update the navigation view" (feature level 390)
 */
export function editNavigationView(
  tx: Tx,
  user: User,
  fragment: string,
  asked: NavigationViewChange,
): void {
  const views = listNavigationViews(tx, user.id)
  const view = requireView(views, fragment)
  const change = {
    ...(asked.isPinned !== undefined && { isPinned: asked.isPinned }),
    ...(asked.name != null && { name: checkName(views, fragment, asked.name) }),
  }
  if (Object.keys(change).length === 0) return
  updateNavigationView(tx, view, change)
  tx.emit(navigationViewUpdateEvent(fragment, change), [user.id])
}

/**
 * Removes a view, and emits `navigation_view`/`remove`.
 *
 * @throws NOT_FOUND the user has no such view
 * @source Zulip API, "Remove a navigation view" (feature level 390)
 */
export function removeNavigationView(tx: Tx, user: User, fragment: string): void {
  deleteNavigationView(tx, requireView(listNavigationViews(tx, user.id), fragment))
  tx.emit(navigationViewRemoveEvent(fragment), [user.id])
}

function requireView(views: readonly NavigationView[], fragment: string): NavigationView {
  const view = views.find((each) => each.fragment === fragment)
  if (!view)
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('Navigation view does not exist.'),
      {},
      { parameter: 'fragment' },
    )
  return view
}

function checkName(views: readonly NavigationView[], fragment: string, asked: string): string {
  if (builtInViews.has(fragment))
    throw badRequest(sentSentence('Built-in views cannot have a custom name.'), {
      parameter: 'name',
    })
  const name = asked.trim()
  if (name === '') throw badRequest(sentSentence('name cannot be blank'), { parameter: 'name' })
  if (views.some((view) => view.name === name && view.fragment !== fragment)) {
    throw badRequest(sentSentence('A navigation view with this name already exists.'), {
      parameter: 'name',
    })
  }
  return name
}
