import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TarHeader } from 'modern-tar'
import { ApiError, badRequest } from '#platform/errors.ts'
import { modernTar } from '#platform/files/lazy.cjs'
import { sentence } from '#translations/translate.ts'
import { requireHarmless } from './expansion.ts'
import type { ArchiveFile, Listing, Opening } from './listing.ts'
import { mostEntries, safeName } from './names.ts'
import { sparseFile } from './sparse.ts'

/** The size of the header of a file in a tar archive. */
export const tarHeader = 512

/** Whether these bytes begin a tar archive: by its mark or, in the oldest form, by its sum. */
export function isTar(start: Uint8Array): boolean {
  const header = Buffer.from(start.subarray(0, tarHeader))
  return header.toString('latin1', 257, 262) === 'ustar' || hasSum(header)
}

/** Whether a header has the sum of its bytes, for which the bytes of the sum count as spaces. */
function hasSum(header: Buffer): boolean {
  if (header.length < tarHeader) return false
  const summed = Buffer.from(header).fill(' ', 148, 156)
  const sum = /^[0-7]{1,7}/.exec(header.toString('latin1', 148, 156).trimStart())?.[0] ?? ''
  return summed.reduce((total, byte) => total + byte, 0) === Number.parseInt(sum, 8)
}

let spools = 0

/**
 * Unpacks a tar archive into one scratch file, from which its files can be read in any order. Nothing
 * is named as in the archive, so that no name can do harm.
 */
export async function spoolTar(
  packed: AsyncIterable<Uint8Array>,
  { notes, scratch, signal }: Opening,
): Promise<Listing> {
  const path = join(scratch, `files-${spools++}`)
  const spool = await open(path, 'wx', 0o600)
  const entries = new Map<string, ArchiveFile>()
  let end = 0
  let stored = 0
  try {
    await eachFile(packed, signal, async (header, body) => {
      const sparse = sparseFile(header.pax)
      const name = safeName(sparse?.name ?? header.name)
      if (name === undefined || header.type === 'directory') return
      if (header.type !== 'file') {
        notes.skipped('other', 'link-in-archive', name)
        return
      }
      if (entries.has(name)) {
        notes.skipped('other', 'archived-copy', name)
        return
      }
      if (entries.size >= mostEntries) throw badRequest(sentence('The archive has too many files.'))
      const start = end
      stored += header.size ?? 0
      // Holes are written as zeros.
      if (sparse) requireHarmless(stored, end + sparse.size, 'data')
      end += await append(spool, sparse ? sparse.whole(body) : body)
      const size = end - start
      entries.set(name, {
        size,
        open: () =>
          size === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + size - 1 }),
      })
    })
  } finally {
    await spool.close()
  }
  return { entries }
}

async function append(spool: FileHandle, body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const part of body) {
    await spool.writeFile(part)
    size += part.length
  }
  return size
}

/** @throws BAD_REQUEST the archive is damaged or cut off */
async function eachFile(
  packed: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  use: (
    header: Pick<TarHeader, 'name' | 'pax' | 'size' | 'type'>,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<void>,
): Promise<void> {
  const decoder = modernTar().createTarDecoder({ strict: true })
  const stop = new AbortController()
  const unpacking = pipeline(Readable.from(packed), Writable.fromWeb(decoder.writable), {
    signal: AbortSignal.any([signal, stop.signal]),
  })
  const { giveUp, until } = stoppable()
  unpacking.catch(giveUp)
  const reading = (async () => {
    for await (const { header, body } of until(decoder.readable)) {
      let isRead = false
      await use(header, {
        async *[Symbol.asyncIterator]() {
          isRead = true
          yield* until(body)
        },
      })
      if (!isRead) await body.cancel()
    }
  })().catch((error) => {
    stop.abort(error)
    throw error
  })
  const [unpacked, read] = await Promise.allSettled([unpacking, reading])
  signal.throwIfAborted()
  for (const each of [read, unpacked]) {
    if (each.status === 'fulfilled') continue
    if (each.reason instanceof ApiError || isOfTheSystem(each.reason)) throw each.reason
    throw badRequest(sentence('The archive is damaged or cut off.'))
  }
}

/**
 * Reading that can be aborted: if the archive fails, the decoder does not end its later files, and
 * their readers would wait forever.
 */
function stoppable() {
  let failure: { readonly error: unknown } | undefined
  let stopWaiting = (_: unknown) => {}
  return {
    giveUp(error: unknown) {
      failure = { error }
      stopWaiting(error)
    },
    async *until<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
      const source = items[Symbol.asyncIterator]()
      try {
        for (;;) {
          if (failure) throw failure.error
          const { done, value } = await new Promise<IteratorResult<T>>((resolve, reject) => {
            stopWaiting = reject
            source.next().then(resolve, reject)
          })
          if (done) return
          yield value
        }
      } finally {
        source.return?.()?.catch(() => {})
      }
    },
  }
}

/** A full disk is not the archive's fault. */
function isOfTheSystem(error: unknown): boolean {
  return typeof (error as { errno?: unknown }).errno === 'number' && 'syscall' in (error as object)
}
