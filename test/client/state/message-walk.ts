import { createRandom } from '#test/bench/words.ts'
import type { Actor, Client, TestServer } from '#test/support/server.ts'

/** What people do with messages, at random and the same for the same seed; some of it is refused. */
export function messageWalk(server: TestServer, seed: number) {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(from: readonly T[]) => from[below(from.length)] as T
  const actors: readonly Actor[] = ['owner', 'member', 'outsider', 'guest']
  const anyone = (): Client => server.as(one(actors))
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
      : { type: 'direct', to: [server.ids[one(actors)], server.ids[one(actors)]] }
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
