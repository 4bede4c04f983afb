import { limits } from '#features/foundation/realm/limits.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, optional, proseText, word, wordOf } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { navigationViewJson } from './events.ts'
import { listNavigationViews } from './queries.ts'
import { navigationViewQuota } from './quotas.ts'
import { navigationViewShape } from './shapes.ts'

const fragment = word(1000)
const name = optional(wordOf(proseText(limits.navigationViewNameLength)))

/** @source Zulip API, "Get all navigation views" (feature level 390) */
export const getNavigationViews = endpoint({
  method: 'get',
  path: '/navigation_views',
  summary: "List the caller's navigation views.",
  params: {},
  reply: { navigation_views: shape.list(navigationViewShape) },
  run: ({ store, user }) => ({
    navigation_views: listNavigationViews(store, user.id).map(navigationViewJson),
  }),
})

/** @source Zulip API, "Add a navigation view" (feature level 390) */
export const addNavigationView = endpoint({
  method: 'post',
  path: '/navigation_views',
  summary: 'Add a navigation view.',
  description: limitsText(navigationViewQuota),
  params: { fragment, is_pinned: bool(), name },
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) =>
      actions.addNavigationView(tx, user, {
        fragment: p.fragment,
        isPinned: p.is_pinned,
        name: p.name,
      }),
    ),
})

/** @source Zulip API, "Update the navigation view" (feature level 390) */
export const editNavigationView = endpoint({
  method: 'patch',
  path: '/navigation_views/:fragment{.+}',
  summary: 'Change a navigation view.',
  params: { fragment, is_pinned: optional(bool()), name },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) =>
      actions.editNavigationView(tx, user, p.fragment, {
        ...(p.is_pinned !== undefined && { isPinned: p.is_pinned }),
        ...(p.name !== undefined && { name: p.name }),
      }),
    ),
})

/** @source Zulip API, "Remove a navigation view" (feature level 390) */
export const removeNavigationView = endpoint({
  method: 'delete',
  path: '/navigation_views/:fragment{.+}',
  summary: 'Remove a navigation view.',
  params: { fragment },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) => actions.removeNavigationView(tx, user, p.fragment)),
})
