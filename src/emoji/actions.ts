import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Target } from '#images/thumbnail.ts'
import { can } from '#permissions/can.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, roles, type User } from '#users/queries.ts'
import { emitEmojiAdded, emitEmojiDeactivated } from './events.ts'
import {
  deactivateEmoji,
  type EmojiPicture,
  extraEmoji,
  findCustomEmoji,
  insertCustomEmoji,
  insertEmojiPicture,
} from './queries.ts'
import { emojiByName } from './unicode.ts'

const size = 64
const longestName = 100

/** What is made of an uploaded picture: the emoji, and how it looks while it does not move. */
export const emojiTargets = {
  still: { width: size, height: size, fit: 'cover', format: 'png' },
  gif: { width: size, height: size, fit: 'cover', format: 'gif', animated: true },
  webp: { width: size, height: size, fit: 'cover', format: 'webp', animated: true },
} as const satisfies Record<string, Target>

/**
 * The name under which an emoji is kept: small letters, and underscores for spaces.
 *
 * @throws BAD_REQUEST other characters, or none
 * @source the API description's "Upload custom emoji"
 */
export function emojiName(asked: string): string {
  const name = asked.trim().toLowerCase().replaceAll(' ', '_')
  if (name === '') throw badRequest('The name of the emoji is missing.')
  if (name.length > longestName) {
    throw badRequest(`The name of the emoji is too long (limit: ${longestName} characters).`)
  }
  if (!/^[a-z0-9_-]*[a-z0-9]$/.test(name)) {
    throw badRequest(
      'The name of an emoji consists of letters, digits, dashes, underscores and spaces, and ends ' +
        'with a letter or digit.',
    )
  }
  return name
}

/**
 * Whether the caller may add an emoji of this name. Only administrators replace built-in ones.
 *
 * @param name as `emojiName` returns it
 * @throws BAD_REQUEST
 */
export function requireEmojiAllowed(read: Read, caller: Pick<Caller, 'user'>, name: string): void {
  const user = currentUser(read, caller.user)
  if (!can(read, user, 'can_add_custom_emoji_group')) throw badRequest('Insufficient permission')
  if (findCustomEmoji(read, name)) throw badRequest('A custom emoji with this name already exists.')
  const isBuiltIn = name === extraEmoji || emojiByName(name) !== undefined
  if (isBuiltIn && user.role > roles.admin) {
    throw badRequest('Only administrators can replace built-in emoji.')
  }
}

export interface NewEmoji {
  readonly name: string
  readonly picture: EmojiPicture
  /** For an animation. */
  readonly still: EmojiPicture | undefined
}

/**
 * Adds a custom emoji and tells everybody.
 *
 * @throws BAD_REQUEST as `requireEmojiAllowed`
 */
export function addEmoji(tx: Tx, caller: Caller, { name, picture, still }: NewEmoji): void {
  requireEmojiAllowed(tx, caller, name)
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
 * Takes a custom emoji out of use. Messages, reactions and statuses that have it keep it.
 *
 * @throws NOT_FOUND no active emoji has this name
 * @throws BAD_REQUEST neither its author nor an administrator
 * @source the API description's "Deactivate custom emoji"
 */
export function removeEmoji(tx: Tx, caller: Pick<Caller, 'user'>, name: string): void {
  const emoji = findCustomEmoji(tx, name)
  if (!emoji) throw new ApiError('NOT_FOUND', `Emoji '${name}' does not exist`)
  const user = currentUser(tx, caller.user)
  if (user.role > roles.admin && emoji.authorId !== user.id) {
    throw badRequest('Must be an organization administrator or the author of the emoji')
  }
  deactivateEmoji(tx, emoji.id)
  emitEmojiDeactivated(tx, emoji.id)
}

function currentUser(read: Read, user: User): User {
  return findUser(read, user.id) ?? user
}
