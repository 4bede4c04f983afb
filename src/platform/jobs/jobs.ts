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
/** The longest time to wait at a time, in milliseconds: a clock may be set in small steps. */
const longestWait = 60_000

/**
 * Runs each job when it is due, starting with the work that fell due while the server was stopped.
 * A job never runs twice at the same time. If a job throws, the error is logged and the job runs
 * again later; other jobs are not affected.
 */
export function startJobs(server: SystemContext, jobs: readonly Job[]): Jobs {
  return new JobRunner(server, jobs)
}

class JobRunner implements Jobs {
  readonly #server: SystemContext
  readonly #jobs: readonly Job[]
  readonly #clock: SystemContext['clock']
  readonly #store: SystemContext['store']
  readonly #log: SystemContext['log']
  readonly #meters: SystemContext['meters']
  readonly #running = new Map<Job, Promise<void>>()
  /** When a job that left work due may run again, in milliseconds of `Clock.elapsed`. */
  readonly #pause = new Map<Job, number>()
  #cancel = () => {}
  readonly #stopping = new AbortController()
  readonly #stopWatching: () => void

  constructor(server: SystemContext, jobs: readonly Job[]) {
    this.#server = server
    this.#jobs = jobs
    this.#clock = server.clock
    this.#store = server.store
    this.#log = server.log
    this.#meters = server.meters
    onWake(this.#store, () => this.#look())
    this.#stopWatching = this.#clock.whenSet(() => this.#look())
    this.#look()
  }

  running(): string[] {
    return [...this.#running.keys()].map(({ name }) => name)
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancel()
    this.#stopWatching()
    onWake(this.#store, () => {})
    await Promise.all(this.#running.values())
  }

  /** In milliseconds since the epoch; undefined if there is nothing to do or `dueAt` throws. */
  #dueTime(job: Job): number | undefined {
    try {
      const due = job.dueAt(this.#store)
      return due === undefined ? undefined : due * 1000
    } catch (error) {
      this.#failed(job, error)
      return undefined
    }
  }

  #failed(job: Job, error: unknown): void {
    noteDamage(this.#store, error)
    this.#log.error({ job: job.name, err: error }, 'background job failed')
  }

  /** Starts the jobs that are due and sets the timer for the next one. */
  #look(): void {
    this.#cancel()
    if (this.#stopping.signal.aborted) return
    const next = { at: Number.POSITIVE_INFINITY, retry: Number.POSITIVE_INFINITY }
    for (const job of this.#jobs) {
      const due = this.#running.has(job) ? undefined : this.#dueTime(job)
      if (due === undefined) continue
      const paused = this.#pause.get(job) ?? 0
      if (due > this.#clock.now()) next.at = Math.min(next.at, due)
      else if (paused > this.#clock.elapsed()) next.retry = Math.min(next.retry, paused)
      else this.#start(job)
    }
    this.#wait(next)
  }

  /**
   * Waits until the next job is due, in short steps, because the due time comes sooner or later if
   * the clock is set.
   *
   * @param next.at in milliseconds since the epoch
   * @param next.retry in milliseconds of `Clock.elapsed`
   */
  #wait(next: { readonly at: number; readonly retry: number }): void {
    const rest = () => Math.min(next.at - this.#clock.now(), next.retry - this.#clock.elapsed())
    this.#cancel()
    this.#cancel = this.#clock.after(Math.min(rest(), longestWait), () =>
      rest() <= 0 ? this.#look() : this.#wait(next),
    )
  }

  #start(job: Job): void {
    const began = performance.now()
    const measure = (hasFailed: boolean) =>
      this.#meters.job(job.name, performance.now() - began, hasFailed)
    const work = job
      .run(this.#server, this.#stopping.signal)
      .then(
        () => measure(false),
        (error: unknown) => {
          measure(true)
          this.#failed(job, error)
        },
      )
      .then(() => {
        this.#running.delete(job)
        const due = this.#dueTime(job)
        const leftOver = due !== undefined && due <= this.#clock.now()
        if (leftOver) this.#pause.set(job, this.#clock.elapsed() + retryDelay)
        else this.#pause.delete(job)
        this.#look()
      })
    this.#running.set(job, work)
  }
}
