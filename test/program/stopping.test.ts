import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '#platform/store/open.ts'
import { control } from '#program/control/client.ts'
import { createServer } from '#program/server.ts'
import { freePort } from '#test/support/free-port.ts'
import { type Client, type Event, startServer } from '#test/support/server.ts'

interface Polled {
  readonly events: readonly { readonly id: number; readonly message: { readonly id: number } }[]
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** What a queue holds beyond an event. */
async function unread(member: Client, queueId: string, lastEventId: number) {
  const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: true }
  return (await member.get<Polled>('/events', params)).events
}

/** Sends messages one after another until the server is gone; returns the acknowledged ids. */
async function sendUntilGone(sender: Client, onSent: () => void): Promise<number[]> {
  const sent: number[] = []
  try {
    for (;;) {
      const params = { type: 'channel', to: 'Verona', topic: 'storm', content: 'x' }
      const { id } = await sender.post<{ id: number }>('/messages', params)
      if (typeof id !== 'number') continue
      sent.push(id)
      onSent()
    }
  } catch {
    return sent
  }
}

test('what is sent while a server stops is in the queues that it starts again with', async () => {
  const data = newFolder()
  const before = await startServer({ socket: true, data })
  const { queueId } = await before.as('member').watchWith({ event_types: ['message'] })
  let count = 0
  let begin = () => {}
  const enough = new Promise<void>((resolve) => {
    begin = resolve
  })
  const onSent = () => {
    count += 1
    if (count === 40) begin()
  }
  const storm = Promise.all(
    Array.from({ length: 8 }, () => sendUntilGone(before.as('owner'), onSent)),
  )
  const eventIds: number[] = []
  const polls: number[] = []
  const polling = (async () => {
    let lastEventId = -1
    try {
      for (;;) {
        const params = { queue_id: queueId, last_event_id: lastEventId }
        const { events } = await before.as('member').get<Polled>('/events', params)
        for (const event of events) {
          eventIds.push(event.id)
          lastEventId = event.id
          if ('message' in event) polls.push(event.message.id)
        }
      }
    } catch {
      return lastEventId
    }
  })()
  await enough
  await before.close()
  const [sent, lastEventId] = [(await storm).flat(), await polling]

  const later = await startServer({ socket: true, data })
  after(later.close)
  const rest = await unread(later.as('member'), queueId, lastEventId)
  eventIds.push(...rest.map(({ id }) => id))
  assert.deepEqual(
    eventIds,
    eventIds.map((_, i) => i),
  )
  const heard = new Set([...polls, ...rest.map(({ message }) => message.id)])
  assert.deepEqual(
    sent.filter((id) => !heard.has(id)),
    [],
  )
})

test('a start on a port that is taken leaves the stored queues for the next one', async () => {
  const data = newFolder()
  const before = await startServer({ socket: true, data })
  const { queueId } = await before.as('member').watchWith({ event_types: ['message'] })
  await before.say('owner', 'public', 'kept')
  await before.close()

  const other = createHttpServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  await assert.rejects(
    createServer({ data, port, fixture: true, config: { logLevel: 'silent' } }),
    /EADDRINUSE/,
  )
  other.close()

  const later = await startServer({ socket: true, data })
  after(later.close)
  assert.equal((await unread(later.as('member'), queueId, -1)).length, 1)
})

test('a start that fails at its end leaves nothing running, and the folder to the next one', async () => {
  const data = newFolder()
  mkdirSync(join(data, 'control.json'), { recursive: true })
  const port = await freePort()
  const options = { data, port, fixture: true, config: { logLevel: 'silent' } }
  await assert.rejects(createServer(options))
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health`))
  await (await createServer(options)).close()
})

test('a start on a port that is taken makes no data folder', async () => {
  const other = await startServer({ socket: true })
  const data = join(newFolder(), 'new')
  const port = Number(new URL(other.url).port)
  await assert.rejects(createServer({ data, port }), /EADDRINUSE/)
  await other.close()
  assert.equal(existsSync(data), false)
})

test('a stored queue that cannot be read does not keep the server from starting', async () => {
  const data = newFolder()
  const before = await startServer({ socket: true, data })
  const bad = await before.as('owner').watchWith({ event_types: ['message'] })
  const good = await before.as('member').watchWith({ event_types: ['message'] })
  await before.close()
  const db = openDatabase(join(data, 'parley.db'))
  const spoil = db.$client.prepare('UPDATE event_queues SET request = ? WHERE id = ?')
  const add = db.$client.prepare(`INSERT INTO event_queues
     (number, id, request, last_event_id, acknowledged_id, is_exact) VALUES (?, ?, ?, 0, 0, 1)`)
  for (const [i, request] of ['', 'null', '{}', '{"userId": 10, "capabilities": 3}'].entries()) {
    add.run(100 + i, `10:${request}`, request)
  }
  spoil.run('{"request": null}', bad.queueId)
  db.$client
    .prepare("INSERT INTO queued_events (id, json, places) VALUES (1000, '', x'0102030405')")
    .run()
  db.$client.close()

  const later = await startServer({ socket: true, data })
  after(later.close)
  await later.say('owner', 'public')
  assert.equal((await unread(later.as('member'), good.queueId, -1)).length, 1)
})

test('what a command changes while the server is stopped is in the queues that it starts with', async () => {
  const data = newFolder()
  const before = await startServer({ socket: true, data })
  const { queueId } = await before.as('owner').watchWith({ event_types: ['realm_user'] })
  await before.close()
  await control({ data, config: { logLevel: 'silent' } }, 'user add', {
    email: 'eve@example.com',
    fullName: 'Eve',
    password: 'correct horse',
    role: 'member',
  })

  const later = await startServer({ socket: true, data })
  after(later.close)
  const params = { queue_id: queueId, last_event_id: -1, dont_block: true }
  const { events } = await later.as('owner').get<{ events: Event[] }>('/events', params)
  assert.deepEqual(
    events.map(({ op, person }) => [op, (person as { full_name: string }).full_name]),
    [['add', 'Eve']],
  )
})
