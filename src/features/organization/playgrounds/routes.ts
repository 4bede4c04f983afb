import { endpoint } from '#platform/http/endpoint.ts'
import { int, text, word } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { playgroundQuota } from './quotas.ts'

/** @source Zulip API, "Add a code playground" */
export const addPlayground = endpoint({
  method: 'post',
  path: '/realm/playgrounds',
  summary: 'Add a code playground: a website that runs code of a language.',
  description: limitsText(playgroundQuota),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { id: shape.integer },
  params: { name: text(100), pygments_language: word(40), url_template: text(1000) },
  run: (caller, p) =>
    caller.store.write((tx) => {
      const { name, pygments_language: language, url_template: urlTemplate } = p
      return { id: actions.addPlayground(tx, caller, { name, language, urlTemplate }) }
    }),
})

/** @source Zulip API, "Remove a code playground" */
export const removePlayground = endpoint({
  method: 'delete',
  path: '/realm/playgrounds/:playground_id{[0-9]+}',
  summary: 'Remove a code playground.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { playground_id: int() },
  run: (caller, p) =>
    caller.store.write((tx) => actions.removePlayground(tx, caller, p.playground_id)),
})
