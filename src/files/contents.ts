import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/*
 * A folder of contents: files named by the SHA-256 of what is in them, `ab/cdef…`.
 */

/** Where the contents of a hash are in a folder of contents. */
export function contentsPath(folder: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('Not the name of contents.')
  return join(folder, hash.slice(0, 2), hash.slice(2))
}

const draftsOf = (folder: string) => join(folder, 'incoming')

/** Removes what an earlier process had not finished. */
export function clearDrafts(folder: string): void {
  rmSync(draftsOf(folder), { recursive: true, force: true })
}

/**
 * Writes contents under another name, forces them to disk and renames them, so that what has its
 * name is whole, whenever the machine stops.
 *
 * @param beforeNaming called with the hash before the file gets its name
 */
export async function writeContents(
  folder: string,
  contents: AsyncIterable<Uint8Array>,
  beforeNaming: (hash: string) => Promise<void> = async () => {},
): Promise<{ readonly hash: string; readonly size: number }> {
  await mkdir(draftsOf(folder), { recursive: true, mode: 0o700 })
  const draft = join(draftsOf(folder), randomBytes(16).toString('hex'))
  const file = await open(draft, 'wx', 0o600)
  try {
    const written = await writeAll(file, contents).finally(() => file.close())
    const path = contentsPath(folder, written.hash)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await beforeNaming(written.hash)
    await rename(draft, path)
    await syncFolder(dirname(path))
    return written
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeAll(file: FileHandle, contents: AsyncIterable<Uint8Array>) {
  const digest = createHash('sha256')
  let size = 0
  for await (const part of contents) {
    digest.update(part)
    size += part.byteLength
    await file.writeFile(part)
  }
  await file.sync()
  return { hash: digest.digest('hex'), size }
}

/** A rename is on disk when its folder is. Where folders cannot be opened, the system sees to it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
