import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Reason } from '#features/organization/imports/report.ts'
import { FileUnavailable, type Reading } from '#features/organization/imports/source.ts'
import type { Body } from '#features/organization/imports/stream.ts'
import { OutsideError, type OutsideStream, streamOutside } from '#platform/outgoing/fetch.ts'

/** A file of another system. */
export interface OutsideFile {
  readonly url: string
  /** The key of its copy in the cache. */
  readonly key: string
  readonly headers?: Readonly<Record<string, string>>
  /** As the export has it. An unexpected web page means that a log-in is required. */
  readonly contentType?: string | undefined
}

/** For a file to begin, and for each pause in it, in milliseconds. */
const timeout = 60_000
/** How often a busy server is asked. */
const mostTries = 5
/** The longest wait that it may ask for, in seconds. */
const longestWait = 120
/** After so many requests in a row without an answer, a host is not asked again. */
const mostUnanswered = 3

const unanswered = new WeakMap<Reading, Map<string, number>>()

/** The body of a file that the other system has. */
export function downloaded(reading: Reading, wanted: OutsideFile): Body {
  return Object.assign(() => download(reading, wanted), { isElsewhere: true })
}

/**
 * Downloads files of another system, from the public internet only. With a cache, complete files
 * are kept, so that another try only fetches the rest.
 *
 * @throws FileUnavailable
 */
async function* download(reading: Reading, wanted: OutsideFile): AsyncGenerator<Uint8Array> {
  const { cache } = reading.options
  if (cache === undefined) {
    yield* fetched(reading, wanted)
    return
  }
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const path = join(cache, createHash('sha256').update(wanted.key).digest('hex'))
  if (!existsSync(path)) {
    const part = `${path}.part`
    try {
      await write(part, fetched(reading, wanted))
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }
  yield* createReadStream(path)
}

/** Writes a file. It is closed afterwards, also after a failure: only then can it be removed for good. */
async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await pipeline(content, file.createWriteStream())
  } finally {
    await file.close()
  }
}

/**
 * Begins a request. A network or a host that is down must not take a minute for each of thousands.
 *
 * @throws FileUnavailable; OutsideError
 */
async function begin(reading: Reading, { headers = {}, url }: OutsideFile): Promise<OutsideStream> {
  const { server, signal } = reading
  const counts = unanswered.get(reading) ?? new Map<string, number>()
  unanswered.set(reading, counts)
  const { host } = new URL(url)
  const count = counts.get(host) ?? 0
  if (count >= mostUnanswered) throw new FileUnavailable('not-downloaded')
  counts.set(host, count + 1)
  const reply = await streamOutside(server, url, { headers, timeout, signal })
  counts.delete(host)
  return reply
}

async function* fetched(reading: Reading, wanted: OutsideFile): AsyncGenerator<Uint8Array> {
  const { signal } = reading
  try {
    for (let tries = 1; ; tries++) {
      const reply = await begin(reading, wanted)
      const { status } = reply
      if ((status === 429 || status === 503) && tries < mostTries) {
        reply.close()
        const seconds = Number(reply.headers['retry-after'] ?? 1)
        await wait(Math.min(seconds >= 0 ? seconds : 1, longestWait) * 1000, undefined, { signal })
        continue
      }
      if (status !== 200 || !isWanted(wanted, reply.headers['content-type'])) {
        reply.close()
        throw new FileUnavailable('not-downloaded')
      }
      yield* whole(reply.body, reply.headers['content-length'])
      return
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof OutsideError ? new FileUnavailable('not-downloaded') : error
  }
}

/** The body of a file that cannot be had. */
// biome-ignore lint/correctness/useYield: it has no bytes
export async function* unavailable(reason: Reason): AsyncGenerator<Uint8Array> {
  throw new FileUnavailable(reason)
}

/** A log-in page comes with a status of success from some servers. */
function isWanted({ contentType = '' }: OutsideFile, type = ''): boolean {
  return !/^text\/html\b/i.test(type) || /html|vnd\.slack-docs/i.test(contentType)
}

async function* whole(
  body: AsyncIterable<Uint8Array>,
  length: string | undefined,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const part of body) {
    size += part.length
    yield part
  }
  if (length !== undefined && Number(length) !== size) throw new FileUnavailable('not-downloaded')
}
