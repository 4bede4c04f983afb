import type { Context } from '#context.ts'
import type { Read } from '#store/write.ts'
import { onWake } from './wake.ts'

/** Something that the server does by itself when its time has come. */
export interface Job {
  /** For the log. */
  readonly name: string
  /**
   * When there is something to do next, in seconds since the epoch; undefined: nothing is waiting.
   * It is asked often: an index answers it.
   */
  dueAt(read: Read): number | undefined
  /**
   * Does all that is due, in as many writes as that takes: none should hold up the others for
   * long. What it leaves due is tried again a minute later.
   *
   * @param stopping aborted when the server stops: it waits for the job then
   */
  run(server: Context, stopping: AbortSignal): Promise<void>
}

export interface Jobs {
  /** Resolves when nothing is due and nothing runs. */
  settled(): Promise<void>
  /** Starts nothing more, and waits for what runs. */
  stop(): Promise<void>
}

/** How long a job that could not do what is due waits for its next turn; milliseconds. */
const retryDelay = 60_000
/** The longest timer that is set; a 32-bit number of milliseconds would end at 24 days. */
const longestWait = 24 * 3600 * 1000

/**
 * Runs each job when it is due: at once for what fell due while the server was stopped, then by one
 * timer of the clock. A job never runs twice at the same time, and one that throws is logged and
 * tried again later; the others go on.
 */
export function startJobs(server: Context, jobs: readonly Job[]): Jobs {
  const { clock, store, log } = server
  const running = new Map<Job, Promise<void>>()
  /** Milliseconds since the epoch before which a job that did not get done is left alone. */
  const pause = new Map<Job, number>()
  let cancel = () => {}
  const stopping = new AbortController()

  /** Milliseconds since the epoch; a job that cannot say counts as one that has nothing to do. */
  function dueTime(job: Job): number | undefined {
    try {
      const due = job.dueAt(store)
      return due === undefined ? undefined : due * 1000
    } catch (error) {
      log.error({ job: job.name, err: error }, 'job failed')
      return undefined
    }
  }

  /** Starts what is due and sets the timer for what comes next. */
  function look(): void {
    cancel()
    if (stopping.signal.aborted) return
    let next = clock.now() + longestWait
    for (const job of jobs) {
      const due = running.has(job) ? undefined : dueTime(job)
      if (due === undefined) continue
      const at = Math.max(due, pause.get(job) ?? 0)
      if (at <= clock.now()) start(job)
      else next = Math.min(next, at)
    }
    cancel = clock.after(next - clock.now(), look)
  }

  function start(job: Job): void {
    const work = job
      .run(server, stopping.signal)
      .catch((error: unknown) => log.error({ job: job.name, err: error }, 'job failed'))
      .then(() => {
        running.delete(job)
        const due = dueTime(job)
        const leftOver = due !== undefined && due <= clock.now()
        if (leftOver) pause.set(job, clock.now() + retryDelay)
        else pause.delete(job)
        look()
      })
    running.set(job, work)
  }

  onWake(store, look)
  look()
  return {
    async settled() {
      while (running.size > 0) await Promise.all(running.values())
    },
    async stop() {
      stopping.abort()
      cancel()
      onWake(store, () => {})
      await Promise.all(running.values())
    },
  }
}
