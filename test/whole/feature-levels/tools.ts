import assert from 'node:assert/strict'
import { basicAuth } from '#test/support/files.ts'
import type { Actor, CallParams, Client, Reply, TestServer } from '#test/support/server.ts'

/** A feature level: what clients may rely on from it on, in our words, and how we know. */
export type Level = readonly [
  level: number,
  says: string,
  check: (server: TestServer) => Promise<void>,
]

/** A system group or another group's id, or an anonymous group. */
export type GroupValue = number | { direct_members: number[]; direct_subgroups: number[] }

export type Json = Record<string, unknown>

/** Fails unless the call succeeded. */
export async function ok<T extends object = Json>(reply: Promise<Reply>): Promise<T> {
  const done = await reply
  assert.equal(done.result, 'success', done.msg)
  return done as unknown as T
}

/** The code of a call that failed. */
export async function codeOf(reply: Promise<Reply>): Promise<unknown> {
  const done = await reply
  assert.equal(done.result, 'error')
  return done.code
}

/** What an event of changed settings tells. */
function changesIn(events: readonly Json[]): Json {
  return events[0]?.data as Json
}

/** The message of an event. */
export function messageIn(events: readonly Json[]): Json {
  return events[0]?.message as Json
}

/** Someone's status. Read here, as `status` of other replies in tests is that of HTTP. */
export async function statusOf(server: TestServer, userId: number): Promise<unknown> {
  const headers = basicAuth(server, 'member')
  const response = await fetch(`${server.url}/api/v1/users/${userId}/status`, { headers })
  return ((await response.json()) as Json).status
}

let made = 0
/** A name that nothing else has. */
export const fresh = (what: string) => `${what} ${++made}`

/** Makes a channel with nobody in it but its maker, and returns its id. */
export async function channel(
  server: TestServer,
  params: CallParams = {},
  actor: Actor = 'member',
): Promise<number> {
  const client = server.as(actor)
  const all = { name: fresh('channel'), subscribers: [client.id], ...params }
  return (await ok<{ id: number }>(client.post('/channels/create', all))).id
}

export async function group(server: TestServer, params: CallParams = {}): Promise<number> {
  const all = { name: fresh('group'), description: '', members: [], ...params }
  const client = server.as('member')
  return (await ok<{ group_id: number }>(client.post('/user_groups/create', all))).group_id
}

export async function systemGroup(server: TestServer, name: string): Promise<number> {
  const { user_groups } = await ok<{ user_groups: { id: number; name: string }[] }>(
    server.as('owner').get('/user_groups'),
  )
  const found = user_groups.find((each) => each.name === name)
  assert.ok(found)
  return found.id
}

export async function send(client: Client, to: number, topic: string, content = 'Hello.') {
  const params = { type: 'channel', to, topic, content }
  return (await ok<{ id: number }>(client.post('/messages', params))).id
}

/** The ids that a narrow finds for someone. */
export async function find(
  client: Client,
  narrow: readonly object[],
  params: CallParams = {},
): Promise<number[]> {
  const all = { narrow, anchor: 'newest', num_before: 100, num_after: 0, ...params }
  const reply = await ok<{ messages: { id: number }[] }>(client.get('/messages', all))
  return reply.messages.map(({ id }) => id)
}

/** A message as someone gets it, the Markdown rendered. */
export async function message(client: Client, id: number, params: CallParams = {}): Promise<Json> {
  return (await ok<{ message: Json }>(client.get(`/messages/${id}`, params))).message
}

export const term = (operator: string, operand: unknown, negated = false) => ({
  operator,
  operand,
  negated,
})

/** A channel as `GET /streams/{id}` shows it. */
export async function shown(server: TestServer, id: number, actor: Actor = 'owner') {
  return (await ok<{ stream: Json }>(server.as(actor).get(`/streams/${id}`))).stream
}

/** What `POST /register` answers someone for these types. */
export async function state(
  server: TestServer,
  types: readonly string[],
  params: CallParams = {},
  actor: Actor = 'member',
): Promise<Json> {
  const all = { fetch_event_types: types, event_types: [], ...params }
  return (await server.as(actor).watchWith(all)).state
}

/** Changes something and puts it back. */
export async function during(
  change: () => Promise<unknown>,
  check: () => Promise<unknown>,
  back: () => Promise<unknown>,
): Promise<void> {
  await change()
  try {
    await check()
  } finally {
    await back()
  }
}

export const setRealm = (server: TestServer, params: CallParams) =>
  ok(server.as('owner').patch('/realm', params))

/** A permission of the organization: shown, and changed with an anonymous group. */
export function realmPermission(level: number, name: string, systemOnly?: string): Level {
  return [
    level,
    `\`${name}\` says who may, as a group setting`,
    async (server) => {
      const before = (await state(server, ['realm']))[`realm_${name}`] as GroupValue
      const value: GroupValue = systemOnly
        ? await systemGroup(server, systemOnly)
        : { direct_members: [server.ids.owner, server.ids.admin], direct_subgroups: [] }
      const queue = await server.as('cordelia').watch('realm')
      await during(
        () => setRealm(server, { [name]: { new: value, old: before } }),
        async () => {
          assert.deepEqual((await state(server, ['realm']))[`realm_${name}`], value)
          assert.deepEqual(changesIn(await queue.drain())[name], value)
          const stale = { [name]: { new: value, old: before } }
          const refused = server.as('owner').patch('/realm', stale)
          assert.equal(await codeOf(refused), 'EXPECTATION_MISMATCH')
        },
        () => setRealm(server, { [name]: { new: before } }),
      )
    },
  ]
}

/** A plain setting of the organization: shown, changed, and told to everyone. */
export function realmSetting(level: number, name: string, value: unknown): Level {
  return [
    level,
    `\`${name}\` is a setting of the organization`,
    async (server) => {
      const before = (await state(server, ['realm']))[`realm_${name}`]
      assert.notEqual(before, undefined)
      const queue = await server.as('cordelia').watch('realm')
      await during(
        () => setRealm(server, { [name]: value }),
        async () => {
          assert.deepEqual((await state(server, ['realm']))[`realm_${name}`], value)
          assert.equal(changesIn(await queue.drain())[name], value)
        },
        () => setRealm(server, { [name]: before }),
      )
    },
  ]
}

/** A setting of each user, and unless it is theirs alone, one that new users start with. */
export function userSetting(
  level: number,
  name: string,
  value: unknown,
  isDefault: 'with a default' | 'without a default' = 'with a default',
): Level {
  return [
    level,
    `\`${name}\` is a setting of each user, ${isDefault}, and can be ${value}`,
    async (server) => {
      const types = ['user_settings', 'realm_user_settings_defaults']
      const before = await state(server, types)
      const mine = before.user_settings as Json
      assert.ok(name in mine)
      const queue = await server.as('member').watch('user_settings')
      await ok(server.as('member').patch('/settings', { [name]: value }))
      const [event] = await queue.drain()
      if (mine[name] !== value) {
        assert.deepEqual([event?.op, event?.property, event?.value], ['update', name, value])
      }
      const defaults = before.realm_user_settings_defaults as Json
      assert.equal(name in defaults, isDefault === 'with a default')
      const reply = server.as('owner').patch('/realm/user_settings_defaults', { [name]: value })
      const ignored = (await ok(reply)).ignored_parameters_unsupported
      assert.deepEqual(ignored, isDefault === 'with a default' ? undefined : [name])
    },
  ]
}

/** A permission of each channel: when it is made, when it is changed, and in the events. */
export function channelPermission(level: number, name: string): Level {
  return [
    level,
    `\`${name}\` is a group setting of each channel`,
    async (server) => {
      const members = (...ids: number[]) => ({ direct_members: ids, direct_subgroups: [] })
      const { member, owner, othello } = server.ids
      const first = members(owner, member)
      const id = await channel(server, { [name]: first }, 'owner')
      assert.deepEqual((await shown(server, id))[name], first)
      const queue = await server.as('owner').watch('stream')
      const then = { [name]: { new: members(othello), old: first } }
      await ok(server.as('owner').patch(`/streams/${id}`, then))
      assert.deepEqual((await shown(server, id))[name], members(othello))
      const event = (await queue.drain()).find((each) => each.property === name)
      assert.deepEqual([event?.stream_id, event?.value], [id, members(othello)])
      const stale = server.as('owner').patch(`/streams/${id}`, then)
      assert.equal(await codeOf(stale), 'EXPECTATION_MISMATCH')
    },
  ]
}

/** A permission of each user group. */
export function groupPermission(level: number, name: string): Level {
  return [
    level,
    `\`${name}\` is a group setting of each user group`,
    async (server) => {
      const { member, owner } = server.ids
      const value = { direct_members: [member, owner], direct_subgroups: [] }
      const id = await group(server, { [name]: value })
      const queue = await server.as('guest').watch('user_group')
      const members = await systemGroup(server, 'role:members')
      const change = { [name]: { new: members, old: value } }
      await ok(server.as('member').patch(`/user_groups/${id}`, change))
      const [event] = await queue.drain()
      assert.deepEqual(
        [event?.op, event?.group_id, event?.data],
        ['update', id, { [name]: members }],
      )
    },
  ]
}
