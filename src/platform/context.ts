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
  /** Authorizes setting up the organization while there is none. */
  readonly setupToken: string
  /** When the server started, in seconds since the epoch; `server_generation` for clients. */
  readonly startedAt: number
}
