import { after } from 'node:test'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { sendPicture } from '#test/support/files.ts'
import { providerSettings } from '#test/support/identity-provider.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { type CallParams, startServer } from '#test/support/server.ts'
import { type Effect, testEffects, verdict } from './effects.ts'

const server = await startServer({
  config: { webPublicChannels: true, identityProviders: [providerSettings('https://id.example')] },
})
after(server.close)

const { ids, channels, clock } = server
const owner = server.as('owner')
const member = server.as('member')

const minutes = (count: number) => clock.advance(count * 60_000)
let made = 0
const fresh = (what: string) => `${what} ${++made}`

const edit = (id: number, params: CallParams) => member.patch(`/messages/${id}`, params)

/** Creates an account. */
async function join(params: CallParams = {}) {
  made += 1
  const account = { email: `new${made}@example.com`, full_name: `New ${made}` }
  const password = 'correct horse battery'
  return owner.post<{ user_id: number }>('/users', { ...account, password, ...params })
}

/** A message of the member's that was rewritten and then moved. */
async function changedMessage(): Promise<number> {
  const id = await server.say('member', 'public', fresh('old'), 'First.')
  await edit(id, { content: 'Second.' })
  await edit(id, { topic: fresh('new') })
  return id
}

async function newestIn(channelId: number): Promise<string> {
  const narrow = [{ operator: 'channel', operand: channelId }]
  const reply = await owner.get<{ messages: { subject: string }[] }>('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow,
  })
  return reply.messages.at(-1)?.subject ?? ''
}

/** Whether the member gets their key for their password. */
async function keyForPassword(): Promise<string> {
  const typed = { username: member.email, password: 'hamlet-password' }
  return verdict(await server.anonymous.post('/fetch_api_key', typed))
}

const effects: Record<string, Effect> = {
  allow_message_editing: {
    of: 'whether people rewrite their messages',
    see: async () =>
      verdict(await edit(await server.say('member', 'public'), { content: 'Else.' })),
    positions: [
      [true, 'yes'],
      [false, 'Your organization has turned off message editing'],
    ],
  },
  avatar_changes_disabled: {
    of: 'whether people change their pictures',
    see: async () =>
      verdict(await sendPicture(server, 'member', '/users/me/avatar', [pngPicture()])),
    positions: [
      [false, 'yes'],
      [true, 'Avatar changes are disabled in this organization.'],
    ],
  },
  default_code_block_language: {
    of: 'the language of code blocks that name none',
    async see() {
      const reply = await member.post('/messages/render', { content: '```\nx\n```' })
      return /data-code-language="(\w*)"/.exec(String(reply.rendered))?.[1]
    },
    positions: [
      ['', undefined],
      ['python', 'Python'],
    ],
  },
  default_language: {
    of: 'the language that new people start with',
    async see() {
      const { user_id } = await join()
      return userSetting(server.server.context.store, user_id, 'default_language')
    },
    positions: [
      ['en', 'en'],
      ['de', 'de'],
    ],
  },
  disallow_disposable_email_addresses: {
    of: 'whether people join with a throw-away address',
    see: async () => verdict(await join({ email: `a${++made}@mailinator.com` })),
    positions: [
      [true, 'Please use your real email address.'],
      [false, 'yes'],
    ],
  },
  emails_restricted_to_domains: {
    of: 'whether people of other domains join',
    see: async () => verdict(await join({ email: `b${++made}@zulip.com` })) + (await elsewhere()),
    positions: [
      [false, 'yes, elsewhere yes'],
      [true, 'yes, elsewhere no'],
    ],
  },
  empty_topic_display_name: {
    of: 'what the empty topic is called for clients without one',
    async see() {
      const id = await server.say('member', 'public', '')
      const reply = await member.get<{ message: { subject: string } }>(`/messages/${id}`)
      return reply.message.subject
    },
    positions: [
      ['general chat', 'general chat'],
      ['chatter', 'chatter'],
    ],
  },
  enable_read_receipts: {
    of: 'whether people learn who has read a message',
    see: async () =>
      verdict(await member.get(`/messages/${await server.say('member', 'public')}/read_receipts`)),
    positions: [
      [true, 'yes'],
      [false, 'Read receipts are turned off in this organization.'],
    ],
  },
  enable_spectator_access: {
    of: 'whether people without an account see who is here, and what is web-public',
    see: async () => [
      (await server.anonymous.get('/users')).status,
      (await server.anonymous.get('/server_settings')).realm_web_public_access_enabled,
    ],
    positions: [
      [true, [200, true]],
      [false, [401, false]],
    ],
  },
  inline_image_preview: {
    of: 'whether links to pictures show them',
    async see() {
      const reply = await member.post('/messages/render', { content: 'https://x.org/a.png' })
      return String(reply.rendered).includes('message_inline_image')
    },
    positions: [
      [true, true],
      [false, false],
    ],
  },
  jitsi_server_url: {
    of: 'where calls are made',
    see: async () => (await member.watch('realm')).state.jitsi_server_url,
    positions: [
      ['default', 'https://meet.jit.si'],
      ['https://jitsi.example.com', 'https://jitsi.example.com'],
    ],
  },
  message_content_delete_limit_seconds: {
    of: 'how long people can delete their messages',
    async see() {
      const id = await server.say('member', 'public')
      minutes(5)
      return verdict(await member.del(`/messages/${id}`))
    },
    positions: [
      [600, 'yes'],
      [120, 'The time limit for deleting this message has passed'],
      ['unlimited', 'yes'],
    ],
  },
  message_content_edit_limit_seconds: {
    of: 'how long people can rewrite their messages',
    async see() {
      const id = await server.say('member', 'public')
      minutes(5)
      return verdict(await edit(id, { content: 'Else.' }))
    },
    positions: [
      [600, 'yes'],
      [120, 'The time limit for editing this message has passed'],
      ['unlimited', 'yes'],
    ],
  },
  message_edit_history_visibility_policy: {
    of: 'which changes of a message others see: in the message, in its history',
    async see() {
      const id = await changedMessage()
      type Message = { edit_history?: Record<string, unknown>[] }
      const { message } = await member.get<{ message: Message }>(`/messages/${id}`)
      const history = await member.get<{ message_history: object[] }>(`/messages/${id}/history`)
      return [
        message.edit_history?.map((entry) => ('prev_content' in entry ? 'content' : 'topic')),
        history.message_history?.length,
      ]
    },
    positions: [
      ['all', [['topic', 'content'], 3]],
      ['moves', [['topic'], 2]],
      ['none', [undefined, undefined]],
    ],
  },
  moderation_request_channel_id: {
    of: 'whether and where messages are reported to moderators',
    async see() {
      const id = await server.say('member', 'public')
      const reply = await owner.post(`/messages/${id}/report`, { report_type: 'spam' })
      return reply.result === 'success' && (await newestIn(channels.private)) !== ''
    },
    positions: [
      [-1, false],
      [channels.private, true],
    ],
  },
  move_messages_between_streams_limit_seconds: {
    of: 'how long messages can be moved to other channels',
    async see() {
      const id = await server.say('member', 'public')
      minutes(5)
      return verdict(await edit(id, { stream_id: channels.shared }))
    },
    positions: [
      [600, 'yes'],
      [120, "The time limit for editing this message's channel has passed"],
      ['unlimited', 'yes'],
    ],
  },
  move_messages_within_stream_limit_seconds: {
    of: 'how long messages can be moved to other topics',
    async see() {
      const id = await server.say('member', 'public')
      minutes(5)
      return verdict(await edit(id, { topic: fresh('elsewhere') }))
    },
    positions: [
      [600, 'yes'],
      [120, "The time limit for editing this message's topic has passed"],
      ['unlimited', 'yes'],
    ],
  },
  message_retention_days: {
    of: 'how long messages are kept',
    async see() {
      const id = await server.say('member', 'public')
      minutes(2 * 24 * 60)
      await server.settled()
      return verdict(await member.get(`/messages/${id}`))
    },
    positions: [
      ['unlimited', 'yes'],
      [3, 'yes'],
      [1, 'Invalid message(s)'],
    ],
  },
  name_changes_disabled: {
    of: 'whether people change their names',
    see: async () => verdict(await member.patch('/settings', { full_name: fresh('Hamlet') })),
    positions: [
      [false, 'yes'],
      [true, 'Name changes are disabled in this organization.'],
    ],
  },
  new_stream_announcements_stream_id: {
    of: 'where new channels are announced',
    async see() {
      const name = fresh('announced')
      await owner.post('/channels/create', { name, subscribers: [ids.owner], announce: true })
      return (await newestIn(channels.public)) === 'new channels'
    },
    positions: [
      [channels.shared, false],
      [channels.public, true],
    ],
  },
  password_auth_enabled: {
    of: 'whether people log in with a password',
    see: keyForPassword,
    positions: [
      [true, 'yes'],
      [false, 'Password authentication is disabled in this organization'],
    ],
  },
  presence_disabled: {
    of: 'whether anybody sees who is here',
    async see() {
      await member.post('/users/me/presence', { status: 'active' })
      return verdict(await owner.get(`/users/${ids.member}/presence`))
    },
    positions: [
      [false, 'yes'],
      [true, `No presence data for ${ids.member}`],
    ],
  },
  two_factor_required: {
    of: 'whether a password is enough',
    see: keyForPassword,
    positions: [
      [false, 'yes'],
      [true, 'This organization requires two-factor authentication. Log in with a browser instead'],
    ],
  },
  require_unique_names: {
    of: 'whether two can have one name',
    see: async () => verdict(await join({ full_name: 'Zoe' })),
    positions: [
      [false, 'yes'],
      [true, "Unique names required in this organization: 'Zoe' is taken."],
    ],
  },
  email_changes_disabled: {
    of: 'whether people change their addresses',
    async see() {
      made += 1
      const email = made % 2 === 0 ? 'Hamlet@zulip.com' : 'HAMLET@zulip.com'
      return verdict(await member.patch('/settings', { email }))
    },
    positions: [
      [false, 'yes'],
      [true, 'Email address changes are disabled in this organization.'],
    ],
  },
  invite_required: {
    of: 'whether anybody can join',
    see: async () => (await fetch(`${server.url}/register/`)).status,
    positions: [
      [true, 404],
      [false, 200],
    ],
  },
  send_channel_events_messages: {
    of: 'whether channels say what happens to them',
    async see() {
      const before = await server.say('member', 'private', 'before')
      await owner.patch(`/streams/${channels.private}`, { description: fresh('about') })
      return (await server.say('member', 'private', 'after')) - before - 1
    },
    positions: [
      [true, 1],
      [false, 0],
    ],
  },
  signup_announcements_stream_id: {
    of: 'where newcomers are announced',
    async see() {
      await join()
      return (await newestIn(channels.public)) === 'signups'
    },
    positions: [
      [channels.shared, false],
      [channels.public, true],
    ],
  },
  welcome_message_custom_text: {
    of: 'how the welcome message ends',
    async see() {
      const { user_id } = await join()
      const { store } = server.server.context
      const text = store.db.$client.prepare(
        `SELECT content FROM messages WHERE recipient_id =
           (SELECT recipient_id FROM direct_members WHERE user_id = ?)`,
      )
      return String(text.pluck().get(user_id)).endsWith('Bring a *cup*.')
    },
    positions: [
      ['', false],
      ['Bring a *cup*.', true],
    ],
  },
  topics_policy: {
    of: 'whether messages need a topic',
    see: async () => {
      const message = { type: 'channel', to: channels.public, topic: '', content: 'Hi.' }
      return verdict(await member.post('/messages', message))
    },
    positions: [
      ['allow_empty_topic', 'yes'],
      ['disable_empty_topic', 'Topics are required in this organization.'],
    ],
  },
  waiting_period_threshold: {
    of: 'when a member is a full one',
    async see() {
      const { state } = await owner.watch('realm_user_groups')
      const groups = state.realm_user_groups as { id: number; name: string }[]
      const full = groups.find(({ name }) => name === 'role:fullmembers')?.id
      const path = `/user_groups/${full}/members/${ids.member}`
      return (await owner.get(path)).is_user_group_member
    },
    positions: [
      [0, true],
      [1000, false],
    ],
  },
}

async function elsewhere(): Promise<string> {
  const reply = await join({ email: `c${++made}@elsewhere.example` })
  return `, elsewhere ${reply.result === 'success' ? 'yes' : 'no'}`
}

const looks = 'clients alone decide by it how things look or behave'
const digests = 'digests depend on it; the tests of these check it'
const missed = 'mail about messages depends on it; the tests of that check it'

const others: Record<string, string> = {
  digest_emails_enabled: digests,
  digest_weekday: digests,
  giphy_rating: 'what a search for GIFs finds depends on it; the tests of that check it',
  enable_guest_user_dm_warning: looks,
  enable_guest_user_indicator: looks,
  inline_url_embed_preview:
    'it takes a page to see that: test/features/files/link-previews has one',
  message_content_allowed_in_email_notifications: missed,
  message_content_allowed_in_push_notifications:
    'pushes depend on it; the tests of their delivery check it',
  require_e2ee_push_notifications:
    'notifications on phones depend on it; the tests of those check it',
  org_type: 'it only says what kind of organization this is',
  send_welcome_emails:
    'it takes a mail server to see that: test/features/foundation/mail/mail.test.ts has one',
  video_chat_provider:
    'clients alone make the links to calls: test/client/browser/calls.long.test.ts has the buttons',
  want_advertise_in_communities_directory: 'the directory is on another server',
  zulip_update_announcements_stream_id: 'nobody announces updates of this server',
}

testEffects(
  Object.keys(realmSettingRules),
  (name, value) => owner.patch('/realm', { [name]: value }),
  effects,
  others,
)
