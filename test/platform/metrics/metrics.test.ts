import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { createHistogram, observe } from '#platform/metrics/histogram.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

/** The values of `/metrics` by name and labels, as they are written there. */
async function metricsOf({ url }: Pick<TestServer, 'url'>): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => /^\w/.test(line))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

type Member =
  | 'msg'
  | 'method'
  | 'route'
  | 'writes'
  | 'functionsMs'
  | 'workMs'
  | 'commitMs'
  | 'bytes'
/** A line of the log. */
type Line = Readonly<Partial<Record<Member, unknown>>>

test('a histogram counts a value in the first range that holds it', () => {
  const histogram = createHistogram([1, 5])
  for (const value of [0, 1, 1.5, 5, 5.1, 100]) observe(histogram, value)
  assert.deepEqual([histogram.counts, histogram.sum], [[2, 2, 2], 112.6])
})

describe('/metrics', () => {
  let server: TestServer
  const logged: Line[] = []
  before(async () => {
    const log = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) })
    server = await startServer({ log })
  })
  after(() => server.close())

  test('counts requests by the pattern of their path, never by an ID', async () => {
    const id = await server.say('owner', 'public')
    await server.as('owner').get(`/messages/${id}`)
    await server.as('owner').get('/messages/999999')
    await fetch(`${server.url}/api/v1/no/such/path/123456`)
    const metrics = await metricsOf(server)
    const labels = 'method="GET",route="/api/v1/messages/:message_id"'
    assert.equal(metrics.get(`parley_requests_total{${labels},status="200"}`), 1)
    assert.equal(metrics.get(`parley_requests_total{${labels},status="400"}`), 1)
    assert.equal(metrics.get(`parley_request_seconds_count{${labels}}`), 2)
    assert.equal(metrics.get(`parley_request_seconds_bucket{${labels},le="+Inf"}`), 2)
    const names = [...metrics.keys()].join('\n')
    assert.doesNotMatch(names, /999999|123456|no\/such/)
  })

  test('counts writes and commits', async () => {
    const before = await metricsOf(server)
    const { store } = server.server.context
    await Promise.all(Array.from({ length: 7 }, () => store.write(() => {})))
    const metrics = await metricsOf(server)
    const grown = (name: string) => (metrics.get(name) ?? 0) - (before.get(name) ?? 0)
    assert.equal(grown('parley_commit_writes_sum'), 7)
    assert.equal(grown('parley_commit_writes_count'), 1)
    assert.equal(grown('parley_commit_writes_bucket{le="5"}'), 0)
    assert.equal(grown('parley_commit_writes_bucket{le="10"}'), 1)
    assert.equal(grown('parley_commit_seconds_count'), 1)
  })

  test('shows queues, the database, jobs, mail and the process', async () => {
    const before = await metricsOf(server)
    await server.as('owner').watch()
    const metrics = await metricsOf(server)
    const queues = (values: Map<string, number>) =>
      (values.get('parley_event_queues{state="waiting"}') ?? 0) +
      (values.get('parley_event_queues{state="idle"}') ?? 0)
    assert.equal(queues(metrics), queues(before) + 1)
    const bytes = 'parley_event_queue_bytes'
    assert.ok((metrics.get(bytes) ?? 0) > (before.get(bytes) ?? 0))
    assert.ok((metrics.get('parley_database_bytes') ?? 0) > 100_000)
    assert.ok((metrics.get('parley_memory_bytes{kind="rss"}') ?? 0) > 10_000_000)
    for (const name of [
      'parley_wal_bytes',
      'parley_log_lines_dropped_total',
      'parley_job_late_seconds{job="mail"}',
      'parley_mail_waiting{state="new"}',
      'parley_event_loop_delay_seconds_bucket{le="+Inf"}',
      'parley_open_descriptors',
    ]) {
      assert.ok(metrics.has(name), name)
    }
  })

  test('belongs to one server of several in a process', async () => {
    const other = await startServer()
    const counted = (values: Map<string, number>) =>
      [...values].filter(([name]) => name.startsWith('parley_requests_total'))
    assert.deepEqual(counted(await metricsOf(other)), [])
    assert.notDeepEqual(counted(await metricsOf(server)), [])
    await other.close()
  })

  test('is refused to those who may not inspect the server', async () => {
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    const response = await fetch(`${server.url}/metrics`, { headers })
    assert.equal(response.status, 403)
    assert.doesNotMatch(await response.text(), /parley_/)
  })

  test('a slow request and its commit are logged with what took so long', async () => {
    const { store } = server.server.context
    const { write } = store
    const block = () => server.clock.advance(510)
    // Every write waits for a slow one.
    Object.assign(store, {
      write: ((fn, timed) => {
        void write(block)
        return write(fn, timed)
      }) satisfies typeof write,
    })
    await server.say('owner', 'public').finally(() => Object.assign(store, { write }))
    const commit = logged.find(({ msg }) => msg === 'slow commit')
    assert.equal(commit?.writes, 1)
    assert.ok(Number(commit?.functionsMs) >= 510)
    const request = logged.find(({ msg }) => msg === 'slow request')
    assert.deepEqual([request?.method, request?.route], ['POST', '/api/v1/messages'])
    assert.ok(Number(request?.commitMs) >= 510)
    assert.ok(Number(request?.workMs) < Number(request?.commitMs))
    assert.ok(Number(request?.bytes) > 0)
  })
})
