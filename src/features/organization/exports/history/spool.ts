import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { TarEntry } from '#features/organization/exports/tar.ts'

/** After how many characters, or milliseconds, others get their turn. */
const atOnce = 64 * 1024
const longestTurn = 5

/**
 * Writes texts to a file, in parts between which others get their turn, and makes an entry of an
 * archive of it: an archive needs to know the size of each entry in advance.
 *
 * @param name of the file in `folder`, unique there
 * @param texts made while they are read; at empty ones, others can get their turn
 */
export async function spooled(
  folder: string,
  name: string,
  path: string,
  texts: Iterable<string>,
  signal: AbortSignal,
): Promise<TarEntry> {
  const file = join(folder, name)
  await pipeline(Readable.from(parts(texts)), createWriteStream(file, { mode: 0o600 }), { signal })
  return { path, size: (await stat(file)).size, contents: createReadStream(file) }
}

async function* parts(texts: Iterable<string>): AsyncGenerator<Buffer> {
  let part = ''
  let since = performance.now()
  for (const text of texts) {
    part += text
    const isFull = part.length >= atOnce
    if (!isFull && performance.now() - since < longestTurn) continue
    if (isFull) {
      yield Buffer.from(part)
      part = ''
    }
    await setImmediate()
    since = performance.now()
  }
  yield Buffer.from(part)
}

/** A small text as an entry of an archive. */
export function textEntry(path: string, text: string): TarEntry {
  const bytes = Buffer.from(text)
  return { path, size: bytes.byteLength, contents: [bytes] }
}
