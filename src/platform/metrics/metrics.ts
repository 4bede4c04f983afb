import { existsSync, readdirSync, statSync } from 'node:fs'
import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { droppedLines } from '#platform/log/log.ts'
import { createHistogram, type Histogram, observe } from './histogram.ts'
import type { Metric } from './metric.ts'

/** Metrics of requests and commits. */
const work: readonly Metric[] = [
  {
    name: 'parley_requests_total',
    help: 'Answered requests. Routes are patterns such as /api/v1/messages/:message_id.',
    type: 'counter',
    labels: ['method', 'route', 'status'],
    read: ({ meters }) => meters.requests(),
  },
  {
    name: 'parley_request_seconds',
    help: 'Response times, except those of long polls for events.',
    type: 'histogram',
    labels: ['method', 'route'],
    read: ({ meters }) => meters.requestSeconds(),
  },
  {
    name: 'parley_commit_seconds',
    help: 'Duration of commits to the database, including the changes in them.',
    type: 'histogram',
    read: ({ meters }) => [{ labels: {}, value: meters.commitSeconds }],
  },
  {
    name: 'parley_commit_writes',
    help: 'Changes per commit to the database.',
    type: 'histogram',
    read: ({ meters }) => [{ labels: {}, value: meters.commitWrites }],
  },
]

const queues: readonly Metric[] = [
  {
    name: 'parley_event_queues',
    help: 'Event queues, by the state of their client: waiting for events, between two polls, or away.',
    type: 'gauge',
    labels: ['state'],
    read(server) {
      const { count, parked, away } = server.queues.size()
      return [
        { labels: { state: 'waiting' }, value: parked },
        { labels: { state: 'idle' }, value: count - parked - away },
        { labels: { state: 'away' }, value: away },
      ]
    },
  },
  {
    name: 'parley_event_queue_bytes',
    help: 'Memory used by all event queues, as their limits count it.',
    type: 'gauge',
    read: (server) => server.queues.size().bytes,
  },
]

const database: readonly Metric[] = [
  {
    name: 'parley_database_bytes',
    help: 'Size of the database.',
    type: 'gauge',
    read({ store: { db } }) {
      const pragma = (name: string) => Number(db.$client.pragma(name, { simple: true }))
      return pragma('page_count') * pragma('page_size')
    },
  },
  {
    name: 'parley_wal_bytes',
    help: 'Size of the write-ahead log of the database.',
    type: 'gauge',
    read: ({ store: { db } }) =>
      statSync(`${db.$client.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  },
]

/** For the whole process, measured from the first request for metrics. */
let delays: Histogram | undefined
const resolutionMs = 20
/** In seconds. */
const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** How much later than due a timer runs, as long as the process does. */
function measureDelays(): Histogram {
  const histogram = createHistogram(delayBounds)
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    observe(histogram, Math.max(0, now - last - resolutionMs) / 1000)
    last = now
  }, resolutionMs).unref()
  return histogram
}

/** @source proc(5) */
const ownDescriptors = '/proc/self/fd'

const processMetrics: readonly Metric[] = [
  {
    name: 'parley_event_loop_delay_seconds',
    help: 'Event loop delay, measured from the first request for metrics.',
    type: 'histogram',
    read() {
      delays ??= measureDelays()
      return [{ labels: {}, value: delays }]
    },
  },
  {
    name: 'parley_open_descriptors',
    help: 'Open file descriptors of the process, on Linux.',
    type: 'gauge',
    read: () => (existsSync(ownDescriptors) ? readdirSync(ownDescriptors).length : []),
  },
  {
    name: 'parley_memory_bytes',
    help: 'Memory used by the process.',
    type: 'gauge',
    labels: ['kind'],
    read() {
      const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
      const kinds = { rss, heapTotal, heapUsed, external, arrayBuffers }
      return Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value }))
    },
  },
  {
    name: 'parley_cpu_seconds_total',
    help: 'CPU time used by the process.',
    type: 'counter',
    labels: ['mode'],
    read() {
      const { user, system } = process.cpuUsage()
      return Object.entries({ user, system }).map(([mode, microseconds]) => ({
        labels: { mode },
        value: microseconds / 1e6,
      }))
    },
  },
  {
    name: 'parley_start_time_seconds',
    help: 'When the server started, in seconds since the epoch.',
    type: 'gauge',
    read: ({ startedAt }) => startedAt,
  },
  {
    name: 'parley_log_lines_dropped_total',
    help: 'Log lines that could not be written.',
    type: 'counter',
    read: ({ log }) => droppedLines(log),
  },
]

/** @param jobs all background work */
const jobMetrics = (jobs: readonly Job[]): readonly Metric[] => [
  {
    name: 'parley_job_runs_total',
    help: 'Runs of background jobs, by result.',
    type: 'counter',
    labels: ['job', 'result'],
    read: ({ meters }) => meters.jobs(),
  },
  {
    name: 'parley_job_seconds_total',
    help: 'Duration of background jobs.',
    type: 'counter',
    labels: ['job'],
    read: ({ meters }) => meters.jobSeconds(),
  },
  {
    name: 'parley_job_late_seconds',
    help: 'How late background jobs are.',
    type: 'gauge',
    labels: ['job'],
    read: ({ store, clock }) =>
      jobs.map(({ name, dueAt }) => {
        const due = dueAt(store)
        return {
          labels: { job: name },
          value: due === undefined ? 0 : Math.max(0, seconds(clock) - due),
        }
      }),
  },
]

/** The metrics of the platform. @param jobs all background work */
export function platformMetrics(jobs: readonly Job[]): readonly Metric[] {
  return [...work, ...queues, ...database, ...jobMetrics(jobs), ...processMetrics]
}
