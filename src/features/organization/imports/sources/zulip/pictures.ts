import { FileUnavailable, type Reading } from '#features/organization/imports/source.ts'
import type { Body, EmojiItem, FileItem } from '#features/organization/imports/stream.ts'
import type { Directory } from './directory.ts'
import { attachment, fileRecord } from './rows.ts'
import { tableRows } from './tables.ts'

/** The bytes of a file of the export. */
export function pictureBody({ archive }: Reading, path: string | undefined): Body {
  return () => {
    if (path === undefined || !archive.has(path)) throw new FileUnavailable('missing-file')
    return archive.read(path)
  }
}

/** The paths of the avatars by the people's IDs: of the originals, if they are there. */
export async function avatarPaths(reading: Reading): Promise<Map<number, string>> {
  const paths = new Map<number, string>()
  for await (const row of records(reading, 'avatars')) {
    const id = row.user_profile_id
    if (!id) continue
    const isOriginal = row.path.endsWith('.original')
    if (isOriginal || !paths.has(id)) paths.set(id, `avatars/${row.path}`)
  }
  return paths
}

async function* records(reading: Reading, folder: string) {
  const file = `${folder}/records.json`
  if (!reading.archive.has(file)) return
  for await (const { row } of tableRows(reading, file, { '': ['pictures', fileRecord] })) yield row
}

/** Custom emoji, active and deactivated. */
export async function* customEmoji(
  reading: Reading,
  { emoji }: Directory,
): AsyncGenerator<EmojiItem> {
  const paths = new Map<string, string>()
  for await (const row of records(reading, 'emoji')) {
    const name = row.file_name || row.path.slice(row.path.lastIndexOf('/') + 1)
    const bare = name.replace(/\.original$/, '')
    const isOriginal = row.path.endsWith('.original')
    if (isOriginal || !paths.has(bare)) paths.set(bare, `emoji/${row.path}`)
  }
  for (const row of emoji) {
    yield {
      type: 'emoji',
      key: String(row.id),
      id: row.id,
      name: row.name,
      author: row.author ? String(row.author) : undefined,
      isActive: !row.deactivated,
      picture: pictureBody(reading, paths.get(row.file_name)),
    }
  }
}

/** The file of all uploads' rows. */
const attachmentFile = 'attachment.json'

/** Uploads, with the messages that link to each. */
export async function* uploads(reading: Reading): AsyncGenerator<FileItem> {
  const { archive } = reading
  if (!archive.has(attachmentFile)) return
  const moved = new Map<string, string>()
  for await (const { path, s3_path } of records(reading, 'uploads')) {
    if (s3_path !== '' && s3_path !== path) moved.set(s3_path, path)
  }
  const rows = tableRows(reading, attachmentFile, { zerver_attachment: ['files', attachment] })
  for await (const { row } of rows) {
    const path = `uploads/${moved.get(row.path_id) ?? row.path_id}`
    yield {
      type: 'file',
      key: row.path_id,
      name: row.file_name,
      contentType: row.content_type ?? undefined,
      owner: String(row.owner),
      created: row.create_time ?? undefined,
      path: row.path_id,
      messages: row.messages.map(String),
      body: pictureBody(reading, path),
    }
  }
}
