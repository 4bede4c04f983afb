import { endpoint } from '#platform/http/endpoint.ts'
import { json, textArray } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { listAlertWords } from './queries.ts'
import { alertWordQuota } from './quotas.ts'

/** At most 1000 words per request, of at most 100 characters each. */
const words = json(textArray(1000, 100))

/** @source Zulip API, "Get all alert words" */
export const getAlertWords = endpoint({
  method: 'get',
  path: '/users/me/alert_words',
  summary: "List the caller's alert words.",
  params: {},
  reply: { alert_words: shape.list(shape.string) },
  run: ({ store, user }) => ({ alert_words: listAlertWords(store, user.id) }),
})

/** @source Zulip API, "Add alert words" */
export const addAlertWords = endpoint({
  method: 'post',
  path: '/users/me/alert_words',
  summary: 'Add alert words, and get all of them.',
  description: limitsText(alertWordQuota),
  params: { alert_words: words },
  reply: { alert_words: shape.list(shape.string) },
  run: async ({ store }, p) => ({
    alert_words: await store.write((tx, user) => actions.addAlertWords(tx, user, p.alert_words)),
  }),
})

/** @source Zulip API, "Remove alert words" */
export const removeAlertWords = endpoint({
  method: 'delete',
  path: '/users/me/alert_words',
  summary: 'Remove alert words, and get all that are left.',
  params: { alert_words: words },
  reply: { alert_words: shape.list(shape.string) },
  run: async ({ store }, p) => ({
    alert_words: await store.write((tx, user) => actions.removeAlertWords(tx, user, p.alert_words)),
  }),
})
