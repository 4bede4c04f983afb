import type { CommitTimes } from '#platform/store/commits.ts'
import { createHistogram, type Histogram, observe } from './histogram.ts'
import type { Sample } from './sample.ts'

/** In seconds. */
const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const groupSizes = [1, 2, 5, 10, 20, 50, 100, 200, 500]

interface RequestFacts {
  readonly method: string
  /** The pattern of the path, which holds no IDs. */
  readonly route: string
  readonly status: number
  /** In milliseconds; undefined: it waited for something to happen, such as a poll for events. */
  readonly ms: number | undefined
}

/** Counts what a server does. There is one for each server. */
export interface Meters {
  request(facts: RequestFacts): void
  commit(times: CommitTimes): void
  job(name: string, ms: number, hasFailed: boolean): void
  /** By `method`, `route` and `status`. */
  requests(): Sample[]
  /** Seconds, by `method` and `route`. */
  requestSeconds(): Sample<Histogram>[]
  readonly commitSeconds: Histogram
  /** How many writes were committed together. */
  readonly commitWrites: Histogram
  /** By `job` and `result`. */
  jobs(): Sample[]
  /** By `job`. */
  jobSeconds(): Sample[]
}

interface Route {
  readonly labels: { readonly method: string; readonly route: string }
  readonly byStatus: Map<number, number>
  readonly seconds: Histogram
}

interface JobRuns {
  ok: number
  failed: number
  seconds: number
}

export function createMeters(): Meters {
  const routes = new Map<string, Map<string, Route>>()
  const jobs = new Map<string, JobRuns>()
  const commitSeconds = createHistogram(latencies)
  const commitWrites = createHistogram(groupSizes)

  function routeOf(method: string, route: string): Route {
    let ofMethod = routes.get(method)
    if (!ofMethod) {
      ofMethod = new Map()
      routes.set(method, ofMethod)
    }
    let found = ofMethod.get(route)
    if (!found) {
      found = {
        labels: { method, route },
        byStatus: new Map(),
        seconds: createHistogram(latencies),
      }
      ofMethod.set(route, found)
    }
    return found
  }

  const allRoutes = () => [...routes.values()].flatMap((ofMethod) => [...ofMethod.values()])

  return {
    request({ method, route, status, ms }) {
      const { byStatus, seconds } = routeOf(method, route)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      if (ms !== undefined) observe(seconds, ms / 1000)
    },
    commit({ writes, ms }) {
      observe(commitSeconds, ms / 1000)
      observe(commitWrites, writes)
    },
    job(name, ms, hasFailed) {
      const runs = jobs.get(name) ?? { ok: 0, failed: 0, seconds: 0 }
      runs[hasFailed ? 'failed' : 'ok'] += 1
      runs.seconds += ms / 1000
      jobs.set(name, runs)
    },
    requests: () =>
      allRoutes().flatMap(({ labels, byStatus }) =>
        Array.from(byStatus, ([status, value]) => ({ labels: { ...labels, status }, value })),
      ),
    requestSeconds: () => allRoutes().map(({ labels, seconds }) => ({ labels, value: seconds })),
    commitSeconds,
    commitWrites,
    jobs: () =>
      Array.from(jobs).flatMap(([job, { ok, failed }]) => [
        { labels: { job, result: 'ok' }, value: ok },
        { labels: { job, result: 'failed' }, value: failed },
      ]),
    jobSeconds: () =>
      Array.from(jobs, ([job, { seconds }]) => ({ labels: { job }, value: seconds })),
  }
}
