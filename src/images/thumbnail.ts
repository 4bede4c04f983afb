import { Worker } from 'node:worker_threads'
import { badImage } from './errors.ts'
import { loadPictureLibrary } from './library.ts'
import { probe } from './probe.ts'

/** What to make of a picture. */
export interface Target {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** `inside`: no larger than that, whole. `cover`: exactly that, what sticks out cut off. */
  readonly fit: 'inside' | 'cover'
  /** All frames of an animation; otherwise the first one. Not for `png`. */
  readonly animated?: boolean
  readonly format: 'gif' | 'png' | 'webp'
}

/** How long one picture may take, in milliseconds, the loading of the library included. */
const patience = 30_000
/** How long the thread waits for the next picture before its memory is given back; milliseconds. */
const idleTime = 60_000

/** One after the other: each may need a few hundred megabytes. */
let last: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let rest: NodeJS.Timeout | undefined

/**
 * Makes a smaller picture: upright as its EXIF orientation says, in sRGB and without any metadata.
 * It happens in a thread of its own, which is started for the first picture and ends
 * when there are none for a while.
 *
 * @param bytes as uploaded, by anybody
 * @throws BAD_IMAGE not a picture, truncated, too large, or one that takes too long
 */
export async function thumbnail(bytes: Uint8Array, target: Target): Promise<Uint8Array> {
  const picture = probe(bytes)
  const animated = target.animated === true && picture.animated
  const turn = last.then(() => convert(bytes, { ...target, animated }))
  last = turn.catch(() => {})
  return await turn
}

async function convert(bytes: Uint8Array, target: Target): Promise<Uint8Array> {
  clearTimeout(rest)
  thread ??= startThread()
  const worker = thread
  // Somebody waits for it: until it answers, the process does not end by itself.
  worker.ref()
  try {
    return await answer(worker, { bytes, target })
  } finally {
    worker.unref()
    rest = setTimeout(endThread, idleTime).unref()
  }
}

function answer(worker: Worker, task: object): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(guard)
      worker.off('message', onMessage).off('error', giveUp).off('exit', giveUp)
    }
    const giveUp = () => {
      settle()
      endThread()
      reject(badImage())
    }
    const onMessage = ({ picture }: { picture?: Uint8Array }) => {
      settle()
      if (picture) resolve(picture)
      else reject(badImage())
    }
    const guard = setTimeout(giveUp, patience)
    worker.on('message', onMessage).on('error', giveUp).on('exit', giveUp)
    worker.postMessage(task)
  })
}

function startThread(): Worker {
  const { worker, ...library } = loadPictureLibrary()
  const started = new Worker(worker, {
    eval: true,
    workerData: library,
    // Nothing in there needs secrets of the environment, or the loader that runs TypeScript.
    env: {},
    execArgv: [],
  })
  // It may fail between two pictures, too: the next one gets another.
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
