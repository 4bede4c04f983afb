import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Queues } from './events/queues.ts'
import type { FileStore } from './files/store.ts'
import type { Store } from './store/write.ts'

/** What one running server consists of: everything that outlives a request. */
export interface Context {
  readonly store: Store
  readonly queues: Queues
  /** Contents of uploads, pictures and the like; what they are called is in the store. */
  readonly files: FileStore
  readonly clock: Clock
  readonly config: Config
  readonly log: Logger
  /** Scheme, host and port of the server: as configured, or else as it listens. */
  realmUrl: string
  /** Deletes everything there is: the server then waits for somebody to set it up. */
  startOver(): void
  /** Who knows it may set up the organization, while there is none. */
  readonly setupToken: string
  /** Changes with every start; clients see it as `server_generation`. Seconds since the epoch. */
  readonly startedAt: number
}
