import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Actor, type CallParams, type Event, startServer } from './support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server

interface Known {
  stream_id: number
  name: string
  subscriber_count: number
  subscribers?: number[]
}
type Lists = Record<'streams' | 'subscriptions' | 'unsubscribed' | 'never_subscribed', Known[]>
const listNames = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const

const asked = {
  fetch_event_types: ['stream', 'subscription'],
  event_types: ['stream', 'subscription'],
  include_subscribers: true,
}

/** What `stream`/`update` says of other properties than the one it names. */
const furtherMembers = [
  'rendered_description',
  'history_public_to_subscribers',
  'is_web_public',
] as const

const byId = (a: Known, b: Known) => a.stream_id - b.stream_id

/** The channels of a registered state, each list by id. */
function listsOf(state: Readonly<Record<string, unknown>>): Lists {
  return Object.fromEntries(
    listNames.map((name) => [name, structuredClone(state[name] as Known[]).sort(byId)]),
  ) as Lists
}

/**
 * The same without the difference between channels that the user left and those never subscribed
 * to: no client can tell them apart of a channel that disappeared and is there again.
 */
function comparable({ streams, subscriptions, unsubscribed, never_subscribed }: Lists) {
  const properties = new Set(streams.flatMap((channel) => Object.keys(channel)))
  const others = [...unsubscribed, ...never_subscribed].sort(byId).map((channel) => {
    const members = Object.entries(channel).filter(
      ([name]) => name === 'subscribers' || properties.has(name),
    )
    return Object.fromEntries(members)
  })
  return { streams, subscriptions, others }
}

/** What a client makes of an event. */
function apply(lists: Lists, event: Event, self: number): void {
  const all = (id: number) =>
    listNames.flatMap((name) => lists[name].filter(({ stream_id }) => stream_id === id))
  const drop = (id: number, name: keyof Lists) => {
    lists[name] = lists[name].filter(({ stream_id }) => stream_id !== id)
  }
  const put = (name: keyof Lists, channel: Known) => {
    assert.equal(
      lists[name].some(({ stream_id }) => stream_id === channel.stream_id),
      false,
    )
    lists[name] = [...lists[name], channel].sort((a, b) => a.stream_id - b.stream_id)
  }
  const count = (id: number, change: (subscribers: Set<number>) => void) => {
    for (const channel of all(id)) {
      if (!channel.subscribers) continue
      const subscribers = new Set(channel.subscribers)
      change(subscribers)
      channel.subscribers = [...subscribers].sort((a, b) => a - b)
      for (const other of all(id)) other.subscriber_count = subscribers.size
    }
  }
  const streamIds = (event.stream_ids ?? []) as number[]
  const userIds = (event.user_ids ?? []) as number[]
  switch (`${event.type}/${event.op}`) {
    case 'stream/create':
      for (const channel of event.streams as Known[]) {
        put('streams', { ...channel })
        put('never_subscribed', { ...channel, subscribers: [] })
      }
      break
    case 'stream/delete':
      for (const id of streamIds) for (const name of listNames) drop(id, name)
      break
    case 'stream/update':
      for (const channel of all(event.stream_id as number)) {
        Object.assign(channel, { [event.property as string]: event.value })
        for (const further of furtherMembers) {
          if (event[further] !== undefined) Object.assign(channel, { [further]: event[further] })
        }
      }
      break
    case 'subscription/add':
      for (const channel of event.subscriptions as Known[]) {
        const id = channel.stream_id
        assert.ok(
          lists.streams.some(({ stream_id }) => stream_id === id),
          'known before',
        )
        drop(id, 'never_subscribed')
        drop(id, 'unsubscribed')
        put('subscriptions', { ...channel })
        for (const other of all(id)) other.subscriber_count = channel.subscriber_count
      }
      break
    case 'subscription/remove':
      for (const { stream_id } of event.subscriptions as Known[]) {
        const channel = lists.subscriptions.find((known) => known.stream_id === stream_id)
        assert.ok(channel, 'subscribed before')
        drop(stream_id, 'subscriptions')
        put('unsubscribed', channel)
        count(stream_id, (subscribers) => void subscribers.delete(self))
      }
      break
    case 'subscription/update':
      for (const channel of lists.subscriptions) {
        if (channel.stream_id !== event.stream_id) continue
        Object.assign(channel, { [event.property as string]: event.value })
      }
      break
    case 'subscription/peer_add':
      for (const id of streamIds) {
        assert.ok(all(id).length > 0, 'peers of a known channel')
        count(id, (subscribers) => {
          for (const user of userIds) {
            assert.equal(subscribers.has(user), false)
            subscribers.add(user)
          }
        })
      }
      break
    case 'subscription/peer_remove':
      for (const id of streamIds) {
        count(id, (subscribers) => {
          for (const user of userIds) assert.ok(subscribers.delete(user), 'a subscriber before')
        })
      }
      break
    default:
      assert.fail(`${event.type}/${event.op}`)
  }
}

/** The same numbers at every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('the registered channels with the events since are the channels registered now', async () => {
  const watchers: Actor[] = ['owner', 'admin', 'member', 'outsider', 'guest', 'bot']
  // Half of the clients know archived channels.
  const askedBy = (i: number) => ({
    ...asked,
    client_capabilities: { archived_channels: i % 2 === 0 },
  })
  const queues = await Promise.all(
    watchers.map((actor, i) => server.as(actor).watchWith(askedBy(i))),
  )
  const states = queues.map(({ state }) => listsOf(state))
  const next = random(42)
  const one = <T>(from: readonly T[]) => from[next(from.length)] as T
  const names = ['Verona', 'Denmark', 'Rome', 'core team', 'alpha', 'beta', 'gamma', 'delta']
  const people = [...watchers, 'cordelia', 'zoe'] as Actor[]
  const post = (actor: Actor, path: string, params: CallParams) =>
    server.as(actor).post(path, params)
  const acts = [
    (actor: Actor) => {
      const principals = [...new Set([one(people), one(people)])].map((name) => ids[name])
      return post(actor, '/users/me/subscriptions', {
        subscriptions: [{ name: one(names) }, { name: one(names) }],
        principals: next(2) ? principals : [],
        invite_only: next(2) === 1,
        history_public_to_subscribers: true,
        authorization_errors_fatal: false,
      })
    },
    (actor: Actor) => {
      const principals = next(2) ? [ids[one(people)], ids[one(people)]] : []
      const subscriptions = [one(names)]
      return server.as(actor).del('/users/me/subscriptions', { subscriptions, principals })
    },
    (actor: Actor) => {
      const property = one(['is_muted', 'pin_to_top', 'email_notifications'])
      const change = { stream_id: one([3, 4, 5, 8, 18, 19]), property, value: next(2) === 1 }
      return post(actor, '/users/me/subscriptions/properties', { subscription_data: [change] })
    },
    (actor: Actor) =>
      post(actor, '/messages', { type: 'channel', to: one(names), topic: 'x', content: 'Hi.' }),
  ]
  const newGroup = async (name: string, subgroups: number[]): Promise<number> => {
    const group = { name, description: '', members: [], subgroups }
    return (await post('owner', '/user_groups/create', group)).group_id as number
  }
  const crew = await newGroup('crew', [])
  const fleet = await newGroup('fleet', [crew])
  const owner = server.as('owner')
  /** What changes who is in the groups that open channels, and who their values name. */
  const mixing = [
    () => {
      const change = { [one(['add', 'delete'])]: [ids[one(people)]] }
      return owner.post(`/user_groups/${one([crew, fleet])}/members`, change)
    },
    () => owner.post(`/user_groups/${fleet}/subgroups`, { [one(['add', 'delete'])]: [crew] }),
    () => {
      const role = one([200, 300, 400])
      return owner.patch(`/users/${ids[one<Actor>(['cordelia', 'member', 'outsider'])]}`, { role })
    },
    () => owner.del(`/users/${ids[one<Actor>(['cordelia', 'zoe'])]}`),
    () => owner.post(`/users/${ids[one<Actor>(['cordelia', 'zoe'])]}/reactivate`),
  ]
  acts.push(...mixing, ...mixing.slice(0, 2))
  const anyChannel = () => 1 + next(24)
  const edits = (): CallParams =>
    one<CallParams>([
      { is_private: true },
      { is_private: true, history_public_to_subscribers: true },
      { is_private: false },
      { is_private: false, description: `Number *${next(100)}*` },
      { folder_id: one([1, 2, null]) },
      { can_send_message_group: { new: one([3, 4, 6, 7]) } },
      { can_subscribe_group: { new: { direct_members: [ids.outsider], direct_subgroups: [] } } },
      { can_subscribe_group: { new: 1 } },
      { can_administer_channel_group: { new: one([4, 6, crew]) } },
      { can_subscribe_group: { new: one([crew, fleet]) } },
      { can_add_subscribers_group: { new: one([crew, fleet, 1]) } },
      {
        can_administer_channel_group: {
          new: { direct_members: [ids.cordelia, ids.zoe], direct_subgroups: [fleet] },
        },
      },
      { message_retention_days: 7, topics_policy: 'disable_empty_topic' },
      { is_archived: false },
      { is_archived: false, is_private: next(2) === 1 },
    ])
  const managers: Actor[] = ['owner', 'admin', 'member']
  const editing = [
    () => server.as(one(managers)).patch(`/streams/${anyChannel()}`, edits()),
    () => server.as(one(managers)).patch(`/streams/${anyChannel()}`, edits()),
    () => server.as(one(managers)).del(`/streams/${anyChannel()}`),
    (actor: Actor) =>
      post(actor, '/channels/create', {
        name: `made ${next(1000)}`,
        subscribers: [ids[one(people)]],
        invite_only: next(2) === 1,
      }),
  ]
  acts.push(...editing)
  let done = 0
  for (let step = 1; step <= 480; step++) {
    const reply = await one(acts)(one(watchers))
    if (reply.result === 'success') done += 1
    if (step % 24 > 0) continue
    for (const [i, queue] of queues.entries()) {
      const actor = watchers[i] as Actor
      const state = states[i] as Lists
      for (const event of await queue.drain()) apply(state, event, ids[actor])
      const fresh = listsOf((await server.as(actor).watchWith(askedBy(i))).state)
      assert.deepEqual(comparable(state), comparable(fresh), `${actor} after ${step} steps`)
    }
  }
  assert.ok(done > 100, `${done} of the actions did something`)
})
