import { createRandom } from '#test/support/drawing.ts'
import type { Actor, CallParams, TestServer } from '#test/support/server.ts'

/**
 * What people do with channels, and what else changes who knows of them, at random and the same for
 * the same seed; much of it is refused.
 */
export async function randomActions(server: TestServer, seed: number) {
  const { ids } = server
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(from: readonly T[]) => from[below(from.length)] as T
  const actors: Actor[] = ['owner', 'admin', 'member', 'outsider', 'guest', 'bot']
  const managers: Actor[] = ['owner', 'admin', 'member']
  const people: Actor[] = [...actors, 'cordelia', 'zoe']
  const names = ['Verona', 'Denmark', 'Rome', 'core team', 'alpha', 'beta', 'gamma', 'delta']
  const owner = server.as('owner')
  const newGroup = async (name: string, subgroups: number[]): Promise<number> => {
    const group = { name, description: '', members: [], subgroups }
    return (await owner.post<{ group_id: number }>('/user_groups/create', group)).group_id
  }
  const inner = await newGroup('inner', [])
  const outer = await newGroup('outer', [inner])
  const anyChannel = () => 1 + below(26)
  const changes = (): CallParams =>
    one<CallParams>([
      { is_private: true },
      { is_private: true, history_public_to_subscribers: true },
      { is_private: false },
      { is_private: false, description: `Number *${below(100)}*` },
      { folder_id: one([1, 2, null]) },
      { can_send_message_group: { new: one([3, 4, 6, 7]) } },
      { can_subscribe_group: { new: { direct_members: [ids.outsider], direct_subgroups: [] } } },
      { can_subscribe_group: { new: 1 } },
      { can_administer_channel_group: { new: one([4, 6, inner]) } },
      { can_subscribe_group: { new: one([inner, outer]) } },
      { can_add_subscribers_group: { new: one([inner, outer, 1]) } },
      {
        can_administer_channel_group: {
          new: { direct_members: [ids.cordelia, ids.zoe], direct_subgroups: [outer] },
        },
      },
      { message_retention_days: 7, topics_policy: 'allow_empty_topic' },
      { is_archived: false },
      { is_archived: false, is_private: below(2) === 1 },
    ])
  const principals = () => [...new Set([ids[one(people)], ids[one(people)]])]
  const acts = [
    () =>
      server.as(one(actors)).post('/users/me/subscriptions', {
        subscriptions: [{ name: one(names) }, { name: one(names) }],
        principals: below(2) ? principals() : [],
        invite_only: below(2) === 1,
        history_public_to_subscribers: true,
        authorization_errors_fatal: false,
      }),
    () =>
      server.as(one(actors)).del('/users/me/subscriptions', {
        subscriptions: [one(names)],
        principals: below(2) ? principals() : [],
      }),
    () => {
      const property = one(['is_muted', 'pin_to_top', 'email_notifications'])
      const change = { stream_id: one([3, 4, 5, 8, 18, 19]), property, value: below(2) === 1 }
      const params = { subscription_data: [change] }
      return server.as(one(actors)).post('/users/me/subscriptions/properties', params)
    },
    () => {
      const message = { type: 'channel', to: one(names), topic: one(['x', 'y']), content: 'Hi.' }
      return server.as(one(actors)).post('/messages', message)
    },
    () => server.as(one(managers)).patch(`/streams/${anyChannel()}`, changes()),
    () => server.as(one(managers)).patch(`/streams/${anyChannel()}`, changes()),
    () => server.as(one(managers)).del(`/streams/${anyChannel()}`),
    () =>
      server.as(one(actors)).post('/channels/create', {
        name: `made ${below(1000)}`,
        subscribers: [ids[one(people)]],
        invite_only: below(2) === 1,
      }),
  ]
  /** What changes who is in the groups that open channels, and who their values name. */
  const mixing = [
    () => {
      const change = { [one(['add', 'delete'])]: [ids[one(people)]] }
      return owner.post(`/user_groups/${one([inner, outer])}/members`, change)
    },
    () => owner.post(`/user_groups/${outer}/subgroups`, { [one(['add', 'delete'])]: [inner] }),
    () => {
      const role = one([200, 300, 400])
      return owner.patch(`/users/${ids[one<Actor>(['cordelia', 'member', 'outsider'])]}`, { role })
    },
    () => owner.del(`/users/${ids[one<Actor>(['cordelia', 'zoe'])]}`),
    () => owner.post(`/users/${ids[one<Actor>(['cordelia', 'zoe'])]}/reactivate`),
  ]
  acts.push(...mixing, ...mixing.slice(0, 2))
  let done = 0
  return {
    /** How many of them did something. */
    count: () => done,
    async act(): Promise<void> {
      const { result } = await one(acts)()
      if (result === 'success') done += 1
    },
  }
}
