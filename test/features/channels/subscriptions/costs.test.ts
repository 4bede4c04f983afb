import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addSubscriptions,
  type RequestedSubscriptions,
} from '#features/channels/subscriptions/adding.actions.ts'
import { removeSubscriptions } from '#features/channels/subscriptions/removing.actions.ts'
import { plainSettings } from '#features/foundation/channels/creation.rules.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { createCaller, noCredential } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Tx } from '#platform/store/store.ts'
import { workOf } from '#test/support/limits/work.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { context } = server.server
const user = findUser(context.store, server.ids.admin)
assert.ok(user)
const caller = createCaller(context, user, 'test', noCredential(context, user))

/** Makes a change with a transaction for each step. @returns the statements and rows of each */
async function costs<T>(begin: (tx: Tx) => LongWrite<T>): Promise<number[]> {
  const steps: number[] = []
  let change: LongWrite<T> | undefined
  for (let isDone = false; !isDone; ) {
    const step = (tx: Tx) => {
      change ??= begin(tx)
      isDone = change.next(tx).done === true
    }
    steps.push(await workOf(server, () => context.store.write(step)))
  }
  return steps
}

const asked = (what: string, count: number): RequestedSubscriptions => ({
  channels: Array.from({ length: count }, (_, i) => ({ name: `${what} ${i}` })),
  parameter: 'subscriptions',
  principals: [],
  errorsFatal: true,
  announce: true,
  tellSubscribed: true,
  settings: plainSettings,
})

test('each of fifty new channels gets its first message in a step of its own', async () => {
  const settings = { send_channel_events_messages: true }
  assert.equal((await server.as('owner').patch('/realm', settings)).result, 'success')
  const requested = asked('new', 50)
  const steps = await costs((tx) => addSubscriptions(tx, caller, requested))
  assert.ok(Math.max(...steps) < 400, steps.join(' '))
  const { streams } = await server
    .as('admin')
    .get<{ streams: { name: string; first_message_id: number | null }[] }>('/streams')
  const made = streams.filter(({ name }) => name.startsWith('new '))
  assert.equal(made.length, 50)
  assert.ok(made.every(({ first_message_id }) => Number(first_message_id) > 0))
})

test('many people come to many channels, and leave them, in steps of a hundred pairs', async () => {
  const requested = asked('shared', 40)
  await costs((tx) => addSubscriptions(tx, caller, requested))
  const principals = Object.values(server.ids).slice(0, 8)
  const coming = await costs((tx) => addSubscriptions(tx, caller, { ...requested, principals }))
  assert.ok(Math.max(...coming) < 1200, coming.join(' '))
  const names = requested.channels.map(({ name }) => name)
  const leaving = await costs((tx) => removeSubscriptions(tx, caller, names, principals))
  assert.ok(Math.max(...leaving) < 1200, leaving.join(' '))
})
