import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'
import type { Store } from '#platform/store/store.ts'
import type { Clock } from './clock.ts'
import type { Queues } from './events/queues.ts'
import type { FileStore } from './files/store.ts'
import type { Directory } from './http/directory.ts'
import type { Pacing } from './http/pacing.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { Meters } from './metrics/meters.ts'

/** The data folder of a running server. */
export interface ServedData {
  readonly path: string
  /**
   * Runs long work that needs the folder. When the server stops, it aborts the work and waits for
   * it to end.
   */
  work<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Stops using all data, lets `put` replace it, and continues with the new data. Requests wait
   * meanwhile. Only for use inside `work`, not in requests or jobs.
   */
  replace(put: () => Promise<void>): Promise<void>
}

/**
 * The parts of one running server that outlive a request, except the store: whoever acts has a
 * store with their own rights, such as `Caller.store`. A reset replaces all parts together.
 */
export interface Context {
  readonly queues: Queues
  /** The contents of uploads, images and exports; the database holds their names. */
  readonly files: FileStore
  readonly directory: Directory
  readonly rateLimits: RateLimits
  readonly pacing: Pacing
  readonly clock: Clock
  readonly config: Config
  readonly log: Logger
  readonly meters: Meters
  /** The server's origin: as configured, or else the address it listens on. */
  readonly realmUrl: string
  /** Deletes all data; the server then waits to be set up. */
  startOver(): void
  /** Its data folder; undefined: the data is in memory, or nothing is served. */
  readonly data: ServedData | undefined
  /** Authorizes setting up the organization while there is none. */
  readonly setupToken: string
  /** When the server started, in seconds since the epoch; `server_generation` for clients. */
  readonly startedAt: number
}

/** The server acting by itself: in jobs, in pages and for its operator. */
export interface SystemContext extends Context {
  readonly store: Store
}

/**
 * A view of a context, optionally with another store. Pages are mounted once, so they get a view,
 * which always shows the current parts, also after a reset. Never spread it: it has no members of
 * its own.
 */
export class ContextView implements SystemContext {
  readonly #current: () => Context
  readonly #store: () => Store

  constructor(current: () => Context, store: () => Store) {
    this.#current = current
    this.#store = store
  }

  get store() {
    return this.#store()
  }

  get queues() {
    return this.#current().queues
  }

  get files() {
    return this.#current().files
  }

  get directory() {
    return this.#current().directory
  }

  get rateLimits() {
    return this.#current().rateLimits
  }

  get pacing() {
    return this.#current().pacing
  }

  get clock() {
    return this.#current().clock
  }

  get config() {
    return this.#current().config
  }

  get log() {
    return this.#current().log
  }

  get meters() {
    return this.#current().meters
  }

  get realmUrl() {
    return this.#current().realmUrl
  }

  get data() {
    return this.#current().data
  }

  get setupToken() {
    return this.#current().setupToken
  }

  get startedAt() {
    return this.#current().startedAt
  }

  get startOver() {
    return this.#current().startOver
  }
}

/** A server for which someone acts with their own store. */
export function withStore(server: Context, store: Store): SystemContext {
  return new ContextView(
    () => server,
    () => store,
  )
}
