import { pictureLimits } from '#features/foundation/realm/limits.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { text } from '#platform/http/params.ts'
import { pictureBodyLimit, receivedPicture } from '#platform/pictures/received.ts'
import { limitsText } from '#platform/quotas/room.ts'
import {
  addEmoji,
  emojiName,
  makeEmojiPictures,
  removeEmoji,
  requireEmojiAllowed,
} from './actions.ts'
import { emojiMapJson } from './json.ts'
import { listCustomEmoji as list } from './queries.ts'
import { emojiQuota, newEmojiQuota } from './quotas.ts'
import { emojiMapShape } from './shapes.ts'

/** @source Zulip API, "Get all custom emoji" */
export const listCustomEmoji = endpoint({
  method: 'get',
  path: '/realm/emoji',
  summary: 'List the custom emoji.',
  params: {},
  reply: { emoji: emojiMapShape },
  run: ({ store }) => ({ emoji: emojiMapJson(list(store)) }),
})

/** @source Zulip API, "Upload custom emoji" */
export const uploadCustomEmoji = endpoint({
  method: 'post',
  path: '/realm/emoji/:emoji_name',
  summary: 'Add a custom emoji.',
  description: limitsText(emojiQuota, newEmojiQuota),
  params: { emoji_name: text(1000) },
  file: `PNG, JPEG, GIF or WebP, at most ${pictureLimits.emoji} MiB; may be animated.`,
  bodyLimit: pictureBodyLimit(pictureLimits.emoji),
  errors: ['BAD_IMAGE'],
  reply: {},
  async run(caller, p, request) {
    const { store, server } = caller
    const name = emojiName(p.emoji_name)
    requireEmojiAllowed(store, caller, name)
    const expected = { what: 'emoji', limitMib: pictureLimits.emoji }
    await receivedPicture(caller, request, expected, (source) =>
      makeEmojiPictures(server, source, (pictures) =>
        store.write((tx) => addEmoji(tx, caller, { name, ...pictures })),
      ),
    )
  },
})

/** @source Zulip API, "Deactivate custom emoji" */
export const deactivateCustomEmoji = endpoint({
  method: 'delete',
  path: '/realm/emoji/:emoji_name',
  summary: 'Deactivate a custom emoji.',
  params: { emoji_name: text(1000) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => removeEmoji(tx, caller, p.emoji_name)),
})
