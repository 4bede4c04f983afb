import { ApiError, badRequest } from '#platform/errors.ts'

/** Work that waits for its turn. Until then it should hold next to no memory. */
export interface Turn<T> {
  /** The ID of the user whose work it is. */
  readonly accountId: number
  /** How many pixels will be decoded, as declared by the header. */
  readonly pixels: number
  /** Takes the work out of the queue when aborted. */
  readonly signal?: AbortSignal | undefined
  /** Whether a background job waits: it processes one image at a time, so it needs no limit. */
  readonly isJob?: boolean
  run(): Promise<T>
}

/** How much one account may have waiting. */
export const waitingLimits = { pictures: 10, pixels: 256_000_000 } as const

interface Waiting {
  readonly pixels: number
  start(): Promise<void>
}

/** Does work one at a time, in turn between accounts, and in order within each. */
export interface Turns {
  /**
   * @throws RATE_LIMIT_HIT the account has too much waiting already
   * @throws BAD_REQUEST the signal was aborted before the turn came
   */
  take<T>(turn: Turn<T>): Promise<T>
}

export function createTurns(): Turns {
  /** The waiting work by account, oldest first. The first account is next. */
  const queues = new Map<number, Waiting[]>()
  let busy = false

  async function work(): Promise<void> {
    if (busy) return
    busy = true
    for (;;) {
      const first = queues.entries().next()
      if (first.done) break
      const [accountId, [next]] = first.value
      if (next) remove(accountId, next)
      await next?.start()
      // Moved to the end only now, so that accounts that arrived meanwhile come first.
      const rest = queues.get(accountId)
      queues.delete(accountId)
      if (rest) queues.set(accountId, rest)
    }
    busy = false
  }

  function remove(accountId: number, gone: Waiting): void {
    const rest = (queues.get(accountId) ?? []).filter((each) => each !== gone)
    if (rest.length > 0) queues.set(accountId, rest)
    else queues.delete(accountId)
  }

  return {
    async take({ accountId, pixels, signal, isJob, run }) {
      if (signal?.aborted) throw abandoned()
      const queue = queues.get(accountId) ?? []
      if (!isJob) requireShort(queue, pixels)
      return await new Promise((resolve, reject) => {
        const leave = () => {
          remove(accountId, waiting)
          reject(abandoned())
        }
        const waiting: Waiting = {
          pixels,
          async start() {
            signal?.removeEventListener('abort', leave)
            await run().then(resolve, reject)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        queues.set(accountId, [...queue, waiting])
        void work()
      })
    },
  }
}

function requireShort(queue: readonly Waiting[], pixels: number): void {
  const sum = queue.reduce((all, each) => all + each.pixels, pixels)
  if (queue.length < waitingLimits.pictures && sum <= waitingLimits.pixels) return
  throw new ApiError('RATE_LIMIT_HIT', 'Too many of your pictures are waiting to be processed.', {
    'retry-after': 5,
  })
}

/** No client sees this error: it has disconnected. */
function abandoned(): ApiError {
  return badRequest('The request was abandoned.')
}
