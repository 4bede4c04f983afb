import { endpoint } from '#http/endpoint.ts'
import { bool, optional, word } from '#http/params.ts'
import { limits } from '#realm/limits.ts'
import { list } from '#shape.ts'
import * as actions from './actions.ts'
import { navigationViewJson } from './events.ts'
import { listNavigationViews } from './queries.ts'
import { navigationViewShape } from './shapes.ts'

const fragment = word(1000)
const name = optional(word(limits.navigationViewNameLength))

/** @source api-changes §2a (level 390) */
export const getNavigationViews = endpoint({
  method: 'get',
  path: '/navigation_views',
  summary: "List the caller's navigation views.",
  params: {},
  reply: { navigation_views: list(navigationViewShape) },
  run: ({ store, user }) => ({
    navigation_views: listNavigationViews(store, user.id).map(navigationViewJson),
  }),
})

/** @source api-changes §2a */
export const addNavigationView = endpoint({
  method: 'post',
  path: '/navigation_views',
  summary: 'Add a navigation view.',
  params: { fragment, is_pinned: bool(), name },
  reply: {},
  run: ({ store, user }, p) =>
    store.write((tx) =>
      actions.addNavigationView(tx, user, {
        fragment: p.fragment,
        isPinned: p.is_pinned,
        name: p.name,
      }),
    ),
})

/** @source contract, "Update the navigation view" */
export const editNavigationView = endpoint({
  method: 'patch',
  path: '/navigation_views/:fragment{.+}',
  summary: 'Change a navigation view.',
  params: { fragment, is_pinned: optional(bool()), name },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, p) =>
    store.write((tx) =>
      actions.editNavigationView(tx, user, p.fragment, {
        ...(p.is_pinned !== undefined && { isPinned: p.is_pinned }),
        ...(p.name !== undefined && { name: p.name }),
      }),
    ),
})

/** @source api-changes §2a */
export const removeNavigationView = endpoint({
  method: 'delete',
  path: '/navigation_views/:fragment{.+}',
  summary: 'Remove a navigation view.',
  params: { fragment },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, p) =>
    store.write((tx) => actions.removeNavigationView(tx, user, p.fragment)),
})
