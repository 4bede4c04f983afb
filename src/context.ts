import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Queues } from './events/queues.ts'
import type { Store } from './store/write.ts'

/** What one running server consists of: everything that outlives a request. */
export interface Context {
  readonly store: Store
  readonly queues: Queues
  readonly clock: Clock
  readonly config: Config
  readonly log: Logger
  /** Scheme, host and port of the server: as configured, or else as it listens. */
  realmUrl: string
  /** Who knows it may set up the organization, while there is none. */
  readonly setupToken: string
  /** Changes with every start; clients see it as `server_generation`. Seconds since the epoch. */
  readonly startedAt: number
}
