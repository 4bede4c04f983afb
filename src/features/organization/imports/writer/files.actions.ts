import { insertAttachment } from '#features/files/attachments/queries.ts'
import { addPicture } from '#features/files/thumbnails/actions.ts'
import { examine, uploadPath } from '#features/files/uploads/actions.ts'
import { cleanFileName, contentTypeOf } from '#features/files/uploads/names.ts'
import { emojiName, makeEmojiPictures } from '#features/messaging/emoji/actions.ts'
import {
  findCustomEmoji,
  insertCustomEmoji,
  insertEmojiPicture,
} from '#features/messaging/emoji/queries.ts'
import type { Reason, Table } from '#features/organization/imports/report.ts'
import { FileUnavailable } from '#features/organization/imports/source.ts'
import type {
  Body,
  EmojiItem,
  FileItem,
  OrganizationItem,
} from '#features/organization/imports/stream.ts'
import { makeRealmPicture } from '#features/organization/organization-settings/pictures/actions.ts'
import {
  type PictureKind,
  upsertRealmPicture,
} from '#features/organization/organization-settings/pictures/queries.ts'
import { makeAvatar, setAvatar } from '#features/people/avatars/actions.ts'
import { ApiError } from '#platform/errors.ts'
import type { FileStore } from '#platform/files/store.ts'
import { TooLong } from '#platform/files/store.ts'
import { pictureBounds } from '#platform/pictures/limits.ts'
import { probe, probeFile } from '#platform/pictures/probe.ts'
import type { ReceivedPicture } from '#platform/pictures/received.ts'
import { partsOf } from '#platform/pictures/received.ts'
import { withoutEnd } from '#shared/without-end.ts'
import { personOf } from './people.actions.ts'
import type { WrittenFile } from './records.ts'
import { allowClaim, findThing, noteThing } from './spool.queries.ts'
import { now, timeOf, type Work } from './work.actions.ts'

/** No file may be larger than that, in bytes: larger ones are made to fill the disk. */
const largestFile = 20 * 1024 ** 3
/** The hash in the rows of a trial, whose contents are not kept. */
const noHash = '0'.repeat(64)

/** Why a file is not available, if that is the file's fault. */
function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof FileUnavailable) return error.reason
  if (error instanceof TooLong) return 'too-large'
  return undefined
}

export async function writeFile(work: Work, item: FileItem): Promise<void> {
  const { files, notes, tx } = work
  if (findThing(tx, 'file', item.key)) {
    notes.skipped('files', 'duplicate', item.key)
    return
  }
  const name = cleanFileName(item.name)
  let file: WrittenFile = { id: 0, name }
  const isOnlyTried = !files && item.body.isElsewhere === true
  try {
    const stored = files
      ? await files.putStream(item.body(), largestFile)
      : { hash: noHash, size: item.size ?? (isOnlyTried ? 0 : await sizeOf(item.body())) }
    const owner =
      item.owner === undefined
        ? (work.people.get('system:notification-bot') ?? 0)
        : personOf(work, item.owner)
    const found = files ? await examine(files, { ...stored, name }) : undefined
    const contentType = found?.contentType ?? contentTypeOf(name)
    const created = timeOf(item.created) ?? now(work)
    const { id, pathId } = insertAttachment(tx, {
      pathId: item.path ?? uploadPath(tx, name),
      ownerId: owner,
      name,
      contentType,
      fileHash: stored.hash,
      size: stored.size,
      createdAt: created,
      unclaimedSince: now(work),
    })
    if (found?.picture) addPicture(tx, id, found.picture)
    for (const message of item.messages ?? []) allowClaim(tx, id, message)
    file = { id, name, path: pathId }
    if (isOnlyTried) await notes.toFetch('files', () => beginningOf(item.body))
    else notes.imported('files')
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason) throw error
    notes.skipped('files', reason, name)
  }
  noteThing(tx, 'file', item.key, file)
}

/** Whether a file can be fetched: whether it begins. */
async function beginningOf(body: Body): Promise<Reason | 'fetched'> {
  try {
    for await (const _ of body()) break
    return 'fetched'
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason) throw error
    return reason
  }
}

/** @throws TooLong it is larger than a picture may be */
async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > pictureBounds.bytes) throw new TooLong()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const part of body) size += part.length
  return size
}

/**
 * Lets `use` process a picture; other files are left out with a reason.
 *
 * @param table its name in the report
 * @returns whether it is a picture
 */
async function withPicture(
  { files, notes }: Work,
  body: Body,
  table: Table,
  example: string,
  use: (files: FileStore, source: ReceivedPicture) => Promise<void>,
): Promise<boolean> {
  if (!files && body.isElsewhere) {
    await notes.toFetch(table, () => beginningOf(body))
    return true
  }
  try {
    if (files) {
      await files.putFor(body(), pictureBounds.bytes, async ({ hash, size }) => {
        const picture = await probeFile(size, partsOf(files, hash))
        await use(files, { hash, picture, accountId: 0, isJob: true })
      })
    } else probe(await wholeOf(body()))
    notes.imported(table)
    return true
  } catch (error) {
    const reason = error instanceof ApiError ? 'bad-picture' : reasonOf(error)
    if (!reason) throw error
    notes.skipped(table, reason, example)
    return false
  }
}

export async function writeAvatar(work: Work, key: string, avatar: Body): Promise<void> {
  const userId = work.people.get(key)
  if (userId === undefined) return
  await withPicture(work, avatar, 'pictures', `avatar of ${key}`, async (files, source) => {
    await makeAvatar({ files }, source, async (made) => void setAvatar(work.tx, userId, made))
  })
}

export async function writeRealmPictures(
  work: Work,
  pictures: NonNullable<OrganizationItem['pictures']>,
): Promise<void> {
  for (const [kind, body] of Object.entries(pictures) as [PictureKind, Body][]) {
    await withPicture(work, body, 'pictures', kind, async (files, source) => {
      await makeRealmPicture({ files }, kind, source, async (fileHash) =>
        upsertRealmPicture(work.tx, { kind, fileHash, version: 1 }),
      )
    })
  }
}

export async function writeEmoji(work: Work, item: EmojiItem): Promise<void> {
  const { emoji, notes } = work
  if (emoji.has(item.key)) {
    notes.skipped('custom emoji', 'duplicate', item.key)
    return
  }
  const isThere = await withPicture(
    work,
    item.picture,
    'custom emoji',
    item.name,
    async (files, source) => {
      await makeEmojiPictures({ files }, source, async ({ picture, still }) => {
        insertEmojiPicture(work.tx, picture)
        if (still) insertEmojiPicture(work.tx, still)
        addEmoji(work, item, { fileName: picture.fileName, stillFileName: still?.fileName })
      })
    },
  )
  if (isThere && !work.files) addEmoji(work, item, { fileName: `trial-${item.key}.png` })
}

function addEmoji(
  work: Work,
  item: EmojiItem,
  names: { readonly fileName: string; readonly stillFileName?: string | undefined },
): void {
  const { emoji, notes, people, tx } = work
  const isActive = item.isActive !== false
  const wanted = nameOf(item)
  const name = isActive && findCustomEmoji(tx, wanted) ? `${wanted}_${emoji.size}` : wanted
  if (name !== item.name) notes.changed('custom emoji', 'new-name', name)
  const { id } = insertCustomEmoji(tx, {
    ...(item.id !== undefined && { id: item.id }),
    name,
    authorId: people.get(item.author ?? '') ?? null,
    ...names,
    deactivated: !isActive,
  })
  emoji.set(item.key, { id, name })
}

/** A valid name for an emoji. */
function nameOf({ key, name }: EmojiItem): string {
  const clean = withoutEnd(name.toLowerCase().replace(/[^a-z0-9_-]+/g, '_'), '_-')
  try {
    return emojiName(clean)
  } catch {
    return `emoji_${key.toLowerCase().replace(/[^a-z0-9]+/g, '')}`
  }
}
