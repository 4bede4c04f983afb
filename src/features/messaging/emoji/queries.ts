import { and, asc, eq, sql } from 'drizzle-orm'
import { emojiByName, emojiNames } from '#platform/emoji-data/unicode.ts'
import { badRequest } from '#platform/errors.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { emojiPictures, type reactionTypes, realmEmoji } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

export type CustomEmoji = typeof realmEmoji.$inferSelect

/** The extra emoji that every realm has; its code is its name. */
export const extraEmoji = 'zulip'

const activeByName = prepared((db) =>
  db
    .select()
    .from(realmEmoji)
    .where(and(eq(realmEmoji.name, sql.placeholder('name')), eq(realmEmoji.deactivated, false)))
    .prepare(),
)

/** The active custom emoji with this name. */
export function findCustomEmoji(read: Read, name: string): CustomEmoji | undefined {
  return activeByName(read).get({ name })
}

const byId = prepared((db) =>
  db
    .select()
    .from(realmEmoji)
    .where(eq(realmEmoji.id, sql.placeholder('id')))
    .prepare(),
)

const all = prepared((db) => db.select().from(realmEmoji).orderBy(asc(realmEmoji.id)).prepare())

/** All custom emoji, including deactivated ones, by id. */
export function listCustomEmoji(read: Read): CustomEmoji[] {
  return all(read).all()
}

export function insertCustomEmoji(tx: Tx, emoji: typeof realmEmoji.$inferInsert): CustomEmoji {
  return tx.db.insert(realmEmoji).values(emoji).returning().get()
}

export function deactivateEmoji(tx: Tx, id: number): void {
  tx.db.update(realmEmoji).set({ deactivated: true }).where(eq(realmEmoji.id, id)).run()
}

export type EmojiPicture = typeof emojiPictures.$inferSelect

const picture = preparedSql<EmojiPicture>(`
  SELECT file_name AS fileName, file_hash AS fileHash, content_type AS contentType
  FROM emoji_pictures WHERE file_name = @fileName`)

/** The picture of an emoji, by the file name in its URL. */
export function findEmojiPicture(read: Read, fileName: string): EmojiPicture | undefined {
  return picture(read).get({ fileName })
}

/** Does nothing if another emoji has the same picture. */
export function insertEmojiPicture(tx: Tx, picture: EmojiPicture): void {
  tx.db.insert(emojiPictures).values(picture).onConflictDoNothing().run()
}

export interface Emoji {
  readonly emojiName: string
  readonly emojiCode: string
  readonly reactionType: (typeof reactionTypes)[number]
}

/** An emoji as a client names it; a missing code or type is looked up from the name. */
export interface RequestedEmoji {
  readonly emojiName: string
  readonly emojiCode: string | undefined
  readonly reactionType: Emoji['reactionType'] | undefined
}

/**
 * Completes an emoji's code and type from its name. Custom emoji take precedence over built-in
 * ones. Does not check that a given code exists: see `requireUsableEmoji`.
 *
 * @throws BAD_REQUEST no emoji has this name
 */
export function lookUpEmoji(read: Read, requested: RequestedEmoji): Emoji {
  const { emojiName, emojiCode, reactionType } = requested
  if (emojiCode !== undefined && reactionType !== undefined) {
    return { emojiName, emojiCode, reactionType }
  }
  const found = emojiOfName(read, emojiName)
  if (emojiCode === undefined && (reactionType ?? found?.reactionType) === found?.reactionType) {
    if (found) return found
  }
  if (emojiCode !== undefined) return { emojiName, emojiCode, reactionType: 'unicode_emoji' }
  throw badRequest(sentSentence("Emoji '{name}' does not exist", { name: emojiName }), {
    parameter: 'emoji_name',
  })
}

function emojiOfName(read: Read, emojiName: string): Emoji | undefined {
  const custom = findCustomEmoji(read, emojiName)
  if (custom) return { emojiName, emojiCode: String(custom.id), reactionType: 'realm_emoji' }
  if (emojiName === extraEmoji) {
    return { emojiName, emojiCode: extraEmoji, reactionType: 'zulip_extra_emoji' }
  }
  const code = emojiByName(emojiName)
  return code === undefined
    ? undefined
    : { emojiName, emojiCode: code, reactionType: 'unicode_emoji' }
}

/**
 * Requires an active emoji whose code, type and name match.
 *
 * @throws BAD_REQUEST
 */
export function requireUsableEmoji(read: Read, emoji: Emoji): void {
  const { emojiName, emojiCode, reactionType } = emoji
  if (reactionType === 'realm_emoji') {
    const custom = /^\d{1,15}$/.test(emojiCode)
      ? byId(read).get({ id: Number(emojiCode) })
      : undefined
    if (!custom)
      throw badRequest(sentSentence('Invalid custom emoji.'), { parameter: 'emoji_code' })
    if (custom.deactivated)
      throw badRequest(sentSentence('This custom emoji has been deactivated.'), {
        parameter: 'emoji_code',
      })
    if (custom.name !== emojiName)
      throw badRequest(sentSentence('Invalid custom emoji name.'), { parameter: 'emoji_name' })
  } else if (reactionType === 'zulip_extra_emoji') {
    if (emojiCode !== extraEmoji || emojiName !== extraEmoji) {
      throw badRequest(sentSentence('Invalid emoji code.'), { parameter: 'emoji_code' })
    }
  } else {
    const names = emojiNames(emojiCode)
    if (names.length === 0)
      throw badRequest(sentSentence('Invalid emoji code.'), { parameter: 'emoji_code' })
    if (!names.includes(emojiName))
      throw badRequest(sentSentence('Invalid emoji name.'), { parameter: 'emoji_name' })
  }
}
