import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'
import type { Clock } from './clock.ts'
import type { Queues } from './events/queues.ts'
import type { FileStore } from './files/store.ts'
import type { Directory } from './http/directory.ts'
import type { Pacing } from './http/pacing.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { Meters } from './metrics/meters.ts'
import type { Store } from './store/write.ts'

/** The data folder of a running server. */
export interface ServedData {
  readonly path: string
  /** Runs work that takes long and needs the folder: a stop of the server aborts it, and waits for it. */
  work<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Stops using all data, lets `put` replace it, and goes on with what is there then; requests wait
   * meanwhile. Only for work of `work`, not for requests or jobs.
   */
  replace(put: () => Promise<void>): Promise<void>
}

/**
 * The parts of one running server that outlive a request, besides the store: each that acts brings
 * its own, with its own rights, such as `Caller.store`. A reset replaces all of them together.
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
  /** Its data folder, to put other data there; undefined: all is in memory, or nothing is served. */
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
 * A view of a context, with another store if one is given. Pages are mounted once, so what they see
 * of a server follows it when a reset replaces its parts. Never spread it: it owns no members.
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
