import type { CallParams, Client, TestServer } from '#test/support/server.ts'

/** Something that somebody does, which must succeed. */
export type Action = readonly [
  title: string,
  act: () => Promise<{ result: string; msg: string } | undefined>,
]

/** The smallest picture there is: one transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Calls that send a file, which the forms of other tests cannot. */
function uploader({ server }: TestServer, { email, apiKey }: Client) {
  return async (path: string, name: string) => {
    const body = new FormData()
    body.set('file', new File([pixel], name, { type: 'image/png' }))
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    const request = new Request(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    const response = await server.fetch(request)
    return (await response.json()) as { result: string; msg: string; url: string }
  }
}

/** One action after another, so that every type and op of event occurs, in its usual forms. */
export function actionsOf(server: TestServer): Action[] {
  const { ids } = server
  const [owner, admin, member] = [server.as('owner'), server.as('admin'), server.as('member')]
  const [guest, bot, cordelia] = [server.as('guest'), server.as('bot'), server.as('cordelia')]
  const upload = uploader(server, member)
  const uploadAsAdmin = uploader(server, admin)
  const now = () => Math.floor(server.clock.now() / 1000)
  /** Ids of what earlier actions made. */
  const made: Record<string, number> = {}
  const links: Record<string, string> = {}
  const keep =
    (name: string, member: string, act: () => Promise<{ result: string; msg: string }>) =>
    async () => {
      const reply = await act()
      made[name] = (reply as Record<string, unknown> & typeof reply)[member] as number
      return reply
    }
  const say = (client: Client, name: string, params: CallParams) =>
    keep(name, 'id', () => client.post('/messages', { content: 'Hello.', ...params }))
  const toVerona = { type: 'channel', to: 3, topic: 'plans' }
  const toCoreTeam = { type: 'channel', to: 8, topic: 'plans' }
  const one = (id: number) => ({ direct_members: [id], direct_subgroups: [] })

  return [
    ['a channel message', say(owner, 'first', toVerona)],
    [
      'a mention',
      say(owner, 'mention', { ...toVerona, content: '@**King Hamlet** @**Polonius**' }),
    ],
    ['a wildcard mention', say(owner, 'all', { ...toVerona, content: '@**all** hello' })],
    ['a topic wildcard', say(owner, 'topic', { ...toVerona, content: '@**topic** hello' })],
    ['a message in a private channel', say(owner, 'secret', toCoreTeam)],
    ['the empty topic', say(owner, 'empty', { ...toVerona, topic: '' })],
    ['a direct message', say(member, 'direct', { type: 'direct', to: [ids.guest] })],
    ['a group message', say(owner, 'group', { type: 'direct', to: [ids.member, ids.guest] })],
    ['a message to oneself', say(member, 'own', { type: 'direct', to: [ids.member] })],
    [
      'an edit that adds a mention',
      () => owner.patch(`/messages/${made.first}`, { content: 'Oh @**King Hamlet**' }),
    ],
    [
      'an edit that takes one away',
      () => owner.patch(`/messages/${made.mention}`, { content: 'Nobody.' }),
    ],
    [
      'a star',
      () =>
        member.post('/messages/flags', {
          messages: [made.first, made.direct],
          op: 'add',
          flag: 'starred',
        }),
    ],
    [
      'no star',
      () =>
        member.post('/messages/flags', { messages: [made.first], op: 'remove', flag: 'starred' }),
    ],
    ['a reaction', () => member.post(`/messages/${made.first}/reactions`, { emoji_name: 'tada' })],
    ['no reaction', () => member.del(`/messages/${made.first}/reactions`, { emoji_name: 'tada' })],
    [
      'a move to another topic',
      () =>
        owner.patch(`/messages/${made.first}`, { topic: 'moved', propagate_mode: 'change_all' }),
    ],
    [
      'a resolved topic',
      () =>
        owner.patch(`/messages/${made.first}`, { topic: '✔ moved', propagate_mode: 'change_all' }),
    ],
    ['a move to a private channel', () => owner.patch(`/messages/${made.all}`, { stream_id: 8 })],
    [
      'a move to a public channel',
      () => owner.patch(`/messages/${made.secret}`, { stream_id: 3, topic: 'open' }),
    ],
    [
      'some read',
      () =>
        guest.post('/messages/flags', {
          messages: [made.group, made.empty],
          op: 'add',
          flag: 'read',
        }),
    ],
    [
      'some unread again',
      () =>
        guest.post('/messages/flags', {
          messages: [made.group, made.empty, made.first],
          op: 'remove',
          flag: 'read',
        }),
    ],
    [
      'a topic read',
      () => member.post('/mark_topic_as_read', { stream_id: 3, topic_name: '✔ moved' }),
    ],
    ['everything read', () => guest.post('/mark_all_as_read')],
    ['a deleted message', () => owner.del(`/messages/${made.empty}`)],
    ['a deleted direct message', () => member.del(`/messages/${made.direct}`)],
    ['a deleted topic', () => owner.post('/streams/3/delete_topic', { topic_name: 'open' })],
    ['a poll', say(member, 'poll', { ...toVerona, content: '/poll Which?\nThis\nThat' })],
    [
      'a vote',
      () =>
        guest.post('/submessage', {
          message_id: made.poll,
          msg_type: 'widget',
          content: '{"type":"vote","key":"canned,0","vote":1}',
        }),
    ],
    ['typing', () => member.post('/typing', { op: 'start', type: 'direct', to: [ids.guest] })],
    [
      'no typing',
      () => member.post('/typing', { op: 'stop', type: 'stream', stream_id: 3, topic: 'plans' }),
    ],
    ['typing an edit', () => owner.post(`/messages/${made.first}/typing`, { op: 'start' })],
    ['typing no edit', () => owner.post(`/messages/${made.first}/typing`, { op: 'stop' })],

    ['alert words', () => member.post('/users/me/alert_words', { alert_words: ['elsinore'] })],
    ['an alert', say(owner, 'alert', { ...toVerona, content: 'Off to elsinore' })],
    [
      'a muted topic',
      () => member.post('/user_topics', { stream_id: 3, topic: 'noise', visibility_policy: 1 }),
    ],
    [
      'a followed topic',
      () => member.post('/user_topics', { stream_id: 3, topic: 'News', visibility_policy: 3 }),
    ],
    [
      'an unmuted one',
      () => member.post('/user_topics', { stream_id: 3, topic: 'noise', visibility_policy: 0 }),
    ],
    ['a muted user', () => member.post(`/users/me/muted_users/${ids.othello}`)],
    ['an unmuted user', () => member.del(`/users/me/muted_users/${ids.othello}`)],
    [
      'a draft',
      keep('drafts', 'ids', () =>
        member.post('/drafts', { drafts: [{ type: 'stream', to: [3], topic: 'x', content: 'y' }] }),
      ),
    ],
    [
      'an edited draft',
      () =>
        member.patch(`/drafts/${made.drafts}`, {
          draft: { type: '', to: [], topic: '', content: 'z' },
        }),
    ],
    ['no draft', () => member.del(`/drafts/${made.drafts}`)],
    [
      'a snippet',
      keep('snippet', 'saved_snippet_id', () =>
        member.post('/saved_snippets', { title: 'a', content: 'b' }),
      ),
    ],
    ['an edited snippet', () => member.patch(`/saved_snippets/${made.snippet}`, { title: 'c' })],
    ['no snippet', () => member.del(`/saved_snippets/${made.snippet}`)],
    [
      'a view',
      () => member.post('/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true }),
    ],
    [
      'a changed view',
      () => member.patch('/navigation_views/narrow%2Fis%2Fstarred', { is_pinned: false }),
    ],
    ['no view', () => member.del('/navigation_views/narrow%2Fis%2Fstarred')],
    [
      'a scheduled message',
      keep('scheduled', 'scheduled_message_id', () =>
        member.post('/scheduled_messages', {
          ...toVerona,
          content: 'Later.',
          scheduled_delivery_timestamp: now() + 600,
        }),
      ),
    ],
    [
      'another time for it',
      () =>
        member.patch(`/scheduled_messages/${made.scheduled}`, {
          scheduled_delivery_timestamp: now() + 900,
        }),
    ],
    [
      'a second one',
      keep('second', 'scheduled_message_id', () =>
        member.post('/scheduled_messages', {
          ...toVerona,
          content: 'Never.',
          scheduled_delivery_timestamp: now() + 9000,
        }),
      ),
    ],
    ['no second one', () => member.del(`/scheduled_messages/${made.second}`)],
    [
      'a reminder',
      keep('reminder', 'reminder_id', () =>
        member.post('/reminders', {
          message_id: made.first,
          scheduled_delivery_timestamp: now() + 600,
          note: 'Do it',
        }),
      ),
    ],
    [
      'another reminder',
      keep('reminder2', 'reminder_id', () =>
        member.post('/reminders', {
          message_id: made.first,
          scheduled_delivery_timestamp: now() + 6000,
        }),
      ),
    ],
    ['no reminder', () => member.del(`/reminders/${made.reminder2}`)],
    ['time passes', async () => void server.clock.advance(20 * 60_000)],
    ['a status', () => member.post('/users/me/status', { status_text: 'Here', emoji_name: 'car' })],
    ['another text', () => member.post('/users/me/status', { status_text: 'There' })],
    ['no status', () => member.post('/users/me/status', { status_text: '', emoji_name: '' })],
    [
      'presence',
      () => member.post('/users/me/presence', { status: 'active', new_user_input: true }),
    ],

    [
      'a file',
      async () => {
        const reply = await upload('/user_uploads', 'a.png')
        links.file = reply.url
        return reply
      },
    ],
    [
      'a link to it',
      () =>
        member.post('/messages', { ...toVerona, content: `[a](${links.file})` }).then((reply) => {
          made.linked = reply.id as number
          return reply
        }),
    ],
    ['no link to it', () => member.patch(`/messages/${made.linked}`, { content: 'Gone.' })],
    [
      'no file',
      async () => {
        const { attachments } = await member.get<{ attachments: { id: number }[] }>('/attachments')
        return await member.del(`/attachments/${attachments[0]?.id}`)
      },
    ],

    [
      'settings',
      () =>
        member.patch('/settings', {
          color_scheme: 2,
          enable_sounds: false,
          default_language: 'de',
          timezone: 'Europe/Berlin',
          twenty_four_hour_time: true,
        }),
    ],
    ['another name', () => member.patch('/settings', { full_name: 'Prince Hamlet' })],
    ['a visible address', () => member.patch('/settings', { email_address_visibility: 1 })],
    [
      'an address for administrators',
      () => member.patch('/settings', { email_address_visibility: 3 }),
    ],
    ['consent', () => member.patch('/settings', { allow_private_data_export: true })],
    [
      'profile data',
      () =>
        member.patch('/users/me/profile_data', {
          data: [
            { id: 1, value: '*12*' },
            { id: 4, value: '1' },
            { id: 7, value: [ids.owner] },
          ],
        }),
    ],
    ['no profile data', () => member.del('/users/me/profile_data', { data: [4] })],
    [
      'defaults',
      () => owner.patch('/realm/user_settings_defaults', { enter_sends: false, color_scheme: 3 }),
    ],
    [
      'the organization',
      () =>
        owner.patch('/realm', {
          name: 'Elsinore',
          description: 'A castle',
          topics_policy: 'disable_empty_topic',
          message_content_edit_limit_seconds: null,
          enable_spectator_access: true,
        }),
    ],
    [
      'its history policy',
      () => owner.patch('/realm', { message_edit_history_visibility_policy: 'none' }),
    ],
    [
      'its permissions',
      () =>
        owner.patch('/realm', {
          can_create_public_channel_group: { new: 4 },
          can_mention_many_users_group: { new: 7 },
          can_add_subscribers_group: { new: one(ids.member) },
          can_invite_users_group: { new: 3 },
        }),
    ],
    [
      'its permissions back',
      () =>
        owner.patch('/realm', {
          can_create_public_channel_group: { new: 6 },
          can_add_subscribers_group: { new: 6 },
        }),
    ],
    [
      'a domain',
      () => owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: false }),
    ],
    ['its subdomains', () => owner.patch('/realm/domains/example.org', { allow_subdomains: true })],
    ['no domain', () => owner.del('/realm/domains/example.org')],
    [
      'a linkifier',
      keep('linkifier', 'id', () =>
        admin.post('/realm/filters', {
          pattern: 'T(?P<id>[0-9]+)',
          url_template: 'https://example.com/{id}',
        }),
      ),
    ],
    ['no linkifier', () => admin.del(`/realm/filters/${made.linkifier}`)],
    [
      'a playground',
      keep('playground', 'id', () =>
        admin.post('/realm/playgrounds', {
          name: 'Play',
          pygments_language: 'Python',
          url_template: 'https://example.com/{code}',
        }),
      ),
    ],
    ['no playground', () => admin.del(`/realm/playgrounds/${made.playground}`)],
    ['an emoji', () => uploadAsAdmin('/realm/emoji/dot', 'dot.png')],
    ['no emoji', () => admin.del('/realm/emoji/dot')],
    [
      'a field',
      keep('field', 'id', () =>
        admin.post('/realm/profile_fields', { name: 'Shoe size', field_type: 1 }),
      ),
    ],
    ['a changed field', () => admin.patch(`/realm/profile_fields/${made.field}`, { hint: 'EU' })],
    ['no field', () => admin.del(`/realm/profile_fields/${made.field}`)],
    ['a field less of which there were values', () => admin.del('/realm/profile_fields/1')],
    [
      'a folder',
      keep('folder', 'channel_folder_id', () =>
        admin.post('/channel_folders/create', { name: 'Plays', description: 'All of *them*' }),
      ),
    ],
    [
      'a changed folder',
      () => admin.patch(`/channel_folders/${made.folder}`, { name: 'Tragedies', description: '' }),
    ],
    ['another order', () => admin.patch('/channel_folders', { order: [made.folder, 2, 1] })],
    [
      'an archived folder',
      () => admin.patch(`/channel_folders/${made.folder}`, { is_archived: true }),
    ],
    ['an export', () => owner.post('/export/realm')],
    [
      'a phone',
      () =>
        member.post('/mobile_push/register', {
          token_kind: 'fcm',
          push_account_id: 7,
          push_public_key: Buffer.alloc(32, 7).toString('base64'),
          bouncer_public_key: 'key',
          encrypted_push_registration: Buffer.from('sealed').toString('base64'),
        }),
    ],
    ['invitation link', keep('invite', 'id', () => owner.post('/invites/multiuse', {}))],

    [
      'a channel',
      keep('channel', 'id', () =>
        member.post('/channels/create', {
          name: 'stage',
          subscribers: [ids.member, ids.guest],
          description: 'The *boards*',
        }),
      ),
    ],
    [
      'a private channel',
      keep('private', 'id', () =>
        member.post('/channels/create', {
          name: 'backstage',
          subscribers: [ids.member],
          invite_only: true,
          history_public_to_subscribers: true,
        }),
      ),
    ],
    [
      'a message in the private channel',
      async () =>
        member.post('/messages', {
          type: 'channel',
          to: made.private,
          topic: 'hush',
          content: 'Shh.',
        }),
    ],
    [
      'an edited channel',
      () =>
        member.patch(`/streams/${made.channel}`, {
          name: 'the stage',
          description: 'Nothing',
          folder_id: 1,
          topics_policy: 'allow_empty_topic',
          message_retention_days: undefined,
        }),
    ],
    ['a default channel', () => owner.post('/default_streams', { stream_id: made.channel })],
    ['no default channel', () => owner.del('/default_streams', { stream_id: made.channel })],
    ['retention', () => owner.patch(`/streams/${made.channel}`, { message_retention_days: 30 })],
    [
      'who posts',
      () => member.patch(`/streams/${made.channel}`, { can_send_message_group: { new: 3 } }),
    ],
    [
      'who may join',
      () =>
        member.patch(`/streams/${made.private}`, {
          can_subscribe_group: { new: one(ids.outsider) },
        }),
    ],
    [
      'who may join no more',
      () => member.patch(`/streams/${made.private}`, { can_subscribe_group: { new: 1 } }),
    ],
    [
      'a public channel',
      () =>
        member.patch(`/streams/${made.private}`, {
          is_private: false,
          history_public_to_subscribers: true,
        }),
    ],
    [
      'a private one again',
      () =>
        member.patch(`/streams/${made.private}`, {
          is_private: true,
          history_public_to_subscribers: false,
        }),
    ],
    [
      'subscribers',
      () =>
        member.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'backstage' }],
          principals: [ids.outsider, ids.guest],
        }),
    ],
    [
      'fewer subscribers',
      () =>
        member
          .del('/users/me/subscriptions', { subscriptions: ['backstage'], principals: [ids.guest] })
          .then(() => guest.del('/users/me/subscriptions', { subscriptions: ['backstage'] }))
          .then(() =>
            admin.del('/users/me/subscriptions', {
              subscriptions: ['backstage'],
              principals: [ids.guest],
            }),
          ),
    ],
    ['who leaves', () => member.del('/users/me/subscriptions', { subscriptions: ['Verona'] })],
    [
      'who comes back',
      () =>
        member.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'Verona', color: '#aabbcc' }],
        }),
    ],
    [
      'a subscription',
      () =>
        member.post('/users/me/subscriptions/properties', {
          subscription_data: [
            { stream_id: 3, property: 'color', value: '#c2c2c2' },
            { stream_id: 3, property: 'is_muted', value: true },
          ],
        }),
    ],
    ['an archived channel', () => member.del(`/streams/${made.channel}`)],
    ['its return', () => member.patch(`/streams/${made.channel}`, { is_archived: false })],

    [
      'a group',
      keep('crew', 'group_id', () =>
        member.post('/user_groups/create', {
          name: 'crew',
          description: 'Hands',
          members: [ids.member, ids.guest],
        }),
      ),
    ],
    [
      'another group',
      keep('cast', 'group_id', () =>
        owner.post('/user_groups/create', {
          name: 'cast',
          description: '',
          members: [ids.owner],
          subgroups: [made.crew],
          can_join_group: 6,
        }),
      ),
    ],
    [
      'members',
      () =>
        member.post(`/user_groups/${made.crew}/members`, {
          add: [ids.outsider],
          delete: [ids.guest],
        }),
    ],
    ['subgroups', () => owner.post(`/user_groups/${made.cast}/subgroups`, { delete: [made.crew] })],
    [
      'subgroups again',
      () => owner.post(`/user_groups/${made.cast}/subgroups`, { add: [made.crew] }),
    ],
    [
      'a renamed group',
      () =>
        member.patch(`/user_groups/${made.crew}`, { name: 'hands', can_mention_group: { new: 6 } }),
    ],
    [
      'a group that decides',
      () => owner.patch('/realm', { can_create_private_channel_group: { new: made.crew } }),
    ],
    [
      'who is in it',
      () => owner.post(`/user_groups/${made.crew}/members`, { delete: [ids.outsider] }),
    ],
    [
      'a group that does not',
      () => owner.patch('/realm', { can_create_private_channel_group: { new: 6 } }),
    ],
    [
      'no subgroup',
      () => owner.post(`/user_groups/${made.cast}/subgroups`, { delete: [made.crew] }),
    ],
    ['a deactivated group', () => member.post(`/user_groups/${made.crew}/deactivate`)],
    ['its name', () => owner.patch(`/user_groups/${made.crew}`, { description: 'Old hands' })],
    [
      'its return as a group',
      () => member.patch(`/user_groups/${made.crew}`, { deactivated: false }),
    ],

    [
      'a new user',
      keep('user', 'user_id', () =>
        owner.post('/users', {
          email: 'yorick@zulip.com',
          full_name: 'Yorick',
          password: 'alas poor yorick',
        }),
      ),
    ],
    [
      'a moderator',
      () =>
        owner.patch(`/users/${made.user}`, {
          role: 300,
          full_name: 'Poor Yorick',
          profile_data: [{ id: 2, value: '*Alas*' }],
        }),
    ],
    ['a guest', () => owner.patch(`/users/${made.user}`, { role: 600 })],
    ['a deactivated user', () => owner.del(`/users/${made.user}`)],
    ['a reactivated user', () => owner.post(`/users/${made.user}/reactivate`)],
    ['a member who moderates', () => owner.patch(`/users/${ids.member}`, { role: 300 })],
    ['a member who administers', () => owner.patch(`/users/${ids.member}`, { role: 200 })],
    ['a member again', () => owner.patch(`/users/${ids.member}`, { role: 400 })],
    ['a guest who becomes a member', () => owner.patch(`/users/${ids.guest}`, { role: 400 })],
    ['and a guest again', () => owner.patch(`/users/${ids.guest}`, { role: 600 })],
    ['a deactivated subscriber', () => owner.del(`/users/${ids.othello}`)],
    ['a subscriber who returns', () => owner.post(`/users/${ids.othello}/reactivate`)],
    [
      'a bot',
      keep('bot', 'user_id', () =>
        member.post('/bots', { full_name: 'Clown', short_name: 'clown' }),
      ),
    ],
    ['a renamed bot', () => member.patch(`/bots/${made.bot}`, { full_name: 'First Clown' })],
    ['another owner', () => owner.patch(`/bots/${made.bot}`, { bot_owner_id: ids.owner })],
    ['no bot', () => owner.del(`/bots/${made.bot}`)],
    ['its comeback', () => owner.post(`/users/${made.bot}/reactivate`)],
    ['a picture', () => upload('/users/me/avatar', 'me.png')],
    ['no picture', () => member.del('/users/me/avatar')],
    ['a message of a bot', () => bot.post('/messages', { ...toVerona, content: 'Beep.' })],
    [
      'a message to a bot',
      () => cordelia.post('/messages', { type: 'direct', to: [ids.bot], content: 'Beep?' }),
    ],
  ]
}
