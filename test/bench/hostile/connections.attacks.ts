import type { Attack, Attacker } from './attack.ts'
import { reading, sending } from './client.ts'
import { head, openSocket, pour } from './sockets.ts'

/** Opens so many connections, some at a time, and does the same with each. */
async function withEach(
  attacker: Attacker,
  count: number,
  use: (i: number) => Promise<void> | void,
): Promise<void> {
  const all: Promise<void>[] = []
  for (let i = 0; i < count && !attacker.isOver(); i++) {
    all.push(Promise.resolve(use(i)))
    if (i % 50 === 49) await attacker.rest(20)
  }
  await Promise.all(all)
}

/** One body that comes a byte at a time. */
async function drip(attacker: Attacker, start: string): Promise<void> {
  const socket = openSocket(attacker)
  socket.resume()
  socket.write(start)
  while (!attacker.isOver() && !socket.destroyed) {
    socket.write('x')
    await attacker.rest(250)
  }
}

/** What one account does to connections. */
export const connectionAttacks: readonly Attack[] = [
  {
    name: 'connections: requests in a pipeline, answers never read',
    async run(attacker) {
      const path = reading('/messages', { anchor: 'newest', num_before: 1000, num_after: 0 }).path
      await withEach(attacker, 20, async () => {
        const socket = openSocket(attacker).pause()
        await pour(attacker, socket, head(attacker, `GET ${path}`).repeat(10), 5_000_000)
      })
    },
  },
  {
    name: 'connections: small requests in a pipeline, answers never read',
    async run(attacker) {
      await withEach(attacker, 20, async () => {
        const socket = openSocket(attacker).pause()
        const piece = head(attacker, 'GET /api/v1/nothing').repeat(100)
        await pour(attacker, socket, piece, 20_000_000)
      })
    },
  },
  {
    name: 'connections: 1 000 bodies that drip in',
    async run(attacker) {
      const type = 'Content-Type: application/x-www-form-urlencoded'
      const start = head(attacker, 'POST /api/v1/drafts', 'Content-Length: 1000000', type)
      await withEach(attacker, 1000, () => drip(attacker, `${start}drafts=`))
    },
  },
  {
    name: 'connections: 1 000 bodies of 1 MB that stop before their end',
    async run(attacker) {
      const length = 1_000_000
      const type = 'Content-Type: application/x-www-form-urlencoded'
      const start = head(attacker, 'POST /api/v1/drafts', `Content-Length: ${length}`, type)
      const most = `drafts=${'x'.repeat(length - 1000)}`
      await withEach(attacker, 1000, async () => {
        const socket = openSocket(attacker).resume()
        socket.write(start)
        socket.write(most)
        await attacker.rest(60_000)
      })
    },
  },
  {
    name: 'connections: 1 000 heads that drip in',
    async run(attacker) {
      await withEach(attacker, 1000, () => drip(attacker, 'GET /api/v1/users HTTP/1.1\r\nX: '))
    },
  },
  {
    name: 'connections: 2 000 with nothing to say',
    async run(attacker) {
      await withEach(attacker, 2000, () => void openSocket(attacker))
      await attacker.rest(60_000)
    },
  },
  {
    name: 'connections: a poll parked on each of 1 000',
    async run(attacker) {
      const { queue_id } = await attacker.ask<{ queue_id: string }>(
        sending('POST', '/register', { event_types: ['message'], fetch_event_types: [] }),
      )
      const { path } = reading('/events', { queue_id, last_event_id: -1 })
      await withEach(attacker, 1000, () => {
        openSocket(attacker).write(head(attacker, `GET ${path}`))
      })
      await attacker.rest(60_000)
    },
  },
]
