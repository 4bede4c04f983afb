import type { Context } from '#context.ts'
import { endpoint } from '#http/endpoint.ts'
import { text } from '#http/params.ts'
import { probe } from '#images/probe.ts'
import { pictureBodyLimit, receivedPicture } from '#images/received.ts'
import { type Target, thumbnail } from '#images/thumbnail.ts'
import { pictureLimits } from '#realm/limits.ts'
import { addEmoji, emojiName, emojiTargets, removeEmoji, requireEmojiAllowed } from './actions.ts'
import { emojiMapJson } from './json.ts'
import { type EmojiPicture, listCustomEmoji as list } from './queries.ts'
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

/** @source the API description's "Upload custom emoji" */
export const uploadCustomEmoji = endpoint({
  method: 'post',
  path: '/realm/emoji/:emoji_name',
  summary: 'Adds a custom emoji.',
  params: { emoji_name: text(1000) },
  file: `PNG, JPEG, GIF or WebP, at most ${pictureLimits.emoji} MiB; an animation stays one.`,
  bodyLimit: pictureBodyLimit(pictureLimits.emoji),
  errors: ['BAD_IMAGE'],
  reply: {},
  async run(caller, p, { files }) {
    const { store, server } = caller
    const name = emojiName(p.emoji_name)
    requireEmojiAllowed(store, caller, name)
    const bytes = await receivedPicture(files, 'emoji', pictureLimits.emoji)
    const pictures = await keepPictures(server, bytes)
    await store.write((tx) => addEmoji(tx, caller, { name, ...pictures }))
  },
})

/** @source the API description's "Deactivate custom emoji" */
export const deactivateCustomEmoji = endpoint({
  method: 'delete',
  path: '/realm/emoji/:emoji_name',
  summary: 'Takes a custom emoji out of use.',
  params: { emoji_name: text(1000) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => removeEmoji(tx, caller, p.emoji_name)),
})

/** Makes an emoji's picture, and the still one of an animation, and puts them into the store. */
async function keepPictures(
  server: Context,
  bytes: Uint8Array,
): Promise<{ picture: EmojiPicture; still: EmojiPicture | undefined }> {
  const { still, gif, webp } = emojiTargets
  const { contentType, animated } = probe(bytes)
  const moving = contentType === 'image/webp' ? webp : gif
  const first = await keepPicture(server, bytes, still)
  if (!animated) return { picture: first, still: undefined }
  return { picture: await keepPicture(server, bytes, moving), still: first }
}

async function keepPicture(
  { files }: Context,
  bytes: Uint8Array,
  target: Target,
): Promise<EmojiPicture> {
  const fileHash = await files.put(await thumbnail(bytes, target))
  // The same bytes have the same name: it can be kept in caches for ever.
  const fileName = `${fileHash.slice(0, 32)}.${target.format}`
  return { fileName, fileHash, contentType: `image/${target.format}` }
}
