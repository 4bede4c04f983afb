import { endpoint } from '#http/endpoint.ts'
import { json, textArray } from '#http/params.ts'
import { list, string } from '#shape.ts'
import * as actions from './actions.ts'
import { listAlertWords } from './queries.ts'

/** At most so many words in one request, each of at most so many characters. */
const words = json(textArray(1000, 100))

/** @source the API description of `GET /users/me/alert_words` */
export const getAlertWords = endpoint({
  method: 'get',
  path: '/users/me/alert_words',
  summary: "List the caller's alert words.",
  params: {},
  reply: { alert_words: list(string) },
  run: ({ store, user }) => ({ alert_words: listAlertWords(store, user.id) }),
})

/** @source the API description of `POST /users/me/alert_words` */
export const addAlertWords = endpoint({
  method: 'post',
  path: '/users/me/alert_words',
  summary: 'Add alert words, and get all of them.',
  params: { alert_words: words },
  reply: { alert_words: list(string) },
  run: async ({ store, user }, p) => ({
    alert_words: await store.write((tx) => actions.addAlertWords(tx, user, p.alert_words)),
  }),
})

/** @source the API description of `DELETE /users/me/alert_words` */
export const removeAlertWords = endpoint({
  method: 'delete',
  path: '/users/me/alert_words',
  summary: 'Remove alert words, and get all that are left.',
  params: { alert_words: words },
  reply: { alert_words: list(string) },
  run: async ({ store, user }, p) => ({
    alert_words: await store.write((tx) => actions.removeAlertWords(tx, user, p.alert_words)),
  }),
})
