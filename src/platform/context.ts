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

/** The parts of one running server: everything that outlives a request. */
export interface Context {
  readonly store: Store
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
  realmUrl: string
  /** Deletes all data; the server then waits to be set up. */
  startOver(): void
  /** Its data folder, for who puts other data there; undefined: all is in memory, or nothing is served. */
  data: ServedData | undefined
  /** Authorizes setting up the organization while there is none. */
  readonly setupToken: string
  /** When the server started, in seconds since the epoch; `server_generation` for clients. */
  readonly startedAt: number
}
