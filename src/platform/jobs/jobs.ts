import type { SystemContext } from '#platform/context.ts'
import { noteDamage } from '#platform/store/damage.ts'
import type { Read } from '#platform/store/store.ts'
import { onWake } from './wake.ts'

/** Background work that runs when it is due. */
export interface Job {
  /** For the log. */
  readonly name: string
  /**
   * When the job is due next, in seconds since the epoch; undefined: there is nothing to do. Called
   * often, so it must read from an index. The server counts as unwell once the job is late, so work
   * that may wait for as long as it takes is due at this moment, not since it came.
   */
  dueAt(read: Read): number | undefined
  /**
   * Does everything that is due, in several writes if one would block other writes for long. If
   * work is left due, it runs again a minute later.
   *
   * @param stopping aborted when the server stops, which then waits for the job
   */
  run(server: SystemContext, stopping: AbortSignal): Promise<void>
}

export interface Jobs {
  /** Resolves when no job is due or running. */
  settled(): Promise<void>
  /** Starts no more jobs, and waits for the running ones. */
  stop(): Promise<void>
  /** The names of the running ones. */
  running(): string[]
}

/** How long to wait before running a job again that left work due, in milliseconds. */
const retryDelay = 60_000
/** The longest time to wait at once, in milliseconds: a clock may be set in small steps. */
const longestWait = 60_000

/**
 * Runs each job when it is due, starting with the work that fell due while the server was stopped.
 * A job never runs twice at the same time. If a job throws, the error is logged and the job runs
 * again later; other jobs are not affected.
 */
export function startJobs(server: SystemContext, jobs: readonly Job[]): Jobs {
  const { clock, store, log, meters } = server
  const running = new Map<Job, Promise<void>>()
  /** When a job that left work due may run again, in milliseconds of `Clock.elapsed`. */
  const pause = new Map<Job, number>()
  let cancel = () => {}
  const stopping = new AbortController()

  /** In milliseconds since the epoch; undefined if there is nothing to do or `dueAt` throws. */
  function dueTime(job: Job): number | undefined {
    try {
      const due = job.dueAt(store)
      return due === undefined ? undefined : due * 1000
    } catch (error) {
      failed(job, error)
      return undefined
    }
  }

  function failed(job: Job, error: unknown): void {
    noteDamage(store, error)
    log.error({ job: job.name, err: error }, 'background job failed')
  }

  /** Starts the jobs that are due and sets the timer for the next one. */
  function look(): void {
    cancel()
    if (stopping.signal.aborted) return
    const next = { at: Number.POSITIVE_INFINITY, retry: Number.POSITIVE_INFINITY }
    for (const job of jobs) {
      const due = running.has(job) ? undefined : dueTime(job)
      if (due === undefined) continue
      const paused = pause.get(job) ?? 0
      if (due > clock.now()) next.at = Math.min(next.at, due)
      else if (paused > clock.elapsed()) next.retry = Math.min(next.retry, paused)
      else start(job)
    }
    wait(next)
  }

  /**
   * Waits until the next job is due, in short steps, because the due time comes sooner or later if
   * the clock is set.
   *
   * @param next.at in milliseconds since the epoch
   * @param next.retry in milliseconds of `Clock.elapsed`
   */
  function wait(next: { readonly at: number; readonly retry: number }): void {
    const rest = () => Math.min(next.at - clock.now(), next.retry - clock.elapsed())
    cancel()
    cancel = clock.after(Math.min(rest(), longestWait), () => (rest() <= 0 ? look() : wait(next)))
  }

  function start(job: Job): void {
    const began = performance.now()
    const measure = (hasFailed: boolean) =>
      meters.job(job.name, performance.now() - began, hasFailed)
    const work = job
      .run(server, stopping.signal)
      .then(
        () => measure(false),
        (error: unknown) => {
          measure(true)
          failed(job, error)
        },
      )
      .then(() => {
        running.delete(job)
        const due = dueTime(job)
        const leftOver = due !== undefined && due <= clock.now()
        if (leftOver) pause.set(job, clock.elapsed() + retryDelay)
        else pause.delete(job)
        look()
      })
    running.set(job, work)
  }

  onWake(store, look)
  const stopWatching = clock.whenSet(look)
  look()
  return {
    running: () => [...running.keys()].map(({ name }) => name),
    async settled() {
      while (running.size > 0) await Promise.all(running.values())
    },
    async stop() {
      stopping.abort()
      cancel()
      stopWatching()
      onWake(store, () => {})
      await Promise.all(running.values())
    },
  }
}
