import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { makers } from '#test/support/making.ts'
import { success } from '#test/support/replies.ts'
import { type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const owner = server.as('owner')
const { newChannel, newGroup } = makers(server)
let newcomers = 0

const members = (group: number, change: object) =>
  owner.post(`/user_groups/${group}/members`, { ...change })
const subgroups = (group: number, change: object) =>
  owner.post(`/user_groups/${group}/subgroups`, { ...change })

describe('a private channel appears for those whom a group lets know of it, and is gone when it does not', () => {
  interface Place {
    /** Named by the setting. */
    outer: number
    /** Inside the other. */
    inner: number
  }
  type Step = (place: Place) => Promise<{ result: string; msg: string }>
  const zoe = { add: [ids.zoe] }
  const noZoe = { delete: [ids.zoe] }
  // biome-ignore format: a table reads best in columns
  const rows: [string, come: Step, go: Step][] = [
    ['joins the group and leaves it',
      ({ outer }) => members(outer, zoe), ({ outer }) => members(outer, noZoe)],
    ['joins a group inside it and leaves that',
      ({ inner }) => members(inner, zoe), ({ inner }) => members(inner, noZoe)],
  ]
  const settings = [
    'can_subscribe_group',
    'can_add_subscribers_group',
    'can_administer_channel_group',
  ]
  for (const setting of settings) {
    for (const [what, come, go] of rows) {
      for (const form of ['the group', 'the group and people'] as const) {
        test(`${setting} is ${form}: zoe ${what}`, async () => {
          const inner = await newGroup([])
          const outer = await newGroup([], [inner])
          const value =
            form === 'the group'
              ? outer
              : { direct_members: [ids.member], direct_subgroups: [outer] }
          const params = { invite_only: true, [setting]: value }
          const { id: stream_id } = await newChannel(['owner'], params)
          const queues = await Promise.all(
            (['zoe', 'othello'] as const).map((actor) =>
              server.as(actor).watchWith({
                event_types: ['stream', 'subscription'],
                include_subscribers: true,
              }),
            ),
          )
          const drained = () => Promise.all(queues.map((queue) => queue.drain()))
          assert.deepEqual(await come({ outer, inner }), success)
          const [appeared, nothing] = await drained()
          assert.deepEqual(
            appeared?.map(({ type, op }) => `${type}/${op}`),
            ['stream/create', 'subscription/peer_add'],
          )
          assert.deepEqual(nothing, [])
          const streams = appeared?.[0]?.streams as { stream_id: number }[]
          assert.equal(streams[0]?.stream_id, stream_id)
          assert.deepEqual(appeared?.[1]?.user_ids, [ids.owner])
          assert.deepEqual(await go({ outer, inner }), success)
          const gone = {
            type: 'stream',
            op: 'delete',
            stream_ids: [stream_id],
            streams: [{ stream_id }],
          }
          assert.deepEqual(await drained(), [[gone], []])
        })
      }
    }
  }

  test('a whole group comes inside, and goes', async () => {
    const inner = await newGroup(['zoe', 'othello'])
    const outer = await newGroup([])
    await newChannel(['owner', 'othello'], { invite_only: true, can_subscribe_group: outer })
    const [zoe, othello] = [
      await server.as('zoe').watch('stream'),
      await server.as('othello').watch('stream'),
    ]
    assert.deepEqual(await subgroups(outer, { add: [inner] }), success)
    assert.deepEqual(await subgroups(outer, { delete: [inner] }), success)
    assert.deepEqual(
      (await zoe.drain()).map(({ op }) => op),
      ['create', 'delete'],
    )
    assert.deepEqual(await othello.drain(), [], 'a subscriber knows it anyway')
  })

  test('guests learn of nothing that way', async () => {
    const group = await newGroup([])
    await newChannel(['owner'], { invite_only: true, can_subscribe_group: group })
    const queue = await server.as('guest').watch('stream')
    assert.deepEqual(await members(group, { add: [ids.guest] }), success)
    assert.deepEqual(await queue.drain(), [])
  })

  test('who becomes an administrator learns of all private channels and their subscribers', async () => {
    const { id: stream_id } = await newChannel(['owner'], { invite_only: true })
    const queue = await server.as('zoe').watch('stream', 'subscription')
    assert.deepEqual(await owner.patch(`/users/${ids.zoe}`, { role: 200 }), success)
    const events = await queue.drain()
    const about = events.filter((event) => JSON.stringify(event).includes(`${stream_id}`))
    assert.deepEqual(
      about.map(({ type, op }) => `${type}/${op}`),
      ['stream/create', 'subscription/peer_add'],
    )
    assert.deepEqual(await owner.patch(`/users/${ids.zoe}`, { role: 400 }), success)
    assert.ok((await queue.drain()).some(({ op }) => op === 'delete'))
  })
})

describe('full members', () => {
  const full = systemGroupId(server.server.context.store, 'role:fullmembers')
  const wait = (days: number) => owner.patch('/realm', { waiting_period_threshold: days })
  const person = async () => await server.enroll(`Newcomer ${++newcomers}`)
  const change = (op: string, ...user_ids: number[]) => ({
    type: 'user_group',
    op,
    group_id: full,
    user_ids,
  })
  const isAbout = (event: Event | undefined, id: number) =>
    (event?.user_ids as number[] | undefined)?.includes(id)
  after(() => wait(0))

  test('are others when the waiting period changes, and who may know of a channel with them', async () => {
    const newcomer = await person()
    const { id: stream_id } = await newChannel(['owner'], {
      invite_only: true,
      can_subscribe_group: full,
    })
    const queue = await newcomer.watch('user_group', 'stream')
    assert.deepEqual(await wait(1), success)
    const [left, gone, ...rest] = await queue.drain()
    assert.equal(left?.op, 'remove_members')
    assert.ok(isAbout(left, newcomer.id))
    assert.deepEqual([gone?.op, gone?.stream_ids, rest], ['delete', [stream_id], []])
    assert.deepEqual(await wait(0), success)
    const [joined, appeared] = await queue.drain()
    assert.equal(joined?.op, 'add_members')
    assert.ok(isAbout(joined, newcomer.id))
    assert.equal(appeared?.op, 'create')
  })

  test('grow as time goes by', async () => {
    assert.deepEqual(await wait(2), success)
    server.clock.advance(3600 * 1000)
    const first = await person()
    server.clock.advance(24 * 3600 * 1000)
    const second = await person()
    const week = 7 * 24 * 3600
    const asked = { event_types: ['user_group'], idle_queue_timeout: week }
    const queue = await server.as('member').watchWith(asked)
    server.clock.advance(24 * 3600 * 1000 - 1000)
    await server.settled()
    const [other, ...none] = await queue.drain()
    assert.deepEqual([isAbout(other, first.id), none], [false, []], 'not before their time')
    server.clock.advance(1000)
    await server.settled()
    assert.deepEqual(await queue.drain(), [change('add_members', first.id)])
    server.clock.advance(24 * 3600 * 1000)
    await server.settled()
    assert.deepEqual(await queue.drain(), [change('add_members', second.id)])
  })
})
