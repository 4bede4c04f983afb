import { endpoint } from '#http/endpoint.ts'
import { emojiMapJson } from './json.ts'
import { listCustomEmoji as list } from './queries.ts'

/** @source the API description of `GET /realm/emoji` */
export const listCustomEmoji = endpoint({
  method: 'get',
  path: '/realm/emoji',
  params: {},
  run: ({ store }) => ({ emoji: emojiMapJson(list(store)) }),
})
