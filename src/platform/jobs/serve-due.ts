import type { SystemContext } from '#platform/context.ts'
import { nextWake } from './wake.ts'

/** Work for many receivers, each of which may be slow. */
export interface DueWork<T> {
  /** For the log. */
  readonly name: string
  /** The most receivers served at the same time. */
  readonly atOnce: number
  /**
   * The work that is due now, for receivers other than these, in the order in which it should be
   * done.
   *
   * @param keys of the receivers that are being served, or that must wait for the next run
   * @param most how many can be served besides
   */
  list(keys: ReadonlySet<string>, most: number): readonly T[]
  keyOf(work: T): string
  /**
   * Does the work of one receiver. If it throws, the receiver waits for the next run of the job.
   */
  serve(work: T): Promise<void>
}

/**
 * Does the work that is due, one thing at a time for each receiver, and concurrently for different
 * receivers, so that a slow one delays no others. Includes work that falls due in the meantime.
 */
export async function serveDue<T>(
  { store, log }: Pick<SystemContext, 'store' | 'log'>,
  stopping: AbortSignal,
  { name, atOnce, list, keyOf, serve }: DueWork<T>,
): Promise<void> {
  const busy = new Map<string, Promise<void>>()
  const broken = new Set<string>()
  for (;;) {
    const wake = nextWake(store)
    const free = stopping.aborted ? 0 : atOnce - busy.size
    const found = free > 0 ? list(new Set([...busy.keys(), ...broken]), free) : []
    for (const work of found.slice(0, free)) {
      const key = keyOf(work)
      const done = serve(work)
        .catch((error: unknown) => {
          log.error({ work: name, err: error }, 'work for a receiver failed')
          broken.add(key)
        })
        .finally(() => busy.delete(key))
      busy.set(key, done)
    }
    if (busy.size === 0) return
    await Promise.race([wake, ...busy.values()])
  }
}
