import { can } from '#features/foundation/permissions/rules.ts'
import { roles } from '#features/foundation/users/queries.ts'
import type { Context } from '#platform/context.ts'
import { emojiByName } from '#platform/emoji-data/unicode.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { badPicture } from '#platform/pictures/errors.ts'
import { makePicture } from '#platform/pictures/make.ts'
import type { ReceivedPicture } from '#platform/pictures/received.ts'
import type { ThumbnailOptions } from '#platform/pictures/thumbnail.ts'
import { requireRoom, spend } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { emitEmojiAdded, emitEmojiDeactivated } from './events.ts'
import {
  deactivateEmoji,
  type EmojiPicture,
  extraEmoji,
  findCustomEmoji,
  insertCustomEmoji,
  insertEmojiPicture,
} from './queries.ts'
import { emojiQuota, newEmojiQuota } from './quotas.ts'

const size = 64
const longestName = 100

/** The formats of stored pictures: `still` for still emoji and the still image of animations. */
const emojiTargets = {
  still: { width: size, height: size, fit: 'contain', format: 'png' },
  gif: { width: size, height: size, fit: 'contain', format: 'gif', animated: true },
  webp: { width: size, height: size, fit: 'contain', format: 'webp', animated: true },
} as const satisfies Record<string, ThumbnailOptions>

/**
 * Makes an emoji's picture, and the still image of an animation, and stores them while `use` adds
 * the emoji.
 *
 * @throws BAD_IMAGE; RATE_LIMIT_HIT as `makePicture`
 */
export async function makeEmojiPictures<T>(
  { files }: Pick<Context, 'files'>,
  source: ReceivedPicture,
  use: (pictures: Pick<NewEmoji, 'picture' | 'still'>) => Promise<T>,
): Promise<T> {
  const { contentType, animated } = source.picture
  const { still, gif, webp } = emojiTargets
  const moving = contentType === 'image/webp' ? webp : gif
  // Makes the picture that messages show first.
  const targets = animated ? [moving, still] : [still]
  const made: Uint8Array[] = []
  for (const target of targets) made.push(await makePicture(files, source, target))
  return await files.putAllFor(made, async (hashes) => {
    const [picture, stillPicture] = hashes.map((hash, i) =>
      emojiPicture(hash, targets[i]?.format ?? 'png'),
    )
    if (!picture) throw badPicture()
    return await use({ picture, still: stillPicture })
  })
}

function emojiPicture(fileHash: string, format: ThumbnailOptions['format']): EmojiPicture {
  // The name depends on the content, so caches may keep the file forever.
  const fileName = `${fileHash.slice(0, 32)}.${format}`
  return { fileName, fileHash, contentType: `image/${format}` }
}

/**
 * The name of an emoji as it is stored: in lowercase, with underscores for spaces.
 *
 * @throws BAD_REQUEST empty, too long, or with an invalid character
 * @source Zulip API, "Upload custom emoji"
 */
export function emojiName(requested: string): string {
  const name = requested.trim().toLowerCase().replaceAll(' ', '_')
  if (name === '')
    throw badRequest(sentSentence('The name of the emoji is missing.'), { parameter: 'emoji_name' })
  if (name.length > longestName) {
    throw badRequest(
      sentSentence('The name of the emoji is too long (limit: {count} characters).', {
        count: longestName,
      }),
      { parameter: 'emoji_name' },
    )
  }
  if (!/^[a-z0-9_-]*[a-z0-9]$/.test(name)) {
    const said = sentSentence(
      'The name of an emoji consists of letters, digits, dashes, underscores and spaces, and ends ' +
        'with a letter or digit.',
    )
    throw badRequest(said, { parameter: 'emoji_name' })
  }
  return name
}

/**
 * Requires that the caller may add an emoji with this name. Only administrators may replace
 * built-in ones.
 *
 * @param name as `emojiName` returns it
 * @throws BAD_REQUEST no permission, a custom emoji has the name, or there are too many
 * @throws RATE_LIMIT_HIT the caller added too many lately
 */
export function requireEmojiAllowed(read: Read, caller: Pick<Caller, 'user'>, name: string): void {
  const { user } = caller
  if (!can(read, user, 'can_add_custom_emoji_group'))
    throw badRequest(sentSentence('Insufficient permission'))
  if (findCustomEmoji(read, name))
    throw badRequest(sentSentence('A custom emoji with this name already exists.'), {
      parameter: 'emoji_name',
    })
  const isBuiltIn = name === extraEmoji || emojiByName(name) !== undefined
  if (isBuiltIn && user.role > roles.admin) {
    throw badRequest(sentSentence('Only administrators can replace built-in emoji.'), {
      parameter: 'emoji_name',
    })
  }
  requireRoom(read, emojiQuota, 'all')
  requireRoom(read, newEmojiQuota, user)
}

export interface NewEmoji {
  readonly name: string
  readonly picture: EmojiPicture
  /** The still image of an animation. */
  readonly still: EmojiPicture | undefined
}

/**
 * Adds a custom emoji and emits it to everyone.
 *
 * @throws BAD_REQUEST as `requireEmojiAllowed`
 * @source Zulip API, "Upload custom emoji"
 */
export function addEmoji(tx: Tx, caller: Caller, { name, picture, still }: NewEmoji): void {
  requireEmojiAllowed(tx, caller, name)
  spend(tx, newEmojiQuota, caller.user)
  insertEmojiPicture(tx, picture)
  if (still) insertEmojiPicture(tx, still)
  const emoji = insertCustomEmoji(tx, {
    name,
    authorId: caller.user.id,
    fileName: picture.fileName,
    stillFileName: still?.fileName ?? null,
  })
  emitEmojiAdded(tx, emoji)
}

/**
 * Deactivates a custom emoji. Messages, reactions and statuses that use it keep it.
 *
 * @throws NOT_FOUND no active emoji has this name
 * @throws BAD_REQUEST the caller is neither its author nor an administrator
 * @source Zulip API, "Deactivate custom emoji"
 */
export function removeEmoji(tx: Tx, caller: Pick<Caller, 'user'>, name: string): void {
  const emoji = findCustomEmoji(tx, name)
  if (!emoji)
    throw new ApiError(
      'NOT_FOUND',
      sentSentence("Emoji '{name}' does not exist", { name }),
      {},
      { parameter: 'emoji_name' },
    )
  const { user } = caller
  if (user.role > roles.admin && emoji.authorId !== user.id) {
    throw badRequest(
      sentSentence('Must be an organization administrator or the author of the emoji'),
    )
  }
  deactivateEmoji(tx, emoji.id)
  emitEmojiDeactivated(tx, emoji.id)
}
