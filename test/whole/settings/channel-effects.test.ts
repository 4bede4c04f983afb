import { after } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { permissionRules, type SystemGroup } from '#features/foundation/permissions/table.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'
import { type Effect, testEffects, who } from './effects.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context
const owner = server.as('owner')
const group = (name: SystemGroup) => systemGroupId(store, name)
const nobody = { new: group('role:nobody') }

/** What the organization allows everywhere is not what a channel allows. */
await owner.patch('/realm', {
  can_add_subscribers_group: nobody,
  can_delete_own_message_group: nobody,
  can_move_messages_between_channels_group: nobody,
  can_move_messages_between_topics_group: nobody,
  can_resolve_topics_group: nobody,
  message_content_delete_limit_seconds: 'unlimited',
})

let made = 0
const fresh = (what: string) => `${what} ${++made}`

async function newChannel(params: CallParams): Promise<number> {
  const name = fresh('channel')
  return (await owner.post<{ id: number }>('/channels/create', { name, ...params })).id
}

const everybody = [ids.owner, ids.moderator, ids.member, ids.guest, ids.zoe]
const channel = await newChannel({
  subscribers: everybody,
  can_administer_channel_group: group('role:nobody'),
})
const hidden = await newChannel({
  subscribers: [ids.owner],
  invite_only: true,
  can_administer_channel_group: group('role:nobody'),
})
const { name: channelName } = (await owner.get<{ stream: { name: string } }>(`/streams/${channel}`))
  .stream

async function say(actor: Actor, topic = fresh('topic')) {
  const message = { type: 'channel', to: channel, topic, content: 'Hello.' }
  return server.as(actor).post<{ id: number }>('/messages', message)
}

const change = (author: Actor | undefined, params: () => CallParams) => () =>
  who(async (actor) => {
    const { id } = await say(author ?? actor)
    return server.as(actor).patch(`/messages/${id}`, params())
  })

const remove = (author?: Actor) => () =>
  who(async (actor) => server.as(actor).del(`/messages/${(await say(author ?? actor)).id}`))

const all = 'owner moderator member guest'

const effects: Record<string, Effect> = {
  can_add_subscribers_group: {
    of: 'who subscribes others',
    async see() {
      const { id } = await server.enroll(fresh('Person'))
      const subscriptions = [{ name: channelName }]
      return who(async (actor) => {
        const params = { subscriptions, principals: [id] }
        return server.as(actor).post('/users/me/subscriptions', params)
      })
    },
    positions: [
      ['role:nobody', 'owner'],
      ['role:moderators', 'owner moderator'],
      ['role:members', 'owner moderator member'],
    ],
  },
  can_administer_channel_group: {
    of: 'who changes its settings',
    see: () =>
      who((actor) =>
        server.as(actor).patch(`/streams/${channel}`, { description: fresh('About') }),
      ),
    positions: [
      ['role:nobody', 'owner'],
      ['role:members', 'owner moderator member'],
    ],
  },
  can_create_topic_group: {
    of: 'who starts topics',
    see: () => who((actor) => say(actor)),
    positions: [
      ['role:everyone', all],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_delete_any_message_group: {
    of: 'who deletes what others wrote',
    see: remove('zoe'),
    positions: [
      ['role:nobody', 'owner'],
      ['role:moderators', 'owner moderator'],
      ['role:everyone', all],
    ],
  },
  can_delete_own_message_group: {
    of: 'who deletes what they wrote',
    see: remove(),
    positions: [
      ['role:nobody', 'owner'],
      ['role:everyone', all],
    ],
  },
  can_move_messages_out_of_channel_group: {
    of: 'who moves messages to another channel',
    see: change('zoe', () => ({ stream_id: channels.shared })),
    positions: [
      ['role:nobody', 'nobody'],
      ['role:members', 'owner moderator member'],
    ],
  },
  can_move_messages_within_channel_group: {
    of: 'who moves messages to another topic',
    see: change('zoe', () => ({ topic: fresh('elsewhere') })),
    positions: [
      ['role:nobody', 'nobody'],
      ['role:members', 'owner moderator member'],
    ],
  },
  can_remove_subscribers_group: {
    of: 'who ends the subscriptions of others',
    async see() {
      const { id } = await server.enroll(fresh('Person'))
      return who(async (actor) => {
        const subscriptions = [{ name: channelName }]
        await owner.post('/users/me/subscriptions', { subscriptions, principals: [id] })
        const params = { subscriptions: [channelName], principals: [id] }
        return server.as(actor).del('/users/me/subscriptions', params)
      })
    },
    positions: [
      ['role:administrators', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_resolve_topics_group: {
    of: 'who resolves topics',
    see: () =>
      who(async (actor) => {
        const topic = fresh('question')
        const { id } = await say('zoe', topic)
        const resolved = { topic: `✔ ${topic}`, propagate_mode: 'change_all' }
        return server.as(actor).patch(`/messages/${id}`, resolved)
      }),
    positions: [
      ['role:nobody', 'nobody'],
      ['role:everyone', all],
    ],
  },
  can_send_message_group: {
    of: 'who writes',
    async see() {
      await say('zoe', 'plans')
      return who((actor) => say(actor, 'plans'))
    },
    positions: [
      ['role:everyone', all],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_subscribe_group: {
    of: 'who may join although it is private',
    see: () => who((actor) => server.as(actor).get(`/streams/${hidden}/email_address`)),
    positions: [
      ['role:nobody', 'owner'],
      ['role:moderators', 'owner moderator'],
      ['role:members', 'owner moderator member'],
    ],
  },
}

testEffects(
  Object.keys(permissionRules.stream),
  async (name, value) => {
    const params = { [name]: { new: group(value as SystemGroup) } }
    await owner.patch(`/streams/${hidden}`, params)
    return owner.patch(`/streams/${channel}`, params)
  },
  effects,
  {},
)
