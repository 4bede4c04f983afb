import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { CallError } from '#client/api/api.ts'
import type { View } from '#client/narrow/narrow.ts'
import { followNamed } from '#client/views/follow-named.ts'
import type { OpenPane } from '#client/views/open-pane.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels } = server
const gone = ['The linked message was deleted, or you do not have access to it.']

/** Opens a link to a message, in a pane whose list does not have it. @returns what came of it */
async function open(
  near: number,
  { call, leaves = false }: { call?: CallError; leaves?: boolean } = {},
) {
  const { store, api } = await goOnline(server, 'member')
  const narrow = { kind: 'topic', channelId: channels.public, topic: 'plans' } as const
  const pane = { list: { narrow }, entry: 'entry' } as OpenPane
  const notices: string[] = []
  const visited: View[] = []
  const failing = { ...api, get: () => Promise.reject(call) }
  const app = {
    store,
    api: call ? failing : api,
    pane: signal(leaves ? undefined : pane),
    router: { go: (view: View) => void visited.push(view) },
    notify: (text: string) => void notices.push(text),
  }
  await followNamed(app as unknown as Parameters<typeof followNamed>[0], pane, near)
  return { notices, visited }
}

const here = await server.say('owner', 'public', 'plans')
const hidden = await server.say('owner', ['zoe'])
const deleted = await server.say('owner', 'public', 'plans')
await server.as('owner').del(`/messages/${deleted}`)

for (const [what, id] of [
  ['was deleted', deleted],
  ['is hidden', hidden],
  ['never was', 99_999_999],
] as const) {
  test(`a link to a message that ${what} says that it is gone`, async () => {
    assert.deepEqual(await open(id), { notices: gone, visited: [] })
  })
  test(`where one has left the view meanwhile, a message that ${what} is not spoken of`, async () => {
    assert.deepEqual(await open(id, { leaves: true }), { notices: [], visited: [] })
  })
}

test('a link to a message of the topic itself leads nowhere else', async () => {
  assert.deepEqual(await open(here), { notices: [], visited: [] })
})

for (const [why, call] of [
  ['there is no network', new CallError('', 'NETWORK', 0)],
  ['the server is busy', new CallError('', 'RATE_LIMIT_HIT', 429)],
  ['the server is broken', new CallError('', 'INTERNAL', 503)],
  ['the session has ended', new CallError('', 'UNAUTHORIZED', 401)],
] as const) {
  test(`where ${why}, no message is said to be gone`, async () => {
    assert.deepEqual(await open(deleted, { call }), { notices: [], visited: [] })
  })
}
