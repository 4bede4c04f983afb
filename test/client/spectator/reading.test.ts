import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Api } from '#client/api/api.ts'
import { fetchOrganization } from '#client/spectator/organization.ts'
import { createReading } from '#client/spectator/reading.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const rome = server.channels.webPublic
const say = (text: string) => server.say('zoe', 'webPublic', 'plans', text)

/** Without credentials, as the page calls it. */
const { get, post } = server.anonymous
const api = {
  get: async (path: string, params = {}) => await get(path, params),
  post: async (path: string, params = {}) => await post(path, params),
} as unknown as Api

const ids: number[] = []
before(async () => {
  await server.as('owner').patch('/realm', { enable_spectator_access: true })
  for (let i = 0; i < 150; i++) ids.push(await say(`Message ${i}.`))
  await server.say('member', 'public', 'plans', 'Hidden.')
})

test('of the organization, someone without an account knows the public channels', async () => {
  const { name, channels, lookups } = await fetchOrganization(api)
  assert.equal(name, 'Zulip Dev')
  assert.deepEqual(
    channels.map(({ id }) => id),
    [rome],
  )
  assert.equal(lookups.channels.peek(server.channels.public), undefined)
})

test('messages are fetched from the end, then older ones, then those sent since', async () => {
  const reading = createReading(api, { kind: 'all' })
  const shown = () => reading.messages.value.map(({ id }) => id)
  await reading.open(undefined)
  assert.deepEqual(shown(), ids.slice(-60))
  await reading.older()
  await reading.older()
  assert.deepEqual(shown(), ids)
  assert.equal(reading.status.value.hasOldest, true)
  ids.push(await say('One more.'))
  await reading.newer()
  assert.deepEqual(shown(), ids)
  assert.deepEqual(reading.messages.value.at(-1)?.html, '<p>One more.</p>')
})

test('a link to a message opens around it', async () => {
  const reading = createReading(api, { kind: 'channel', channelId: rome })
  const middle = ids[75] ?? 0
  await reading.open(middle)
  const shown = reading.messages.value.map(({ id }) => id)
  assert.deepEqual(shown, ids.slice(45, 106))
  assert.equal(reading.status.value.hasNewest, false)
})

test('a refusal is told, and a retry goes on', async () => {
  let fails = true
  const failing = {
    ...api,
    get: async (path: string, params = {}) => {
      if (fails) throw new Error('No connection.')
      return await api.get(path, params)
    },
  } as Api
  const reading = createReading(failing, { kind: 'all' })
  await reading.open(undefined)
  assert.match(String(reading.status.value.problem), /No connection/)
  fails = false
  await reading.open(undefined)
  assert.deepEqual([reading.status.value.problem, reading.messages.value.length], [undefined, 60])
})
