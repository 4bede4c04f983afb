import assert from 'node:assert/strict'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

const { term } = t

/** Narrows, links to conversations and topics. */
export const findingLevels: readonly Level[] = [
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
]
