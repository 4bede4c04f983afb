import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { createFairQueue, NoLongerWanted } from '#platform/fairness/fair-queue.ts'
import { probe } from '#platform/pictures/probe.ts'
import { fetchOutside, OutsideError } from './fetch.ts'
import { follow } from './redirects.ts'

/** A picture from another site. Its bytes are unchanged: only browsers decode them. */
export interface OutsidePicture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp'
}

/** The client that requests a picture. */
export interface PictureRequest {
  /** The network address, for fairness. */
  readonly client: string
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface OutsidePictures {
  /**
   * Fetches a picture, or answers from the cache. Requests for the same picture share one fetch.
   *
   * @param spend called before a fetch, to count it
   * @returns undefined for anything but a picture that could be fetched
   * @throws TooManyWaiting; whatever `spend` throws
   */
  get(url: string, request: PictureRequest, spend: () => void): Promise<OutsidePicture | undefined>
}

export const outsidePictureLimits = {
  /** The size of a picture, in bytes. */
  bytes: 5 * 1024 * 1024,
  /** The size of all pictures in the cache, in bytes. */
  cachedBytes: 32 * 1024 * 1024,
  /** How long a picture or a failed fetch is cached, in milliseconds. */
  kept: 3_600_000,
  failureKept: 60_000,
  failures: 1000,
  /** For the picture with all redirects, in milliseconds. */
  timeout: 10_000,
  turns: { running: 8, runningPerClient: 4, waiting: 400, waitingPerClient: 100 },
} as const

/** Fetches pictures for clients of this server, so that other sites do not see them. */
export function createOutsidePictures(server: Pick<Context, 'config' | 'clock'>): OutsidePictures {
  const { clock } = server
  const limits = outsidePictureLimits
  const queue = createFairQueue(limits.turns)
  const cache = createPictureCache(limits.cachedBytes)
  const failures = new Map<string, number>()
  const underWay = new Map<
    string,
    { join(signal: AbortSignal): void; readonly picture: Promise<OutsidePicture | undefined> }
  >()

  async function fetchOne(url: string): Promise<OutsidePicture | undefined> {
    const picture = await fetchPicture(server, url)
    if (picture) cache.add(url, picture, clock.elapsed() + limits.kept)
    else {
      if (failures.size >= limits.failures) failures.clear()
      failures.set(url, clock.elapsed() + limits.failureKept)
    }
    return picture
  }

  return {
    async get(url, { client, signal }, spend) {
      const known = cache.find(url, clock.elapsed())
      if (known) return known
      if ((failures.get(url) ?? 0) > clock.elapsed()) return undefined
      const shared = underWay.get(url)
      if (shared) {
        shared.join(signal)
        return await shared.picture
      }
      spend()
      const { join, unwanted } = audience()
      join(signal)
      const picture = queue
        .run({ client, signal: unwanted, run: () => fetchOne(url) })
        .catch((error: unknown) => {
          if (error instanceof NoLongerWanted) return undefined
          throw error
        })
        .finally(() => underWay.delete(url))
      underWay.set(url, { join, picture })
      return await picture
    },
  }
}

/**
 * The clients that wait for the same picture: `unwanted` is aborted once all of them have gone.
 */
function audience() {
  const all = new AbortController()
  let left = 0
  return {
    unwanted: all.signal,
    join(signal: AbortSignal) {
      left += 1
      const leave = () => {
        left -= 1
        if (left === 0) all.abort()
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    },
  }
}

async function fetchPicture(
  server: Pick<Context, 'config' | 'clock'>,
  address: string,
): Promise<OutsidePicture | undefined> {
  const { bytes, timeout } = outsidePictureLimits
  const headers = { Accept: 'image/webp,image/png,image/jpeg,image/gif' }
  try {
    const { reply } = await follow(server, address, timeout, (url, signal) =>
      fetchOutside(server, url, { headers, limit: bytes, timeout, signal }),
    )
    return reply.status === 200
      ? pictureIn(reply.body, reply.headers['content-type'] ?? '')
      : undefined
  } catch (error) {
    if (error instanceof OutsideError) return undefined
    throw error
  }
}

/**
 * Both the header and the bytes must identify a picture. SVG can run scripts, so it does not count.
 */
function pictureIn(body: Buffer, contentType: string): OutsidePicture | undefined {
  if (!/^image\/(?!svg)/i.test(contentType)) return undefined
  try {
    return { bytes: new Uint8Array(body), contentType: probe(body).contentType }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The most recently requested pictures. @param most the size of all of them, in bytes */
function createPictureCache(most: number) {
  const pictures = new Map<string, { picture: OutsidePicture; until: number }>()
  let size = 0
  function remove(url: string): void {
    size -= pictures.get(url)?.picture.bytes.byteLength ?? 0
    pictures.delete(url)
  }
  return {
    find(url: string, now: number): OutsidePicture | undefined {
      const found = pictures.get(url)
      if (!found) return undefined
      pictures.delete(url)
      pictures.set(url, found)
      if (found.until > now) return found.picture
      remove(url)
      return undefined
    },
    add(url: string, picture: OutsidePicture, until: number): void {
      remove(url)
      pictures.set(url, { picture, until })
      size += picture.bytes.byteLength
      // The map iterates from the least recently requested picture.
      for (const oldest of pictures.keys()) {
        if (size <= most) return
        remove(oldest)
      }
    },
  }
}
