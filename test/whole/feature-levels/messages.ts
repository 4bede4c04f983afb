import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { postFiles, upload } from '#test/support/files.ts'
import { gifPicture, pngPicture } from '#test/support/pictures.ts'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

const { term } = t

/** Messages, narrows, Markdown and files. */
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
    249,
    '`has:reaction` finds what has a reaction',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'reactions')
      const narrow = [term('topic', 'reactions'), term('has', 'reaction')]
      assert.deepEqual(await t.find(member, narrow), [])
      await t.ok(member.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }))
      assert.deepEqual(await t.find(member, narrow), [id])
    },
  ],
  [
    250,
    '`channel` and `channels` are operators',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'operators')
      for (const narrow of [
        [term('channel', 'Denmark'), term('topic', 'operators')],
        [term('channel', 4), term('topic', 'operators')],
        [term('channels', 'public'), term('topic', 'operators')],
      ]) {
        assert.deepEqual(await t.find(member, narrow), [id])
      }
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
    265,
    '`is:followed` finds topics that one follows',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'followed')
      const policy = { stream_id: 4, topic: 'followed', visibility_policy: 3 }
      await t.ok(member.post('/user_topics', policy))
      assert.ok((await t.find(member, [term('is', 'followed')])).includes(id))
    },
  ],
  [
    271,
    '`with` finds the conversation that a message is in now',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, 'before it moved')
      const other = await t.send(member, 4, 'after it moved')
      await t.ok(
        server.as('owner').patch(`/messages/${id}`, {
          topic: 'after it moved',
          send_notification_to_new_thread: false,
        }),
      )
      const narrow = [term('channel', 4), term('topic', 'before it moved'), term('with', id)]
      assert.deepEqual(await t.find(member, narrow), [id, other])
    },
  ],
  [
    272,
    'uploads are answered with `url`, and `uri` as before',
    async (server) => {
      const { url, uri } = await postFiles(server, 'member', [new File(['x'], 'x.txt')])
      assert.ok(url)
      assert.equal(uri, url)
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
    276,
    'previews say how large the picture is, also while they are made',
    async (server) => {
      const url = await upload(server, 'member', 'a.png', new Uint8Array(pngPicture(60, 40)))
      const id = await t.send(server.as('member'), 4, 'pictures', `[a](${url})`)
      const html = String((await t.message(server.as('member'), id)).content)
      assert.match(html, /class="image-loading-placeholder"/)
      assert.match(html, /data-original-dimensions="60x40"/)
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
    285,
    'an edit answers which uploads no message links to any more',
    async (server) => {
      const member = server.as('member')
      const url = await upload(server, 'member')
      const id = await t.send(member, 4, 'files', `[it](${url})`)
      const reply = await t.ok<{ detached_uploads: { path_id: string }[] }>(
        member.patch(`/messages/${id}`, { content: 'Nothing.' }),
      )
      assert.deepEqual(
        reply.detached_uploads.map(({ path_id }) => `/user_uploads/${path_id}`),
        [url],
      )
    },
  ],
  [
    286,
    'uploads are answered with a `filename`',
    async (server) => {
      const reply = await postFiles(server, 'member', [new File(['x'], 'größe: 1.txt')])
      assert.equal(reply.filename, 'größe_ 1.txt')
    },
  ],
  [
    287,
    'previews say whether the picture moves',
    async (server) => {
      const moving = new Uint8Array(gifPicture(60, 40, 3))
      const url = await upload(server, 'member', 'c.gif', moving)
      const id = await t.send(server.as('member'), 4, 'pictures', `[c](${url})`)
      await server.settled()
      const html = String((await t.message(server.as('member'), id)).content)
      assert.match(html, /data-animated="true"/)
    },
  ],
  [
    295,
    'files can be uploaded in several requests, by tus',
    async (server) => {
      const { email, apiKey } = server.as('member')
      const headers = {
        authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
        'tus-resumable': '1.0.0',
        'upload-length': '5',
      }
      const made = await fetch(`${server.url}/api/v1/tus`, { method: 'POST', headers })
      assert.equal(made.status, 201)
      const path = made.headers.get('location') ?? ''
      const asked = await fetch(server.url + path, { method: 'HEAD', headers })
      assert.equal(asked.headers.get('upload-offset'), '0')
    },
  ],
  [
    300,
    'messages can be fetched by `message_ids`',
    async (server) => {
      const member = server.as('member')
      const ids = [await t.send(member, 4, 'ids'), await t.send(member, 4, 'ids')]
      const hidden = await server.say('owner', ['owner'])
      const message_ids = [...ids, hidden, 999_999]
      const reply = await t.ok<{ messages: { id: number }[] }>(
        member.get('/messages', { message_ids }),
      )
      assert.deepEqual(
        reply.messages.map(({ id }) => id),
        ids,
      )
      assert.equal('anchor' in reply, false)
      const both = member.get('/messages', { message_ids: ids, anchor: 'newest' })
      assert.equal(await t.codeOf(both), 'BAD_REQUEST')
    },
  ],
  [
    319,
    '`#**channel>topic@id**` links to a message',
    async (server) => {
      const member = server.as('member')
      const at = await t.send(member, 4, 'links')
      const id = await t.send(member, 4, 'links', `#**Denmark>links@${at}**`)
      assert.equal(
        (await t.message(member, id)).content,
        `<p><a class="message-link" href="/#narrow/channel/4-Denmark/topic/links/near/${at}">` +
          '#Denmark &gt; links @ 💬</a></p>',
      )
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
    333,
    'system groups can be mentioned silently',
    async (server) => {
      const admins = await t.systemGroup(server, 'role:administrators')
      const member = server.as('member')
      const id = await t.send(member, 4, 'mentions', '@_*role:administrators*')
      assert.equal(
        (await t.message(member, id)).content,
        `<p><span class="user-group-mention silent" data-user-group-id="${admins}">Administrators</span></p>`,
      )
    },
  ],
  [
    334,
    'a topic can be empty, and has a name for clients that do not know of that',
    async (server) => {
      const [knowing, old] = await Promise.all([
        server.as('member').watchWith({
          event_types: ['message'],
          client_capabilities: { empty_topic_name: true },
        }),
        server.as('member').watch('message'),
      ])
      const id = await t.send(server.as('othello'), 4, '')
      assert.equal(t.messageIn(await knowing.drain()).subject, '')
      assert.equal(t.messageIn(await old.drain()).subject, 'general chat')
      const member = server.as('member')
      assert.equal((await t.message(member, id)).subject, 'general chat')
      const asked = await t.message(member, id, { allow_empty_topic_name: true })
      assert.equal(asked.subject, '')
      for (const topic of ['', 'general chat']) {
        const narrow = [term('channel', 4), term('topic', topic)]
        assert.deepEqual(await t.find(member, narrow), [id])
      }
      const realm = await t.state(server, ['realm'])
      assert.equal(realm.realm_empty_topic_display_name, 'general chat')
    },
  ],
  [
    336,
    'previews say what type the picture has',
    async (server) => {
      const url = await upload(server, 'member', 'b.png', new Uint8Array(pngPicture(60, 40)))
      const id = await t.send(server.as('member'), 4, 'pictures', `[b](${url})`)
      await server.settled()
      const html = String((await t.message(server.as('member'), id)).content)
      assert.match(html, /data-original-content-type="image\/png"/)
      assert.match(html, /src="\/user_uploads\/thumbnail\//)
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
      assert.equal((await queue.drain())[0]?.user_id, server.ids.member)
    },
  ],
  [
    346,
    'links to the empty topic show its name',
    async (server) => {
      const member = server.as('member')
      const at = await t.send(member, 4, '')
      const id = await t.send(member, 4, 'links', `#**Denmark>@${at}**`)
      const html = String((await t.message(member, id)).content)
      assert.match(html, new RegExp(`/topic//near/${at}`))
      assert.match(html, /<em>general chat<\/em>/)
    },
  ],
  [
    347,
    'links to a topic name a message in it',
    async (server) => {
      const member = server.as('member')
      const at = await t.send(member, 4, 'linked')
      const id = await t.send(member, 4, 'links', '#**Denmark>linked**')
      const html = String((await t.message(member, id)).content)
      assert.match(html, new RegExp(`/#narrow/channel/4-Denmark/topic/linked/with/${at}"`))
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
    360,
    'messages of archived channels can be read',
    async (server) => {
      const id = await t.channel(server)
      const member = server.as('member')
      const sent = await t.send(member, id, 'a')
      await t.ok(server.as('owner').del(`/streams/${id}`))
      assert.equal((await t.message(member, sent)).stream_id, id)
      await t.ok(member.get(`/messages/${sent}/history`))
      await t.ok(member.get(`/messages/${sent}/read_receipts`))
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
    366,
    '`is:muted` finds muted topics',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(server.as('othello'), 4, 'muted')
      const policy = { stream_id: 4, topic: 'muted', visibility_policy: 1 }
      await t.ok(member.post('/user_topics', policy))
      const narrow = [term('channel', 4), term('topic', 'muted')]
      assert.deepEqual(await t.find(member, [...narrow, term('is', 'muted')]), [id])
      assert.deepEqual(await t.find(member, [...narrow, term('is', 'muted', true)]), [])
    },
  ],
  [
    370,
    '`(no topic)` means the empty topic',
    async (server) => {
      const member = server.as('member')
      const id = await t.send(member, 4, '(no topic)')
      const asked = await t.message(member, id, { allow_empty_topic_name: true })
      assert.equal(asked.subject, '')
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
    405,
    'uploaded sounds can be played',
    async (server) => {
      const url = await upload(server, 'member', 'song.mp3')
      const member = server.as('member')
      const id = await t.send(member, 4, 'sounds', `![song.mp3](${url})`)
      const html = String((await t.message(member, id)).content)
      assert.match(html, new RegExp(`<audio controls preload="metadata" src="${url}"`))
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
