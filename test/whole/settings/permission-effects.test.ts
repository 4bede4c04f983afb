import { after } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { permissionRules, type SystemGroup } from '#features/foundation/permissions/table.ts'
import { browserOf, registerProgram } from '#test/support/assistants.ts'
import { sendPicture } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'
import { type Effect, testEffects, who } from './effects.ts'

const server = await startServer({ config: { webPublicChannels: true } })
after(server.close)

const { channels } = server
const { store } = server.server.context
const owner = server.as('owner')

await owner.patch('/realm', {
  enable_spectator_access: true,
  message_content_delete_limit_seconds: 'unlimited',
})

let made = 0
const fresh = (what: string) => `${what} ${++made}`

const newChannel = (settings: CallParams) => (actor: Actor) =>
  server.as(actor).post('/channels/create', { name: fresh('made'), subscribers: [], ...settings })

const bot = (bot_type: number) => (actor: Actor) =>
  server.as(actor).post('/bots', { short_name: `b${++made}`, full_name: fresh('Bot'), bot_type })

const group = (name: SystemGroup) => systemGroupId(store, name)

/** Someone who just joined, and left all channels again. */
async function newcomer(): Promise<{ user_id: number }> {
  made += 1
  const reply = await owner.post<{ user_id: number }>('/users', {
    email: `n${made}@example.com`,
    full_name: `New ${made}`,
    password: 'correct horse battery',
  })
  const { streams } = await owner.get<{ streams: { name: string }[] }>('/streams')
  const subscriptions = streams.map(({ name }) => name)
  await owner.del('/users/me/subscriptions', { subscriptions, principals: [reply.user_id] })
  return reply
}

async function writeToNewcomer(actor: Actor) {
  const { user_id } = await newcomer()
  const message = { type: 'direct', to: [user_id], content: 'Hello.' }
  return server.as(actor).post('/messages', message)
}

let crowded = false
/** Makes the shared channel one of many. */
async function crowd(): Promise<void> {
  if (crowded) return
  crowded = true
  const principals: number[] = []
  for (let i = 0; i < 16; i++) principals.push((await newcomer()).user_id)
  const subscriptions = [{ name: 'Verona' }]
  await owner.post('/users/me/subscriptions', { subscriptions, principals })
}

/** Who changes a setting of a channel that all members administer. */
async function whoSets(name: string, value: unknown): Promise<string> {
  const { id } = await owner.post<{ id: number }>('/channels/create', {
    name: fresh('made'),
    subscribers: [],
    can_administer_channel_group: group('role:members'),
  })
  return who((actor) => server.as(actor).patch(`/streams/${id}`, { [name]: value }))
}

/** A message in a channel to which everyone, the guest too, is subscribed. */
const message = (actor: Actor, topic = fresh('topic')) => server.say(actor, 'shared', topic)

const effects: Record<string, Effect> = {
  can_access_all_users_group: {
    of: 'whether guests know of everybody',
    async see() {
      const { user_id } = await newcomer()
      return who((actor) => server.as(actor).get(`/users/${user_id}`), ['member', 'guest'])
    },
    positions: [
      ['role:everyone', 'member guest'],
      ['role:members', 'member'],
    ],
  },
  can_add_custom_emoji_group: {
    of: 'who adds emoji',
    see: () =>
      who((actor) =>
        sendPicture(server, actor, `/realm/emoji/picture_${++made}`, [pngPicture(64, 64)]),
      ),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_add_subscribers_group: {
    of: 'who subscribes others to a public channel',
    async see() {
      const { user_id } = await newcomer()
      return who((actor) =>
        server.as(actor).post('/users/me/subscriptions', {
          subscriptions: [{ name: 'Denmark' }],
          principals: [user_id],
        }),
      )
    },
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'owner'],
    ],
  },
  can_connect_assistants_group: {
    of: 'who connects assistants',
    async see() {
      const program = await registerProgram(server)
      return who(async (actor) => {
        const { status } = await (await browserOf(server, actor)).go(program.address())
        return { result: status === 200 ? 'success' : 'error', msg: '' }
      })
    },
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:everyone', 'owner moderator member guest'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_create_bots_group: {
    of: 'who makes bots',
    see: () => who(bot(1)),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:administrators', 'owner'],
    ],
  },
  can_create_write_only_bots_group: {
    of: 'who makes bots that only write, beside those who may make all',
    async see() {
      const allow = (name: SystemGroup) =>
        owner.patch('/realm', { can_create_bots_group: { new: group(name) } })
      await allow('role:administrators')
      const able = await who(bot(2))
      await allow('role:members')
      return able
    },
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:administrators', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_create_groups: {
    of: 'who makes groups of users',
    see: () =>
      who((actor) =>
        server
          .as(actor)
          .post('/user_groups/create', { name: fresh('group'), description: '', members: [] }),
      ),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_create_private_channel_group: {
    of: 'who makes private channels',
    see: () => who(newChannel({ invite_only: true })),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_create_public_channel_group: {
    of: 'who makes public channels',
    see: () => who(newChannel({})),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_create_web_public_channel_group: {
    of: 'who makes web-public channels',
    see: () => who(newChannel({ is_web_public: true })),
    positions: [
      ['role:owners', 'owner'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_delete_any_message_group: {
    of: 'who deletes what others wrote',
    see: () => who(async (actor) => server.as(actor).del(`/messages/${await message('zoe')}`)),
    positions: [
      ['role:administrators', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_delete_own_message_group: {
    of: 'who deletes what they wrote',
    see: () => who(async (actor) => server.as(actor).del(`/messages/${await message(actor)}`)),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:members', 'owner moderator member'],
      ['role:nobody', 'owner'],
    ],
  },
  can_invite_users_group: {
    of: 'who asks others in by mail',
    see: () => {
      const asked = { invitee_emails: 'friend@example.com', stream_ids: [] }
      return who(async (actor) => {
        const reply = await server.as(actor).post('/invites', asked)
        // Without a mail server it stays at that, for those who may.
        return reply.msg === 'Insufficient permission' ? reply : success
      })
    },
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_manage_all_groups: {
    of: "who manages others' groups",
    async see() {
      const { group_id } = await owner.post<{ group_id: number }>('/user_groups/create', {
        name: fresh('group'),
        description: '',
        members: [],
      })
      return who((actor) =>
        server.as(actor).patch(`/user_groups/${group_id}`, { description: fresh('d') }),
      )
    },
    positions: [
      ['role:owners', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_mention_many_users_group: {
    of: 'who mentions a whole channel of many',
    see: async () => {
      await crowd()
      return who((actor) =>
        server.as(actor).post('/messages', {
          type: 'channel',
          to: channels.shared,
          topic: 'x',
          content: '@**all**',
        }),
      )
    },
    positions: [
      ['role:administrators', 'owner'],
      ['role:everyone', 'owner moderator member guest'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_move_messages_between_channels_group: {
    of: 'who moves messages to another channel',
    see: () =>
      who(async (actor) =>
        server.as(actor).patch(`/messages/${await message('zoe')}`, { stream_id: channels.public }),
      ),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_move_messages_between_topics_group: {
    of: 'who moves messages to another topic',
    see: () =>
      who(async (actor) =>
        server.as(actor).patch(`/messages/${await message('zoe')}`, { topic: fresh('elsewhere') }),
      ),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:members', 'owner moderator member'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_resolve_topics_group: {
    of: 'who resolves topics',
    see: () =>
      who(async (actor) => {
        const topic = fresh('question')
        const id = await message('zoe', topic)
        const change = { topic: `✔ ${topic}`, propagate_mode: 'change_all' }
        return server.as(actor).patch(`/messages/${id}`, change)
      }),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_set_delete_message_policy_group: {
    of: 'who of those that administer a channel says who deletes there',
    see: () => whoSets('can_delete_own_message_group', { new: group('role:members') }),
    positions: [
      ['role:moderators', 'owner moderator'],
      ['role:members', 'owner moderator member'],
    ],
  },
  can_set_topics_policy_group: {
    of: 'who of those that administer a channel says which topics it has',
    see: () => whoSets('topics_policy', 'disable_empty_topic'),
    positions: [
      ['role:members', 'owner moderator member'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  create_multiuse_invite_group: {
    of: 'who makes links that let others in',
    see: () => who((actor) => server.as(actor).post('/invites/multiuse', { invite_as: 600 })),
    positions: [
      ['role:administrators', 'owner'],
      ['role:members', 'owner moderator member'],
    ],
  },
  direct_message_initiator_group: {
    of: 'who writes to people first',
    see: () => who(writeToNewcomer),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  direct_message_permission_group: {
    of: 'one of whom has to be among those who write to each other',
    see: () => who(writeToNewcomer),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:moderators', 'owner moderator'],
    ],
  },
}

testEffects(
  Object.keys(permissionRules.realm),
  (name, value) => owner.patch('/realm', { [name]: { new: group(value as SystemGroup) } }),
  effects,
  {
    can_manage_billing_group: 'nobody pays for this server',
    can_summarize_topics_group: 'this server summarizes nothing: server_can_summarize_topics',
  },
)
