import type { SystemContext } from '#platform/context.ts'
import type { Histogram } from './histogram.ts'
import type { Sample } from './sample.ts'

interface MetricName {
  /** With its unit: `parley_database_bytes`. */
  readonly name: `parley_${string}`
  readonly help: string
}

/** Something that `/metrics` shows. Features and the platform list theirs; each is read when asked. */
export type Metric = MetricName &
  (
    | {
        readonly type: 'gauge' | 'counter'
        /** Names of labels; none by default. */
        readonly labels?: readonly string[]
        read(server: SystemContext): number | readonly Sample[]
      }
    | {
        readonly type: 'histogram'
        readonly labels?: readonly string[]
        read(server: SystemContext): readonly Sample<Histogram>[]
      }
  )
