import { endpoint } from '#http/endpoint.ts'
import { emojiMapJson } from './json.ts'
import { listCustomEmoji as list } from './queries.ts'
import { emojiMapShape } from './shapes.ts'

/** @source the API description of `GET /realm/emoji` */
export const listCustomEmoji = endpoint({
  method: 'get',
  path: '/realm/emoji',
  summary: 'List the custom emoji.',
  params: {},
  reply: { emoji: emojiMapShape },
  run: ({ store }) => ({ emoji: emojiMapJson(list(store)) }),
})
