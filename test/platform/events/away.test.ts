import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { createJournal } from '#platform/events/journal.ts'
import type { MissedLookup } from '#platform/events/missed.ts'
import { createQueues, type LiveQueue, type QueueRequest } from '#platform/events/queues.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Store } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'
import { createRandom } from '#test/support/drawing.ts'

const request: QueueRequest = {
  userId: 1,
  client: 'test',
  applyMarkdown: true,
  slimPresence: false,
  includeSubscribers: 'false',
  capabilities: [],
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  lifespanSeconds: 1_000_000,
}

interface Event {
  readonly id: number
  readonly type: string
  readonly name?: string
}

/** A client that must get each event once, in order, with growing IDs. */
interface Client {
  readonly userId: number
  readonly queueId: string
  readonly got: string[]
  lastId: number
}

/** So few that a reply seldom has all that a client missed. */
const mostLooked = 3

/**
 * A server in its life of crashes and clients that come and go.
 *
 * @param seed of its life
 */
function createLife(seed: number) {
  const clock = manualClock(0)
  const db = openDatabase(':memory:')
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  /** The readers of each message, by its ID. */
  const messages: (readonly number[])[] = []
  const happened: { readonly name: string; readonly users: readonly number[] }[] = []
  const clients: Client[] = []
  let running = start()

  function start() {
    const missed: MissedLookup = {
      newest: () => messages.length,
      list({ traits }, after, until, most) {
        const ids = Array.from({ length: until - after }, (_, i) => after + i + 1)
        const all = ids.filter((id) => messages[id - 1]?.includes(traits.userId))
        const found = all.slice(0, mostLooked)
        const isWhole = found.length === all.length
        return {
          messages: found.map((id) => ({ id, event: { type: 'message', name: `m${id}` } })),
          until: isWhole ? until : (found.at(-1) ?? until),
          looked: isWhole ? found.length : most,
        }
      },
      listIds: () => [],
    }
    const queues = createQueues({
      clock,
      heartbeatSeconds: 50,
      matcher: () => undefined,
      missed,
      journal: createJournal<LiveQueue>(clock, () => store.write(() => {})),
    })
    const store: Store = createStore(db, clock, defaultConfig, queues)
    return { queues, store, ready: store.write((tx) => queues.restore(tx)) }
  }

  const someUsers = () => [1, 2, 3].filter(() => below(3) > 0)

  function addMessage(tx: Parameters<Parameters<Store['write']>[0]>[0]): void {
    const users = someUsers()
    const id = messages.push(users)
    const name = `m${id}`
    happened.push({ name, users })
    const event: VariantEvent = {
      type: 'message',
      newMessage: id,
      variant: () => '',
      build: () => ({ type: 'message', name }) as never,
    }
    tx.emit(event, (userId) => users.includes(userId))
  }

  function addEvent(tx: Parameters<Parameters<Store['write']>[0]>[0]): void {
    const [name, users] = [`e${happened.length}`, someUsers()]
    happened.push({ name, users })
    tx.emit({ type: 'test', name } as never, users)
  }

  /** @returns how many events there were */
  function poll(client: Client): number {
    const queue = running.queues.access(client.userId, client.queueId)
    const events: Event[] = JSON.parse(running.queues.read(queue, client.lastId) ?? '[]')
    // Now and then the reply is lost, or the client does not get to the end of it.
    const count = below(4) === 0 ? below(events.length + 1) : events.length
    for (const { id, name } of events.slice(0, count)) {
      assert.ok(id > client.lastId, `${id} after ${client.lastId}, seed ${seed}`)
      client.lastId = id
      if (name) client.got.push(name)
    }
    return events.length
  }

  async function step(): Promise<void> {
    await running.ready
    const what = below(100)
    const client = clients[below(clients.length)]
    if (what < 35) await running.store.write(addMessage)
    else if (what < 50) await running.store.write(addEvent)
    else if (what < 55) {
      const writes = Array.from({ length: 4 }, () => (below(2) === 0 ? addMessage : addEvent))
      await Promise.all(writes.map((write) => running.store.write(write)))
    } else if (what < 75 && client) poll(client)
    else if (what < 80) running.queues.dispatch({ type: 'passing' }, someUsers())
    else if (what < 92) clock.advance(below(60_000))
    else {
      if (what < 96) await running.store.write((tx) => running.queues.recordEnd(tx))
      // Otherwise it ends as in a crash: nothing is stored.
      running.queues.shutDown()
      running = start()
    }
  }

  return {
    step,
    async join(userId: number) {
      await running.ready
      const { id } = running.queues.open({ ...request, userId })
      await running.queues.stored()
      clients.push({ userId, queueId: id, got: [], lastId: -1 })
    },
    async check() {
      await running.ready
      for (const client of clients) {
        const expected = happened.filter(({ users }) => users.includes(client.userId))
        while (poll(client) > 0);
        assert.deepEqual(
          client.got,
          expected.map(({ name }) => name),
          `seed ${seed}`,
        )
      }
    },
  }
}

test('clients that come and go get everything once, in order, through crashes and restarts', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const life = createLife(seed)
    for (const userId of [1, 1, 2, 3]) await life.join(userId)
    for (let i = 0; i < 120; i++) {
      await life.step()
      if (i % 40 === 0) await life.check()
    }
    await life.check()
  }
})
