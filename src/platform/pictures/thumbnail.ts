import { Worker } from 'node:worker_threads'
import { badPicture } from './errors.ts'
import { loadPictureLibrary } from './library.ts'
import { probe } from './probe.ts'

/** The size and format of a thumbnail. */
export interface ThumbnailOptions {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /**
   * `inside`: scaled down to fit. `cover`: scaled and cropped to exactly this size. `contain`: scaled
   * to fit, with transparent edges up to exactly this size.
   */
  readonly fit: 'inside' | 'cover' | 'contain'
  /** Whether to keep all frames of an animation, not only the first one. Not for `png`. */
  readonly animated?: boolean
  readonly format: 'gif' | 'png' | 'webp'
}

/** How long one picture may take, including loading the library, in milliseconds. */
const timeout = 30_000
/** How long the idle thread lives on before its memory is freed, in milliseconds. */
const idleTime = 60_000

/** Pictures are processed one at a time: each may need several hundred megabytes. */
let last: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let rest: NodeJS.Timeout | undefined

/**
 * Makes a thumbnail: upright according to the EXIF orientation, in sRGB and without metadata. A
 * worker thread does the work; it starts with the first picture and ends after a minute idle.
 *
 * @param bytes an untrusted upload
 * @throws BAD_IMAGE not a picture, truncated, too large, or too slow to process
 */
export async function thumbnail(bytes: Uint8Array, target: ThumbnailOptions): Promise<Uint8Array> {
  const picture = probe(bytes)
  const animated = target.animated === true && picture.animated
  const turn = last.then(() => convert(bytes, { ...target, animated }))
  last = turn.catch(() => {})
  return await turn
}

async function convert(bytes: Uint8Array, target: ThumbnailOptions): Promise<Uint8Array> {
  clearTimeout(rest)
  thread ??= startThread()
  const worker = thread
  // Keeps the process alive until the thread has answered.
  worker.ref()
  try {
    return await replyOf(worker, { bytes, target })
  } finally {
    worker.unref()
    rest = setTimeout(endThread, idleTime).unref()
  }
}

function replyOf(worker: Worker, task: object): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(guard)
      worker.off('message', onMessage).off('error', giveUp).off('exit', giveUp)
    }
    const giveUp = () => {
      settle()
      endThread()
      reject(badPicture())
    }
    const onMessage = ({ picture }: { picture?: Uint8Array }) => {
      settle()
      if (picture) resolve(picture)
      else reject(badPicture())
    }
    const guard = setTimeout(giveUp, timeout)
    worker.on('message', onMessage).on('error', giveUp).on('exit', giveUp)
    worker.postMessage(task)
  })
}

function startThread(): Worker {
  const { worker, ...library } = loadPictureLibrary()
  const started = new Worker(worker, {
    eval: true,
    workerData: library,
    // The thread needs neither the environment with its secrets nor the TypeScript loader.
    env: {},
    execArgv: [],
  })
  // The thread may also fail between two pictures; the next picture starts a new one.
  started.on('error', () => {})
  started.on('exit', () => {
    if (thread === started) thread = undefined
  })
  return started
}

function endThread(): void {
  const ended = thread
  thread = undefined
  void ended?.terminate()
}
