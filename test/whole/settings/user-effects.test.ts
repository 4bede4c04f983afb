import assert from 'node:assert/strict'
import { after } from 'node:test'
import { hashCost, hashPassword } from '#features/foundation/users/passwords.ts'
import { updateUser } from '#features/foundation/users/queries.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { startMailServer } from '#test/support/smtp.ts'
import { type Effect, testEffects, verdict } from './effects.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({ socket: true, config: { smtpUrl: post.url } })
after(server.close)

const { ids, channels } = server
const zoe = server.as('zoe')
const member = server.as('member')
const password = 'correct horse battery'
const passwordHash = await hashPassword(password, hashCost({ fixture: true }))
await server.server.context.store.write(
  (tx) => void updateUser(tx, server.ids.zoe, { passwordHash }),
)

let topics = 0
const newTopic = () => `topic ${++topics}`
const policies = ['none', 'muted', 'unmuted', 'followed']

/** What zoe is about a topic, after she or someone did something in it. */
async function policyOf(topic: string): Promise<string | undefined> {
  const { state } = await zoe.watch('user_topic')
  const known = state.user_topics as { topic_name: string; visibility_policy: number }[]
  return policies[known.find(({ topic_name }) => topic_name === topic)?.visibility_policy ?? 0]
}

const mute = (value: boolean) =>
  zoe.patch(`/users/me/subscriptions/${channels.public}`, { property: 'is_muted', value })

/** Where zoe starts a topic, writes in one, and reacts in one: what she is about each. */
async function takePart(): Promise<unknown[]> {
  const [started, joined, reacted] = [newTopic(), newTopic(), newTopic()]
  await server.say('zoe', 'public', started)
  await server.say('member', 'public', joined)
  await server.say('zoe', 'public', joined)
  const id = await server.say('member', 'public', reacted)
  await zoe.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
  return [await policyOf(started), await policyOf(joined), await policyOf(reacted)]
}

const typing = (type: 'direct' | 'channel', place: object) => () =>
  zoe.post('/typing', { op: 'start', type, ...place }).then(verdict)

interface NoticeEvent {
  message: { id: number; content: string }
  flags: string[]
}

/** The flags of the notice that a topic was resolved, in a topic that zoe follows or does not. */
async function noticeFlags(follows: boolean): Promise<unknown> {
  const topic = newTopic()
  const id = await server.say('member', 'public', topic)
  const wish = { stream_id: channels.public, topic, visibility_policy: follows ? 3 : 0 }
  await zoe.post('/user_topics', wish)
  const queue = await zoe.watch('message')
  await member.patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' })
  const [event] = await queue.drain()
  const { message, flags } = event as unknown as NoticeEvent
  assert.match(message.content, /has marked this topic as resolved/)
  const { state } = await zoe.watch('message', 'update_message_flags')
  const { streams } = state.unread_msgs as { streams: { unread_message_ids: number[] }[] }
  const isUnread = streams.some(({ unread_message_ids }) => unread_message_ids.includes(message.id))
  assert.equal(flags.includes('read'), !isUnread)
  return isUnread ? 'unread' : 'read'
}

const effects: Record<string, Effect> = {
  allow_private_data_export: {
    of: 'what administrators are told about exports',
    async see() {
      const reply = await server
        .as('admin')
        .get<{ export_consents: { user_id: number; consented: boolean }[] }>(
          '/export/realm/consents',
        )
      return reply.export_consents.find(({ user_id }) => user_id === ids.zoe)?.consented
    },
    positions: [
      [true, true],
      [false, false],
    ],
  },
  automatically_follow_topics_policy: {
    of: 'which topics are followed: started, written in, reacted in',
    see: takePart,
    positions: [
      [3, ['followed', 'none', 'none']],
      [1, ['followed', 'followed', 'followed']],
      [2, ['followed', 'followed', 'none']],
      [4, ['none', 'none', 'none']],
    ],
  },
  automatically_unmute_topics_in_muted_streams_policy: {
    of: 'which topics of a muted channel are unmuted: started, written in, reacted in',
    async see() {
      await zoe.patch('/settings', { automatically_follow_topics_policy: 4 })
      await mute(true)
      const seen = await takePart()
      await mute(false)
      return seen
    },
    positions: [
      [2, ['unmuted', 'unmuted', 'none']],
      [1, ['unmuted', 'unmuted', 'unmuted']],
      [3, ['unmuted', 'none', 'none']],
      [4, ['none', 'none', 'none']],
    ],
  },
  automatically_follow_topics_where_mentioned: {
    of: 'whether a mention makes one follow a topic',
    async see() {
      const topic = newTopic()
      await server.say('member', 'public', topic, '@**Zoe**')
      return policyOf(topic)
    },
    positions: [
      [true, 'followed'],
      [false, 'none'],
    ],
  },
  email_address_visibility: {
    of: 'who sees the address: owner, moderator, member, guest',
    see: () =>
      Promise.all(
        (['owner', 'moderator', 'member', 'guest'] as const).map(async (viewer) => {
          const reply = await server
            .as(viewer)
            .get<{ user: { delivery_email: string | null } }>(`/users/${ids.zoe}`)
          return reply.user.delivery_email !== null
        }),
      ),
    positions: [
      [1, [true, true, true, true]],
      [2, [true, true, true, false]],
      [5, [true, true, false, false]],
      [3, [true, false, false, false]],
      [4, [false, false, false, false]],
    ],
  },
  enable_drafts_synchronization: {
    of: 'whether drafts can be kept on the server',
    see: () => {
      const draft = { type: '', to: [], topic: '', content: 'x' }
      return zoe.post('/drafts', { drafts: [draft] }).then(verdict)
    },
    positions: [
      [true, 'yes'],
      [false, 'You have turned off draft synchronization.'],
    ],
  },
  enable_login_emails: {
    of: 'whether one is told by mail that somebody logged in',
    async see() {
      const username = zoe.email
      const login = await server.anonymous.post('/fetch_api_key', { username, password })
      assert.equal(login.result, 'success', login.msg)
      await server.settled()
      return post.take().map(({ to, headers, text }) => {
        assert.match(text, /Network address: 127\.0\.0\.1\nBrowser or app: node\n/)
        return `${to}: ${headers.subject}`
      })
    },
    positions: [
      [true, [`${zoe.email}: New login to Zulip Dev`]],
      [false, []],
    ],
  },
  presence_enabled: {
    of: 'whether others see that one is here',
    async see() {
      await zoe.post('/users/me/presence', { status: 'active' })
      const reply = await member.get<{ presence: { aggregated: { status: string } } }>(
        `/users/${ids.zoe}/presence`,
      )
      return reply.presence.aggregated.status
    },
    positions: [
      [true, 'active'],
      [false, 'offline'],
    ],
  },
  receives_typing_notifications: {
    of: 'whether one hears that others write: to people, in a channel, over a message',
    async see() {
      const queue = await zoe.watchWith({
        event_types: ['typing', 'typing_edit_message'],
        client_capabilities: { stream_typing_notifications: true },
      })
      const message = await server.say('member', 'public')
      await member.post('/typing', { op: 'start', type: 'direct', to: [ids.zoe] })
      const place = { stream_id: channels.public, topic: 'x' }
      await member.post('/typing', { op: 'start', type: 'channel', ...place })
      await member.post(`/messages/${message}/typing`, { op: 'start' })
      return (await queue.drain()).map(({ type }) => type)
    },
    positions: [
      [true, ['typing', 'typing', 'typing_edit_message']],
      [false, []],
    ],
  },
  resolved_topic_notice_auto_read_policy: {
    of: 'whether it is news that a topic was resolved: a followed one, another one',
    see: async () => [await noticeFlags(true), await noticeFlags(false)],
    positions: [
      ['except_followed', ['unread', 'read']],
      ['always', ['read', 'read']],
      ['never', ['unread', 'unread']],
    ],
  },
  send_private_typing_notifications: {
    of: 'whether others hear that one writes to them',
    see: typing('direct', { to: [ids.member] }),
    positions: [
      [true, 'yes'],
      [false, 'User has disabled typing notifications for direct messages'],
    ],
  },
  send_stream_typing_notifications: {
    of: 'whether others hear that one writes in a channel',
    see: typing('channel', { stream_id: channels.public, topic: 'x' }),
    positions: [
      [true, 'yes'],
      [false, 'User has disabled typing notifications for channel messages'],
    ],
  },
  send_read_receipts: {
    of: 'whether others learn that one has read their messages',
    async see() {
      const id = await server.say('member', 'public')
      await zoe.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      const reply = await member.get<{ user_ids: number[] }>(`/messages/${id}/read_receipts`)
      return reply.user_ids.includes(ids.zoe)
    },
    positions: [
      [true, true],
      [false, false],
    ],
  },
  translate_emoticons: {
    of: 'whether :) becomes an emoji',
    see: async () => (await zoe.post('/messages/render', { content: ':)' })).rendered,
    positions: [
      [false, '<p>:)</p>'],
      [
        true,
        '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></p>',
      ],
    ],
  },
}

const looks = 'clients alone decide by it how things look or behave'
const local = 'clients alone decide by it what they show or sound on their device'
const noMail = 'this server sends no mail with news'
const missed = 'mail about messages depends on it; the tests of that check it'
const noPush = 'pushes depend on it; the tests of who is notified check it'
const words = 'the server speaks English alone; clients translate their own words'

const others: Record<string, string> = {
  wildcard_mentions_notify: missed,
  enable_stream_push_notifications: noPush,
  enable_online_push_notifications: noPush,
  enable_offline_push_notifications: noPush,
  enable_followed_topic_wildcard_mentions_notify: missed,
  enable_followed_topic_push_notifications: noPush,
  color_scheme: looks,
  default_language: words,
  demote_inactive_streams: looks,
  desktop_icon_count_display: local,
  display_emoji_reaction_users: looks,
  email_notifications_batching_period_seconds: missed,
  emojiset: looks,
  enable_desktop_notifications: local,
  enable_digest_emails: 'digests depend on it; the tests of these check it',
  enable_followed_topic_audible_notifications: local,
  enable_followed_topic_desktop_notifications: local,
  enable_followed_topic_email_notifications: missed,
  enable_marketing_emails: noMail,
  enable_offline_email_notifications: missed,
  enable_sounds: local,
  enable_stream_audible_notifications: local,
  enable_stream_desktop_notifications: local,
  enable_stream_email_notifications: missed,
  enter_sends: looks,
  fluid_layout_width: looks,
  hide_ai_features: looks,
  high_contrast_mode: looks,
  left_side_userlist: looks,
  message_content_in_email_notifications: missed,
  notification_sound: local,
  pm_content_in_desktop_notifications: local,
  realm_name_in_email_notifications_policy: missed,
  starred_message_counts: looks,
  twenty_four_hour_time: looks,
  user_list_style: looks,
  web_animate_image_previews: looks,
  web_channel_default_view: looks,
  web_escape_navigates_to_home_view: looks,
  web_font_size_px: looks,
  web_home_view: looks,
  web_left_sidebar_show_channel_folders: looks,
  web_left_sidebar_unreads_count_summary: looks,
  web_line_height_percent: looks,
  web_mark_read_on_scroll_policy: looks,
  web_navigate_to_sent_message: looks,
  web_stream_unreads_count_display_policy: looks,
  web_suggest_update_timezone: looks,
}

const actor: Actor = 'zoe'
testEffects(
  Object.keys(userSettingRules),
  (name, value) => server.as(actor).patch('/settings', { [name]: value }),
  effects,
  others,
)
