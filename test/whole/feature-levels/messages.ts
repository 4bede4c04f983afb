import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

/** Messages: sending, editing, reactions, flags, reminders. */
export const messageLevels: readonly Level[] = [
  [
    248,
    '`channel` is a type of messages, scheduled ones and typing',
    async (server) => {
      const member = server.as('member')
      await t.send(member, server.channels.public, 'plans')
      const at = Math.floor(server.clock.now() / 1000) + 3600
      const place = {
        type: 'channel',
        to: server.channels.public,
        topic: 'plans',
        content: 'Later',
      }
      await t.ok(member.post('/scheduled_messages', { ...place, scheduled_delivery_timestamp: at }))
      const params = { type: 'channel', op: 'start', stream_id: 4, topic: 'plans' }
      await t.ok(member.post('/typing', params))
    },
  ],
  [
    256,
    'deleting the first message of a channel moves `first_message_id`',
    async (server) => {
      const id = await t.channel(server)
      const member = server.as('member')
      const first = await t.send(member, id, 'a')
      const second = await t.send(member, id, 'b')
      const queue = await member.watch('stream')
      await t.ok(server.as('owner').del(`/messages/${first}`))
      const event = (await queue.drain()).find((each) => each.property === 'first_message_id')
      assert.deepEqual([event?.stream_id, event?.value], [id, second])
    },
  ],
  [
    274,
    'who deletes a message hears of it without being subscribed',
    async (server) => {
      const id = await t.channel(server)
      const sent = await t.send(server.as('member'), id, 'a')
      const queue = await server.as('owner').watch('delete_message')
      await t.ok(server.as('owner').del(`/messages/${sent}`))
      assert.equal((await queue.drain()).length, 1)
    },
  ],
  [
    284,
    'edit history has no `prev_rendered_content_version`',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'edits')
      const queue = await member.watch('update_message')
      await t.ok(member.patch(`/messages/${id}`, { content: 'Edited.' }))
      const [edit] = (await t.message(member, id)).edit_history as t.Json[]
      assert.ok(edit && !('prev_rendered_content_version' in edit))
      assert.equal('prev_rendered_content_version' in ((await queue.drain())[0] ?? {}), false)
    },
  ],
  [
    327,
    'direct messages of two have one `recipient_id` in both directions',
    async (server) => {
      const there = await server.say('member', ['cordelia'])
      const back = await server.say('cordelia', ['member'])
      const ids = await Promise.all(
        [there, back].map(async (id) => (await t.message(server.as('member'), id)).recipient_id),
      )
      assert.equal(ids[0], ids[1])
    },
  ],
  [
    328,
    'reactions of messages have a `user_id`, and no `user`',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'reactions')
      await t.ok(member.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }))
      assert.deepEqual((await t.message(member, id)).reactions, [
        {
          emoji_name: 'octopus',
          emoji_code: '1f419',
          reaction_type: 'unicode_emoji',
          user_id: server.ids.member,
        },
      ])
    },
  ],
  [
    339,
    'reaction events say who reacted',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'reactions')
      const queue = await member.watch('reaction')
      await t.ok(member.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }))
      const { user_id, email, full_name } = await t.ok(member.get('/users/me'))
      assert.deepEqual((await queue.drain())[0]?.user, { user_id, email, full_name })
    },
  ],
  [
    351,
    'others hear that somebody edits a message',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'typing')
      const queue = await server.as('othello').watch('typing_edit_message')
      await t.ok(member.post(`/messages/${id}/typing`, { op: 'start' }))
      assert.deepEqual(await queue.drain(), [
        {
          type: 'typing_edit_message',
          op: 'start',
          sender_id: server.ids.member,
          message_id: id,
          recipient: { type: 'channel', channel_id: 4, topic: 'typing' },
        },
      ])
    },
  ],
  [
    354,
    'who could subscribe to a private channel can read and react there',
    async (server) => {
      const { othello } = server.ids
      const id = await t.channel(server, {
        invite_only: true,
        history_public_to_subscribers: true,
        can_subscribe_group: { direct_members: [othello], direct_subgroups: [] },
      })
      const sent = await t.send(server.as('member'), id, 'a')
      const react = { emoji_name: 'octopus' }
      await t.ok(server.as('othello').post(`/messages/${sent}/reactions`, react))
      const refused = server.as('zoe').post(`/messages/${sent}/reactions`, react)
      assert.equal(await t.codeOf(refused), 'BAD_REQUEST')
    },
  ],
  [
    355,
    'flags say in which channels messages were not marked unread',
    async (server) => {
      const id = await t.channel(server)
      const sent = await t.send(server.as('member'), id, 'a')
      const params = { messages: [sent], op: 'remove', flag: 'read' }
      const reply = await t.ok(server.as('othello').post('/messages/flags', params))
      assert.deepEqual(reply.ignored_because_not_subscribed_channels, [id])
    },
  ],
  [
    361,
    'POST /message_edit_typing is gone',
    async (server) => {
      const reply = server.as('member').post('/message_edit_typing', { op: 'start', message_id: 1 })
      assert.equal(await t.codeOf(reply), 'NOT_FOUND')
    },
  ],
  [
    365,
    'edits and moves are dated apart, and resolving is neither',
    async (server) => {
      const owner = server.as('owner')
      const id = await t.send(owner, 4, 'dates')
      const dates = async () => {
        const { last_edit_timestamp, last_moved_timestamp } = await t.message(owner, id)
        return [typeof last_edit_timestamp, typeof last_moved_timestamp]
      }
      await t.ok(owner.patch(`/messages/${id}`, { topic: '✔ dates' }))
      assert.deepEqual(await dates(), ['undefined', 'undefined'])
      await t.ok(owner.patch(`/messages/${id}`, { topic: 'other dates' }))
      assert.deepEqual(await dates(), ['undefined', 'number'])
      await t.ok(owner.patch(`/messages/${id}`, { content: 'Edited.' }))
      assert.deepEqual(await dates(), ['number', 'number'])
    },
  ],
  [
    372,
    'for typing too',
    async (server) => {
      const queue = await server.as('othello').watchWith({
        event_types: ['typing'],
        client_capabilities: { stream_typing_notifications: true, empty_topic_name: true },
      })
      const params = { type: 'channel', op: 'start', stream_id: 4, topic: '(no topic)' }
      await t.ok(server.as('member').post('/typing', params))
      assert.equal((await queue.drain())[0]?.topic, '')
    },
  ],
  [
    379,
    'an edit that began from another text is refused',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'edits', 'To be')
      const edit = (text: string) =>
        member.patch(`/messages/${id}`, {
          content: 'Not to be',
          prev_content_sha256: createHash('sha256').update(text).digest('hex'),
        })
      assert.equal(await t.codeOf(edit('To see')), 'EXPECTATION_MISMATCH')
      await t.ok(edit('To be'))
    },
  ],
  [
    381,
    'people can be reminded of a message',
    async (server) => {
      const member = server.as('member')
      const message_id = await t.send(member, 4, 'reminders')
      const at = Math.floor(server.clock.now() / 1000) + 60
      await t.ok(member.post('/reminders', { message_id, scheduled_delivery_timestamp: at }))
      const queue = await member.watch('message')
      server.clock.advance(61_000)
      await server.settled()
      assert.equal(t.messageIn(await queue.drain()).sender_full_name, 'Notification Bot')
      const past = { message_id, scheduled_delivery_timestamp: at }
      assert.equal(await t.codeOf(member.post('/reminders', past)), 'BAD_REQUEST')
    },
  ],
  [
    382,
    'messages can be reported to moderators',
    async (server) => {
      const id = await server.say('othello', 'public', 'reports', 'Buy this.')
      const report = { report_type: 'spam' }
      const member = server.as('member')
      const off = member.post(`/messages/${id}/report`, report)
      assert.equal(await t.codeOf(off), 'BAD_REQUEST')
      await t.during(
        () => t.setRealm(server, { moderation_request_channel_id: server.channels.private }),
        async () => {
          const queue = await server.as('owner').watch('message')
          await t.ok(member.post(`/messages/${id}/report`, report))
          assert.equal(t.messageIn(await queue.drain()).stream_id, server.channels.private)
        },
        () => t.setRealm(server, { moderation_request_channel_id: -1 }),
      )
    },
  ],
  [
    393,
    'ids in events about many messages ascend',
    async (server) => {
      const owner = server.as('owner')
      const ids = [await t.send(owner, 4, 'many'), await t.send(owner, 4, 'many')]
      const queue = await owner.watch('update_message')
      const move = { topic: 'many others', propagate_mode: 'change_all' }
      await t.ok(owner.patch(`/messages/${ids[1]}`, move))
      const moved = (await queue.drain()).find(
        (event) => event.topic !== undefined || event.subject,
      )
      assert.deepEqual(moved?.message_ids, ids)
    },
  ],
  [
    395,
    'nothing is shown of folders elsewhere',
    async (server) => {
      const link = 'https://www.dropbox.com/sh/cm39k9e04z7fhim/AAAII5NK-9daee3FcF41anEua'
      const member = server.as('member')
      const id = await t.send(member, 4, 'folders', link)
      const html = (await t.message(member, id)).content
      assert.equal(html, `<p><a href="${link}">${link}</a></p>`)
    },
  ],
  [
    399,
    'reminders can be listed and removed',
    async (server) => {
      const member = server.as('member')
      const message_id = await t.send(member, 4, 'reminders')
      const at = Math.floor(server.clock.now() / 1000) + 3600
      const queue = await member.watch('reminders')
      const { reminder_id } = await t.ok(
        member.post('/reminders', { message_id, scheduled_delivery_timestamp: at }),
      )
      const { reminders } = await t.ok<{ reminders: t.Json[] }>(member.get('/reminders'))
      assert.ok(reminders.some((each) => each.reminder_id === reminder_id))
      const shown = await t.state(server, ['reminders'])
      assert.deepEqual(shown.reminders, reminders)
      await t.ok(member.del(`/reminders/${reminder_id}`))
      assert.deepEqual(
        (await queue.drain()).map(({ op }) => op),
        ['add', 'remove'],
      )
    },
  ],
  [
    400,
    'the newest one that the author may read',
    async (server) => {
      const member = server.as('member')
      await t.send(member, 4, 'newest')
      const newest = await t.send(member, 4, 'newest')
      const id = await t.send(member, 4, 'links', '#**Denmark>newest**')
      const html = String((await t.message(member, id)).content)
      assert.match(html, new RegExp(`/with/${newest}"`))
    },
  ],
  [
    415,
    'reminders have a note of limited length',
    async (server) => {
      const member = server.as('member')
      const message_id = await t.send(member, 4, 'reminders')
      const at = Math.floor(server.clock.now() / 1000) + 3600
      const most = Number((await t.state(server, ['realm', 'reminders'])).max_reminder_note_length)
      const remind = (note: string) =>
        member.post('/reminders', { message_id, scheduled_delivery_timestamp: at, note })
      await t.ok(remind('x'.repeat(most)))
      assert.equal(await t.codeOf(remind('x'.repeat(most + 1))), 'BAD_REQUEST')
    },
  ],
]
