import { permissionRules } from '#features/permissions/table.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import type { Actor, CallParams, Client, TestServer } from './server.ts'

/** One call of an endpoint that succeeds, unless nothing can, and what else its parameters take. */
export interface Base {
  /** The owner unless given. */
  readonly as?: Actor
  readonly params?: CallParams
  /** The body, where that is no form. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** The code that even a right call is answered with, where that is all that can be said. */
  readonly fails?: string
  /** Whether it sends a picture. */
  readonly picture?: boolean
  /** Parameters that take any text, and anything that looks like it. */
  readonly free?: readonly string[]
  /** Hostile values, by what they are called, that a parameter rightly takes. */
  readonly takes?: Readonly<Record<string, readonly string[]>>
}

/** By method and path, as declared. */
export type Bases = Readonly<Record<string, () => Base | Promise<Base>>>

/** The smallest picture there is: one transparent pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Makes what calls need. */
function maker(server: TestServer) {
  const owner = server.as('owner')
  let made = 0
  async function id(member: string, reply: Promise<object>): Promise<number> {
    return ((await reply) as Record<string, number>)[member] ?? -1
  }
  const make = (member: string, path: string, params: CallParams, client: Client = owner) =>
    id(member, client.post(path, params))
  const unique = (word: string) => `${word} ${++made}`
  const later = () => Math.floor(server.clock.now() / 1000) + 9000
  const toChannel = { type: 'channel', to: 3, topic: 'plans' }
  return {
    owner,
    unique,
    later,
    message: () => make('id', '/messages', { ...toChannel, content: unique('text') }),
    poll: () => make('id', '/messages', { ...toChannel, content: '/poll Which?\nThis\nThat' }),
    channel: () => make('id', '/channels/create', { name: unique('channel'), subscribers: [9] }),
    draft: async () => {
      const draft = { type: '', to: [], topic: '', content: unique('draft') }
      const { ids } = await owner.post<{ ids: number[] }>('/drafts', { drafts: [draft] })
      return ids[0] ?? -1
    },
    snippet: () => make('saved_snippet_id', '/saved_snippets', { title: 'a', content: 'b' }),
    scheduled: () =>
      make('scheduled_message_id', '/scheduled_messages', {
        ...toChannel,
        content: unique('later'),
        scheduled_delivery_timestamp: later(),
      }),
    reminder: async (message_id: number) =>
      make('reminder_id', '/reminders', { message_id, scheduled_delivery_timestamp: later() }),
    folder: () =>
      make('channel_folder_id', '/channel_folders/create', {
        name: unique('folder'),
        description: '',
      }),
    view: async () => {
      const fragment = `narrow/search/${++made}`
      await owner.post('/navigation_views', { fragment, is_pinned: true, name: unique('view') })
      return fragment
    },
    bot: () =>
      make('user_id', '/bots', { full_name: unique('Bot'), short_name: `robot-${++made}` }),
    person: () => server.enroll(unique('Person')),
    group: () =>
      make('group_id', '/user_groups/create', {
        name: unique('group'),
        description: '',
        members: [9],
      }),
    field: () => make('id', '/realm/profile_fields', { name: unique('field'), field_type: 1 }),
    linkifier: () =>
      make('id', '/realm/filters', {
        pattern: `X${++made}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      }),
    playground: () =>
      make('id', '/realm/playgrounds', {
        name: unique('playground'),
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      }),
    domain: async () => {
      const domain = `d${++made}.example.com`
      await owner.post('/realm/domains', { domain, allow_subdomains: false })
      return domain
    },
    inviteLink: async () => {
      await owner.post('/invites/multiuse', {})
      const { invites } = await owner.get<{ invites: { id: number; is_multiuse: boolean }[] }>(
        '/invites',
      )
      return invites.findLast(({ is_multiuse }) => is_multiuse)?.id ?? -1
    },
    invite: async () => {
      const invitee_emails = `i${++made}@example.org`
      await owner.post('/invites', { invitee_emails, stream_ids: [] })
      const { invites } = await owner.get<{ invites: { id: number; email?: string }[] }>('/invites')
      return invites.find(({ email }) => email === invitee_emails)?.id ?? -1
    },
    /** Where a new file is, and its id. */
    file: async () => {
      const body = new FormData()
      body.set('file', new File([pixel], `${++made}.png`, { type: 'image/png' }))
      const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`
      const request = new Request(`${server.url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { authorization },
        body,
      })
      const { url } = (await (await server.server.fetch(request)).json()) as { url: string }
      const [, , realm_id = '', ...rest] = url.split('/')
      const { attachments } = await owner.get<{ attachments: { id: number; path_id: string }[] }>(
        '/attachments',
      )
      const filename = rest.join('/')
      const found = attachments.find(({ path_id }) => path_id.endsWith(filename))
      return { params: { realm_id: Number(realm_id), filename }, id: found?.id ?? -1 }
    },
    export: () => make('id', '/export/realm', {}),
    queue: async () => (await owner.watch('message')).queueId,
  }
}

const emptyList = ['an empty list']
const minusOne = ['minus one']
const noValue = ['null']
/** What looks like a list of words. */
const someWords = [...emptyList, 'a list of toString']
/** Where an anchor lies beyond the messages that there are. */
const beyond = ['more than is safe', ...minusOne]
const emptyObject = ['an empty object']
/** Keys that nobody asked for are left out. */
const looseObjects = [...emptyObject, 'a __proto__ key', 'a constructor key']
/** Names of one word. */
const names = [
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'null',
  'infinity',
  'more than is safe',
]
const decimals = ['a fraction']
const hexadecimals = ['more than is safe', 'a huge integer']

/** What a new channel is made with does not matter where the channel is there. */
const ofNewChannels = Object.fromEntries(
  [...Object.keys(permissionRules.stream), 'folder_id'].map((name) => [name, minusOne]),
)

const registering = {
  client_capabilities: looseObjects,
  event_types: [...someWords, ...noValue],
  fetch_event_types: [...someWords, ...noValue],
  narrow: emptyList,
}

export function basesOf(server: TestServer): Bases {
  const make = maker(server)
  const plain =
    (params: CallParams = {}, rest: Omit<Base, 'params'> = {}) =>
    (): Base => ({ params, ...rest })
  const message_id = make.message
  const toBot = { api_key: fixtureApiKey('webhook-bot@zulip.com'), stream: 'Denmark', topic: 'x' }
  const withMessage =
    (params: CallParams = {}, rest: Omit<Base, 'params'> = {}) =>
    async (): Promise<Base> => ({ params: { message_id: await message_id(), ...params }, ...rest })
  const withChannel =
    (params: CallParams = {}, rest: Omit<Base, 'params'> = {}) =>
    async (): Promise<Base> => ({ params: { stream_id: await make.channel(), ...params }, ...rest })
  return {
    'POST /messages': plain(
      { type: 'channel', to: 3, topic: 'plans', content: 'Hello.' },
      { free: ['content', 'topic', 'local_id'] },
    ),
    'GET /messages/:message_id': withMessage(),
    'GET /messages': plain(
      { anchor: 'newest', num_before: 1, num_after: 0 },
      { takes: { anchor: beyond, narrow: emptyList } },
    ),
    'GET /messages/matches_narrow': plain(
      { msg_ids: [1], narrow: [] },
      { takes: { msg_ids: ['a list of minus one', ...emptyList], narrow: emptyList } },
    ),
    'PATCH /messages/:message_id': withMessage({ content: 'New.' }, { free: ['content', 'topic'] }),
    'DELETE /messages/:message_id': withMessage(),
    'POST /streams/:stream_id/delete_topic': plain(
      { stream_id: 3, topic_name: 'none' },
      { free: ['topic_name'] },
    ),
    'GET /messages/:message_id/history': withMessage(),
    'POST /mark_all_as_read': plain(),
    'POST /mark_stream_as_read': plain({ stream_id: 3 }),
    'POST /mark_topic_as_read': plain(
      { stream_id: 3, topic_name: 'plans' },
      { free: ['topic_name'] },
    ),
    'POST /messages/flags': async () => ({
      params: { messages: [await message_id()], op: 'add', flag: 'starred' },
      takes: { messages: emptyList },
    }),
    'POST /messages/flags/narrow': plain(
      { anchor: 'newest', num_before: 1, num_after: 0, narrow: [], op: 'add', flag: 'starred' },
      { takes: { anchor: beyond, narrow: emptyList } },
    ),
    'POST /messages/:message_id/reactions': withMessage(
      { emoji_name: 'tada' },
      // The name of thumbs down.
      { takes: { emoji_name: minusOne } },
    ),
    'DELETE /messages/:message_id/reactions': async () => {
      const id = await message_id()
      await make.owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
      return { params: { message_id: id, emoji_name: 'tada' } }
    },
    'GET /messages/:message_id/read_receipts': withMessage(),
    'POST /messages/render': plain({ content: '*a*' }, { free: ['content'] }),
    'POST /messages/:message_id/report': async () => {
      await make.owner.patch('/realm', { moderation_request_channel_id: 8 })
      return {
        params: { message_id: await message_id(), report_type: 'spam' },
        free: ['description'],
      }
    },
    'POST /messages/:message_id/typing': withMessage({ op: 'start' }),
    'POST /typing': plain(
      { op: 'start', to: [10] },
      // Of no meaning in a direct message.
      { free: ['topic'], takes: { stream_id: minusOne } },
    ),
    'POST /submessage': async () => ({
      params: {
        message_id: await make.poll(),
        msg_type: 'widget',
        content: '{"type":"vote","key":"canned,0","vote":1}',
      },
    }),
    'POST /drafts': plain(
      { drafts: [{ type: '', to: [], topic: '', content: 'x' }] },
      { takes: { drafts: emptyList } },
    ),
    'DELETE /drafts/:draft_id{[0-9]+}': async () => ({ params: { draft_id: await make.draft() } }),
    'PATCH /drafts/:draft_id{[0-9]+}': async () => ({
      params: {
        draft_id: await make.draft(),
        draft: { type: '', to: [], topic: '', content: 'y' },
      },
    }),
    'GET /drafts': plain(),
    'POST /saved_snippets': plain({ title: 'a', content: 'b' }, { free: ['title', 'content'] }),
    'PATCH /saved_snippets/:saved_snippet_id{[0-9]+}': async () => ({
      params: { saved_snippet_id: await make.snippet(), title: 'c' },
      free: ['title', 'content'],
    }),
    'GET /saved_snippets': plain(),
    'DELETE /saved_snippets/:saved_snippet_id{[0-9]+}': async () => ({
      params: { saved_snippet_id: await make.snippet() },
    }),
    'POST /scheduled_messages': plain(
      {
        ...{ type: 'channel', to: 3, topic: 'plans', content: 'Later.' },
        scheduled_delivery_timestamp: make.later(),
      },
      { free: ['content', 'topic'] },
    ),
    'DELETE /scheduled_messages/:scheduled_message_id{[0-9]+}': async () => ({
      params: { scheduled_message_id: await make.scheduled() },
    }),
    'PATCH /scheduled_messages/:scheduled_message_id{[0-9]+}': async () => ({
      params: { scheduled_message_id: await make.scheduled(), content: 'Sooner.' },
      free: ['content', 'topic'],
    }),
    'GET /scheduled_messages': plain(),
    'POST /reminders': withMessage(
      { scheduled_delivery_timestamp: make.later() },
      { free: ['note'] },
    ),
    'DELETE /reminders/:reminder_id{[0-9]+}': async () => ({
      params: { reminder_id: await make.reminder(await message_id()) },
    }),
    'GET /reminders': plain(),
    'GET /attachments': plain(),
    'DELETE /attachments/:attachment_id': async () => ({
      params: { attachment_id: (await make.file()).id },
    }),
    'POST /user_uploads': plain({}, { picture: true }),
    'GET /user_uploads/:realm_id/:filename{.+}': async () => ({
      params: (await make.file()).params,
    }),
    'GET /thumbnail/status/:realm_id/:filename{.+}': async () => ({
      params: (await make.file()).params,
    }),
    'GET /events': async () => ({
      params: { queue_id: await make.queue(), dont_block: true },
      takes: { ...registering, last_event_id: minusOne },
    }),
    'DELETE /events': async () => ({ params: { queue_id: await make.queue() } }),
    'POST /register': plain({}, { takes: registering }),
    'POST /default_streams': withChannel(),
    'DELETE /default_streams': withChannel(),
    'DELETE /streams/:stream_id{[0-9]+}': withChannel(),
    'POST /channels/create': () => ({
      params: { name: make.unique('created'), subscribers: [9] },
      free: ['name', 'description'],
    }),
    'PATCH /streams/:stream_id{[0-9]+}': withChannel(
      { description: 'New' },
      { free: ['description', 'new_name'], takes: { folder_id: noValue } },
    ),
    'GET /streams/:stream_id{[0-9]+}': withChannel(),
    'GET /get_stream_id': plain({ stream: 'Verona' }, { free: ['stream'] }),
    'GET /streams': plain(),
    'GET /streams/:stream_id{[0-9]+}/email_address': withChannel(),
    'GET /streams/:stream_id{[0-9]+}/members': withChannel(),
    'GET /users/me/:stream_id{[0-9]+}/topics': withChannel(),
    'GET /users/:user_id{[0-9]+}/channels': plain({ user_id: 10 }),
    'GET /users/:user_id{[0-9]+}/subscriptions/:stream_id{[0-9]+}': withChannel({ user_id: 10 }),
    'GET /users/me/subscriptions': plain(),
    'POST /users/me/subscriptions': plain(
      { subscriptions: [{ name: 'Verona' }] },
      { takes: { subscriptions: emptyList, principals: emptyList, ...ofNewChannels } },
    ),
    'DELETE /users/me/subscriptions': plain(
      { subscriptions: ['Verona'] },
      { takes: { subscriptions: someWords, principals: emptyList } },
    ),
    'POST /users/me/subscriptions/properties': plain(
      { subscription_data: [{ stream_id: 9, property: 'color', value: '#aabbcc' }] },
      { takes: { subscription_data: emptyList } },
    ),
    'PATCH /users/me/subscriptions/:stream_id{[0-9]+}': plain({
      ...{ stream_id: 9, property: 'color', value: '#aabbcc' },
    }),
    'PATCH /users/me/subscriptions': plain(
      { add: [{ name: 'Verona' }] },
      { takes: { delete: someWords } },
    ),
    'PATCH /users/me/subscriptions/muted_topics': plain(
      { stream_id: 3, topic: 'plans', op: 'add' },
      { free: ['topic'] },
    ),
    'POST /user_topics': plain(
      { stream_id: 3, topic: 'plans', visibility_policy: 1 },
      { free: ['topic'] },
    ),
    'POST /channel_folders/create': () => ({
      params: { name: make.unique('Folder'), description: '' },
      free: ['name', 'description'],
    }),
    'PATCH /channel_folders/:channel_folder_id{[0-9]+}': async () => ({
      params: { channel_folder_id: await make.folder(), description: 'New' },
      free: ['name', 'description'],
    }),
    'GET /channel_folders': plain(),
    'PATCH /channel_folders': async () => {
      const { channel_folders } = await make.owner.get<{ channel_folders: { id: number }[] }>(
        '/channel_folders',
        { include_archived: true },
      )
      return { params: { order: channel_folders.map(({ id }) => id) } }
    },
    'GET /users/me': plain(),
    'GET /users/:user_id{-?[0-9]+}': plain({ user_id: 10 }),
    'GET /users/:email': plain({ email: 'hamlet@zulip.com' }),
    'GET /users': plain({}, { takes: { user_ids: ['a list of minus one', ...emptyList] } }),
    'PATCH /users/me/profile_data': plain(
      { data: [{ id: 1, value: 'x' }] },
      { takes: { data: emptyList } },
    ),
    'DELETE /users/me/profile_data': plain({ data: [1] }, { takes: { data: emptyList } }),
    'POST /users': () => ({
      params: {
        email: `${make.unique('new').replace(' ', '')}@example.org`,
        password: 'a long password here',
        full_name: make.unique('New Person'),
      },
      free: ['full_name', 'password'],
    }),
    'DELETE /users/me': plain({}, { as: 'prospero' }),
    'DELETE /users/:user_id{-?[0-9]+}': async () => ({
      params: { user_id: (await make.person()).id },
      free: ['deactivation_notification_comment'],
    }),
    'POST /users/:user_id{-?[0-9]+}/reactivate': async () => {
      const { id } = await make.person()
      await make.owner.del(`/users/${id}`)
      return { params: { user_id: id } }
    },
    'PATCH /users/:user_id{-?[0-9]+}': async () => ({
      params: { user_id: (await make.person()).id, full_name: make.unique('Renamed') },
      free: ['full_name'],
      takes: { profile_data: emptyList },
    }),
    'PATCH /users/:email': async () => ({
      params: { email: (await make.person()).email, full_name: make.unique('Renamed') },
      free: ['full_name'],
      takes: { profile_data: emptyList },
    }),
    'GET /users/:user_id{-?[0-9]+}/status': plain({ user_id: 10 }),
    'POST /users/me/status': plain(
      { status_text: 'Here' },
      { free: ['status_text'], takes: { emoji_name: [...minusOne, 'nothing'] } },
    ),
    'POST /users/:user_id{-?[0-9]+}/status': plain(
      { user_id: 10, status_text: 'There' },
      { free: ['status_text'], takes: { emoji_name: [...minusOne, 'nothing'] } },
    ),
    'GET /realm/presence': plain(),
    'GET /users/:user_id_or_email/presence': async () => {
      await server.as('member').post('/users/me/presence', { status: 'active' })
      return { params: { user_id_or_email: 'hamlet@zulip.com' } }
    },
    'POST /users/me/presence': plain({ status: 'active' }, { takes: { last_update_id: minusOne } }),
    'POST /users/me/muted_users/:muted_user_id{[0-9]+}': async () => ({
      params: { muted_user_id: (await make.person()).id },
    }),
    'DELETE /users/me/muted_users/:muted_user_id{[0-9]+}': async () => {
      const { id } = await make.person()
      await make.owner.post(`/users/me/muted_users/${id}`)
      return { params: { muted_user_id: id } }
    },
    'POST /invites/multiuse': plain(
      {},
      {
        free: ['welcome_message_custom_text'],
        takes: {
          invite_expires_in_minutes: noValue,
          group_ids: emptyList,
          stream_ids: emptyList,
        },
      },
    ),
    'POST /invites': () => ({
      params: {
        invitee_emails: `${make.unique('i').replace(' ', '')}@example.org`,
        stream_ids: [],
      },
      free: ['welcome_message_custom_text'],
      takes: {
        invite_expires_in_minutes: noValue,
        group_ids: emptyList,
        stream_ids: emptyList,
      },
    }),
    'DELETE /invites/:invite_id{-?[0-9]+}': async () => ({
      params: { invite_id: await make.invite() },
    }),
    'POST /invites/:invite_id{-?[0-9]+}/resend': async () => ({
      params: { invite_id: await make.invite() },
    }),
    'GET /invites': plain(),
    'DELETE /invites/multiuse/:invite_id{-?[0-9]+}': async () => ({
      params: { invite_id: await make.inviteLink() },
    }),
    'POST /realm/test_welcome_bot_custom_message': plain(
      { welcome_message_custom_text: 'Hello' },
      { free: ['welcome_message_custom_text'] },
    ),
    'POST /mobile_push/test_notification': plain({}, { fails: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN' }),
    'POST /mobile_push/e2ee/test_notification': plain({}, { fails: 'NO_ACTIVE_PUSH_DEVICE' }),
    'POST /users/me/apns_device_token': plain(
      { token: 'ab'.repeat(32), appid: 'org.example.app' },
      { takes: { token: hexadecimals, appid: [...names, ...minusOne, ...decimals] } },
    ),
    'POST /mobile_push/register': plain(
      {
        token_kind: 'fcm',
        push_account_id: 7,
        push_public_key: Buffer.alloc(32, 7).toString('base64'),
        bouncer_public_key: 'key',
        encrypted_push_registration: Buffer.from('sealed').toString('base64'),
      },
      {
        free: ['bouncer_public_key'],
        takes: {
          push_account_id: minusOne,
          // As good as any Base64.
          encrypted_push_registration: ['toString', 'null', ...hexadecimals],
        },
      },
    ),
    'DELETE /users/me/apns_device_token': async () => {
      const token = 'cd'.repeat(32)
      await make.owner.post('/users/me/apns_device_token', { token, appid: 'org.example.app' })
      // Those that were added.
      return { params: { token }, takes: { token: hexadecimals } }
    },
    'POST /users/me/android_gcm_reg_id': plain({ token: 'token' }, { free: ['token'] }),
    'DELETE /users/me/android_gcm_reg_id': async () => {
      await make.owner.post('/users/me/android_gcm_reg_id', { token: 'gone' })
      return { params: { token: 'gone' }, free: ['token'] }
    },
    'PATCH /settings': plain({ color_scheme: 2 }, { free: ['full_name'] }),
    'DELETE /users/me/avatar': plain(),
    'POST /users/me/avatar': plain({}, { picture: true }),
    'GET /users/me/alert_words': plain(),
    'POST /users/me/alert_words': plain(
      { alert_words: ['a'] },
      { takes: { alert_words: someWords } },
    ),
    'DELETE /users/me/alert_words': plain(
      { alert_words: ['a'] },
      { takes: { alert_words: someWords } },
    ),
    'GET /navigation_views': plain(),
    'POST /navigation_views': () => ({
      params: { fragment: make.unique('x'), is_pinned: true, name: make.unique('View') },
      free: ['fragment', 'name'],
    }),
    'PATCH /navigation_views/:fragment{.+}': async () => ({
      params: { fragment: await make.view(), is_pinned: false },
      // Those that were made.
      free: ['fragment', 'name'],
    }),
    'DELETE /navigation_views/:fragment{.+}': async () => ({
      params: { fragment: await make.view() },
      free: ['fragment'],
    }),
    'POST /bots': () => ({
      params: { full_name: make.unique('Robot'), short_name: make.unique('r').replace(' ', '-') },
      free: ['full_name'],
      takes: { short_name: [...names, ...decimals] },
    }),
    'PATCH /bots/:bot_id{-?[0-9]+}': async () => ({
      params: { bot_id: await make.bot(), full_name: make.unique('Robot') },
      // There are channels of such names by now.
      free: ['full_name', 'default_sending_stream', 'default_events_register_stream'],
      takes: { config_data: emptyObject },
    }),
    'DELETE /bots/:bot_id{-?[0-9]+}': async () => ({ params: { bot_id: await make.bot() } }),
    'GET /bots/:bot_id{-?[0-9]+}/api_key': async () => ({ params: { bot_id: await make.bot() } }),
    'POST /bots/:bot_id{-?[0-9]+}/api_key/regenerate': async () => ({
      params: { bot_id: await make.bot() },
    }),
    'GET /bots': plain(),
    'GET /bot_storage': plain({}, { as: 'bot', takes: { keys: emptyList } }),
    'PUT /bot_storage': plain(
      { storage: { a: 'b' } },
      { as: 'bot', takes: { storage: emptyObject } },
    ),
    'DELETE /bot_storage': plain({}, { as: 'bot', takes: { keys: emptyList } }),
    'POST /user_groups/create': () => ({
      params: { name: make.unique('Group'), description: '', members: [9] },
      free: ['name', 'description'],
    }),
    'POST /user_groups/:user_group_id/deactivate': async () => ({
      params: { user_group_id: await make.group() },
    }),
    'PATCH /user_groups/:user_group_id': async () => ({
      params: { user_group_id: await make.group(), description: 'New' },
      free: ['name', 'description'],
    }),
    'GET /user_groups': plain(),
    'GET /user_groups/:user_group_id/members': plain({ user_group_id: 2 }),
    'GET /user_groups/:user_group_id/subgroups': plain({ user_group_id: 2 }),
    'GET /user_groups/:user_group_id/members/:user_id': plain({ user_group_id: 2, user_id: 9 }),
    'POST /user_groups/:user_group_id/members': async () => ({
      params: { user_group_id: await make.group(), add: [10] },
      takes: {
        ...{ add: emptyList, delete: emptyList },
        ...{ add_subgroups: emptyList, delete_subgroups: emptyList },
      },
    }),
    'POST /user_groups/:user_group_id/subgroups': async () => ({
      params: { user_group_id: await make.group(), add: [await make.group()] },
      takes: { add: emptyList, delete: emptyList },
    }),
    'GET /server_settings': plain(),
    'PATCH /realm': plain(
      { digest_weekday: 2 },
      {
        free: [
          ...['description', 'name', 'default_code_block_language'],
          ...['empty_topic_display_name', 'welcome_message_custom_text'],
        ],
        takes: {
          jitsi_server_url: noValue,
          message_content_delete_limit_seconds: noValue,
          message_content_edit_limit_seconds: noValue,
          move_messages_between_streams_limit_seconds: noValue,
          move_messages_within_stream_limit_seconds: noValue,
          message_retention_days: minusOne,
          moderation_request_channel_id: minusOne,
          new_stream_announcements_stream_id: minusOne,
          signup_announcements_stream_id: minusOne,
          zulip_update_announcements_stream_id: minusOne,
        },
      },
    ),
    'PATCH /realm/user_settings_defaults': plain({ color_scheme: 2 }),
    'POST /realm/profile_fields': () => ({
      params: { name: make.unique('Field'), field_type: 1 },
      free: ['name', 'hint'],
    }),
    'PATCH /realm/profile_fields/:field_id': async () => ({
      params: { field_id: await make.field(), hint: 'New' },
      free: ['name', 'hint'],
      takes: { field_data: looseObjects },
    }),
    'GET /realm/profile_fields': plain(),
    'PATCH /realm/profile_fields': async () => {
      const { custom_fields } = await make.owner.get<{ custom_fields: { id: number }[] }>(
        '/realm/profile_fields',
      )
      return { params: { order: custom_fields.map(({ id }) => id) } }
    },
    'DELETE /realm/profile_fields/:field_id': async () => ({
      params: { field_id: await make.field() },
    }),
    'GET /realm/emoji': plain(),
    'POST /realm/emoji/:emoji_name': plain(
      { emoji_name: 'dot' },
      { picture: true, takes: { emoji_name: [...names, ...minusOne] } },
    ),
    'DELETE /realm/emoji/:emoji_name': plain(
      { emoji_name: 'green_tick' },
      { free: ['emoji_name'] },
    ),
    'POST /realm/icon': plain({}, { picture: true }),
    'DELETE /realm/icon': plain(),
    'POST /realm/logo': plain({ night: false }, { picture: true }),
    'DELETE /realm/logo': plain({ night: false }),
    'POST /realm/filters': () => ({
      params: {
        pattern: `${make.unique('Y').replace(' ', '')}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      },
      free: ['example_input'],
      takes: { reverse_template: ['nothing'], alternative_url_templates: emptyList },
    }),
    'PATCH /realm/filters/:filter_id{[0-9]+}': async () => ({
      params: {
        filter_id: await make.linkifier(),
        pattern: `${make.unique('Z').replace(' ', '')}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      },
      free: ['example_input'],
      takes: { reverse_template: ['nothing'], alternative_url_templates: emptyList },
    }),
    'GET /realm/linkifiers': plain(),
    'DELETE /realm/filters/:filter_id{[0-9]+}': async () => ({
      params: { filter_id: await make.linkifier() },
    }),
    'PATCH /realm/linkifiers': async () => {
      const { linkifiers } = await make.owner.get<{ linkifiers: { id: number }[] }>(
        '/realm/linkifiers',
      )
      return { params: { ordered_linkifier_ids: linkifiers.map(({ id }) => id) } }
    },
    'POST /realm/playgrounds': () => ({
      params: {
        name: make.unique('Playground'),
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      },
      free: ['name', 'pygments_language'],
    }),
    'DELETE /realm/playgrounds/:playground_id{[0-9]+}': async () => ({
      params: { playground_id: await make.playground() },
    }),
    'GET /realm/domains': plain(),
    'POST /realm/domains': () => ({
      takes: { domain: decimals },
      params: {
        domain: `${make.unique('e').replace(' ', '')}.example.com`,
        allow_subdomains: true,
      },
    }),
    'PATCH /realm/domains/:domain': async () => ({
      takes: { domain: decimals },
      params: { domain: await make.domain(), allow_subdomains: true },
    }),
    'DELETE /realm/domains/:domain': async () => ({
      params: { domain: await make.domain() },
      takes: { domain: decimals },
    }),
    'POST /export/realm': async () => {
      await server.server.settled()
      return {}
    },
    'POST /external/json': plain(toBot, { body: { event: 'x' }, free: ['stream', 'topic'] }),
    'POST /external/slack_incoming': plain(toBot, {
      body: { text: 'x' },
      free: ['stream', 'topic'],
    }),
    'POST /external/github': plain(toBot, {
      body: { zen: 'Keep it.', repository: { full_name: 'a/b', name: 'b' } },
      headers: { 'x-github-event': 'ping' },
      free: ['stream', 'topic', 'branches'],
      takes: { only_events: someWords, exclude_events: someWords },
    }),
    'POST /external/gitlab': plain(toBot, {
      body: {
        object_kind: 'push',
        before: '1'.repeat(40),
        after: '2'.repeat(40),
        ref: 'refs/heads/main',
        user_name: 'Ada',
        project: { name: 'site', path_with_namespace: 'a/site', web_url: 'https://example.com' },
        commits: [],
        total_commits_count: 0,
      },
      headers: { 'x-gitlab-event': 'Push Hook' },
      free: ['stream', 'topic', 'branches'],
      takes: { only_events: someWords, exclude_events: someWords },
    }),
    'GET /export/realm': plain(),
    'GET /export/realm/consents': plain(),
    'DELETE /export/realm/:export_id{[0-9]+}': async () => {
      await server.server.settled()
      const export_id = await make.export()
      await server.server.settled()
      return { params: { export_id } }
    },
    'POST /dev_fetch_api_key': plain({ username: 'hamlet@zulip.com' }),
    'GET /dev_list_users': plain(),
    'POST /fetch_api_key': plain({ username: 'hamlet@zulip.com', password: 'hamlet-password' }),
    'POST /realm/deactivate': plain({ deletion_delay_days: null }),
    'POST /users/me/api_key/regenerate': plain({}, { as: 'othello' }),
  }
}
