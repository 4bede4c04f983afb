import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRandom } from '#test/support/drawing.ts'
import { type Actor, type Client, startServer } from '#test/support/server.ts'
import { compareAll, followAll } from './compare.ts'

const server = await startServer()
after(server.close)

const people = ['owner', 'member', 'outsider', 'guest'] as const
const followers = await followAll(server, people)

/** What people do with messages, at random and the same for the same seed; some of it is refused. */
function messageWalk(seed: number) {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(from: readonly T[]) => from[below(from.length)] as T
  const anyone = (): Client => server.as(one<Actor>(people))
  const ids: number[] = []
  const anyId = () => one(ids) ?? 1
  const owner = server.as('owner')
  const topics = ['x', 'X', 'y', '✔ y', '', 'plans']
  const channels = [3, 4, 8]
  const emoji = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }
  const text = () => one(['Hi.', '@**King Hamlet**', '@**all**', '/me waves', ':octopus:'])
  async function say() {
    const to = below(3) > 0
    const params = to
      ? { type: 'channel', to: one(channels), topic: one(topics) }
      : { type: 'direct', to: [server.ids[one<Actor>(people)], server.ids[one<Actor>(people)]] }
    const reply = await anyone().post<{ id: number }>('/messages', { ...params, content: text() })
    if (reply.result === 'success') ids.push(reply.id)
    return reply
  }
  const acts = [
    say,
    say,
    say,
    () => owner.patch(`/messages/${anyId()}`, { content: `${text()} ${below(100)}` }),
    () => anyone().patch(`/messages/${anyId()}`, { content: `${text()} ${below(100)}` }),
    () =>
      owner.patch(`/messages/${anyId()}`, {
        topic: one(topics),
        propagate_mode: one(['change_one', 'change_later', 'change_all']),
        ...(below(2) && { stream_id: one(channels) }),
      }),
    () => owner.del(`/messages/${anyId()}`),
    () =>
      anyone().post('/messages/flags', {
        messages: [anyId(), anyId(), anyId()],
        op: one(['add', 'remove']),
        flag: one(['read', 'read', 'starred', 'collapsed']),
      }),
    () => anyone().post(`/messages/${anyId()}/reactions`, emoji),
    () => anyone().del(`/messages/${anyId()}/reactions`, emoji),
    () =>
      anyone().post('/user_topics', {
        stream_id: one(channels),
        topic: one(topics),
        visibility_policy: below(4),
      }),
    () => {
      const change = { stream_id: one(channels), property: 'is_muted', value: below(2) === 1 }
      return anyone().post('/users/me/subscriptions/properties', { subscription_data: [change] })
    },
    () =>
      anyone().post('/messages/flags/narrow', {
        anchor: anyId(),
        num_before: below(3),
        num_after: below(3),
        narrow: [],
        op: one(['add', 'remove']),
        flag: 'read',
      }),
  ]
  let done = 0
  return {
    /** How many of them did something. */
    count: () => done,
    async act(): Promise<void> {
      if (below(60) === 0) await anyone().post('/mark_all_as_read')
      const { result } = await one(acts)()
      if (result === 'success') done += 1
    },
  }
}

test('after a random walk through the messages, a store that followed is that of a registration', async () => {
  const { act, count } = messageWalk(3)
  for (let step = 1; step <= 300; step++) {
    await act()
    if (step % 25 > 0) continue
    const problems = await compareAll(followers, `${step} things done with messages`)
    assert.equal(problems.join('\n'), '')
  }
  assert.ok(count() > 120, `${count()} of the actions did something`)
  for (const [name, { store }] of followers) {
    assert.ok(store.messages.current.size > 15, `${name} has ${store.messages.current.size}`)
  }
})
