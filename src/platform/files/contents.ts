import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/*
 * A folder of contents: files named by the SHA-256 of their bytes, as `ab/cdef…`.
 */

/** The path of the contents with this hash. */
export function contentsPath(folder: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('Not the name of contents.')
  return join(folder, hash.slice(0, 2), hash.slice(2))
}

const draftsOf = (folder: string) => join(folder, 'incoming')

/** Removes the unfinished files of an earlier process. */
export function clearDrafts(folder: string): void {
  rmSync(draftsOf(folder), { recursive: true, force: true })
}

/**
 * Writes contents to a temporary file, syncs it to disk and renames it, so that a file under its
 * final name is complete even after a crash. Contents that are there already are not synced again:
 * every other write to the disk would have to wait for it.
 *
 * @param beforeNaming called with the hash before the rename; from then on, contents that are there
 *   must stay
 * @returns the SHA-256 in hex, and the size in bytes
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
    const written = await writeAll(file, contents)
    const path = contentsPath(folder, written.hash)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await beforeNaming(written.hash)
    const isThere = await stat(path).then(
      ({ size }) => size === written.size,
      () => false,
    )
    if (!isThere) {
      await file.sync()
      await file.close()
      await rename(draft, path)
    }
    await syncFolder(dirname(path))
    return written
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

/** The bytes of a file from `start` on, at most `length`. */
export async function readPart(path: string, start: number, length: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    // Never returns bytes of the buffer that were not read.
    const part = Buffer.allocUnsafeSlow(length)
    let size = 0
    while (size < length) {
      const { bytesRead } = await file.read(part, size, length - size, start + size)
      if (bytesRead === 0) break
      size += bytesRead
    }
    return part.subarray(0, size)
  } finally {
    await file.close()
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
  return { hash: digest.digest('hex'), size }
}

/** Makes a rename durable. Does nothing on systems where folders cannot be opened. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
