import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Message {
  readonly id: number
  readonly [member: string]: unknown
}

async function fetchMessage(id: number, actor: Actor = 'member', params: object = {}) {
  const reply = await server
    .as(actor)
    .get<{ messages: Message[] }>('/messages', { message_ids: [id], ...params })
  assert.equal(reply.result, 'success', reply.msg)
  const [message] = reply.messages
  assert.ok(message)
  return message
}

async function fetchHistory(id: number) {
  const reply = await server
    .as('member')
    .get<{ message_history: Record<string, unknown>[] }>(`/messages/${id}/history`)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.message_history
}

const change = async (actor: Actor, id: number, params: object) =>
  assert.equal((await server.as(actor).patch(`/messages/${id}`, { ...params })).msg, '')

const setRealm = async (params: object) =>
  assert.equal((await server.as('owner').patch('/realm', { ...params })).msg, '')

describe('Message (as returned by GET /messages)', () => {
  test('`type` is `stream` or `private`', async () => {
    const inChannel = await server.say('member', 'public')
    const direct = await server.say('member', ['admin'])
    assert.equal((await fetchMessage(inChannel)).type, 'stream')
    assert.equal((await fetchMessage(direct)).type, 'private')
  })

  test('`content` is HTML when `apply_markdown` is true, Markdown otherwise; `content_type` says which', async () => {
    const id = await server.say('member', 'public', 'plans', '*Hello*')
    const html = await fetchMessage(id, 'member', { apply_markdown: true })
    assert.deepEqual([html.content, html.content_type], ['<p><em>Hello</em></p>', 'text/html'])
    const source = await fetchMessage(id, 'member', { apply_markdown: false })
    assert.deepEqual([source.content, source.content_type], ['*Hello*', 'text/x-markdown'])
  })

  test('`sender_id`, `sender_full_name`, `sender_realm_str` name the sender, `sender_email` by API email', async () => {
    const message = await fetchMessage(await server.say('cordelia', 'shared'))
    assert.deepEqual(
      [message.sender_id, message.sender_email, message.sender_full_name, message.sender_realm_str],
      [server.ids.cordelia, 'user8@zulipdev.com', "Cordelia, Lear's daughter", ''],
    )
  })

  test('`client` is the name of the client that sent it', async () => {
    const sent = await fetch(`${server.url}/api/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`hamlet@zulip.com:${server.as('member').apiKey}`)}`,
        'user-agent': 'ZulipMobile/27.230 (Android 14)',
      },
      body: new URLSearchParams({ type: 'direct', to: '[11]', content: 'Hello.' }),
    })
    const { id } = (await sent.json()) as { id: number }
    assert.equal((await fetchMessage(id)).client, 'ZulipMobile')
  })

  test('`display_recipient` is the channel name, or basic data on the users', async () => {
    const inChannel = await fetchMessage(await server.say('member', 'public'))
    assert.equal(inChannel.display_recipient, 'Denmark')
    const direct = await fetchMessage(await server.say('member', ['admin']))
    assert.deepEqual(direct.display_recipient, [
      { id: 10, email: 'user10@zulipdev.com', full_name: 'King Hamlet', is_mirror_dummy: false },
      { id: 11, email: 'user11@zulipdev.com', full_name: 'Iago', is_mirror_dummy: false },
    ])
  })

  test('`recipient_id` identifies the set of recipients', async () => {
    const of = async (id: number) => (await fetchMessage(id)).recipient_id
    const one = await of(await server.say('member', ['admin', 'owner']))
    assert.equal(await of(await server.say('admin', ['owner', 'member'])), one)
    assert.notEqual(await of(await server.say('member', ['admin'])), one)
    const channel = await of(await server.say('member', 'public', 'a'))
    assert.equal(await of(await server.say('admin', 'public', 'b')), channel)
  })

  test('`stream_id` is there only for channel messages', async () => {
    assert.equal((await fetchMessage(await server.say('member', 'public'))).stream_id, 4)
    assert.ok(!('stream_id' in (await fetchMessage(await server.say('member', ['admin'])))))
  })

  test('`subject` is the topic, always empty for direct messages', async () => {
    assert.equal(
      (await fetchMessage(await server.say('member', 'public', 'Lunch'))).subject,
      'Lunch',
    )
    assert.equal((await fetchMessage(await server.say('member', ['admin'], 'Lunch'))).subject, '')
  })

  test('for clients that do not allow empty topics, `subject` is the display name of the empty topic', async () => {
    const id = await server.say('member', 'public', '')
    assert.equal((await fetchMessage(id)).subject, 'general chat')
    assert.equal((await fetchMessage(id, 'member', { allow_empty_topic_name: true })).subject, '')
  })

  test('`topic_links` are links that linkifiers make from the topic', async () => {
    const message = await fetchMessage(await server.say('member', 'public', 'about #D123'))
    assert.deepEqual(message.topic_links, [
      { text: '#D123', url: 'https://github.com/zulip/zulip-desktop/pull/123' },
    ])
  })

  test('`timestamp` is when the message was sent, in seconds', async () => {
    const id = await server.say('member', 'public')
    assert.equal((await fetchMessage(id)).timestamp, Math.floor(server.clock.now() / 1000))
  })

  test('`is_me_message` is true for a /me status message', async () => {
    const of = async (content: string) =>
      (await fetchMessage(await server.say('member', 'public', 'plans', content))).is_me_message
    assert.deepEqual([await of('/me waves'), await of('waves')], [true, false])
  })

  test('`last_edit_timestamp` is present only if the content was ever edited', async () => {
    const id = await server.say('member', 'public')
    await change('member', id, { topic: 'elsewhere' })
    assert.ok(!('last_edit_timestamp' in (await fetchMessage(id))))
    server.clock.advance(2000)
    await change('member', id, { content: 'Goodbye.' })
    const edited = await fetchMessage(id)
    assert.equal(edited.last_edit_timestamp, Math.floor(server.clock.now() / 1000))
  })

  test('`last_moved_timestamp` is present only if the message was moved; resolving does not count', async () => {
    const id = await server.say('member', 'public', 'open question')
    await change('member', id, { topic: '✔ open question' })
    assert.ok(!('last_moved_timestamp' in (await fetchMessage(id))))
    await change('member', id, { topic: 'open question' })
    assert.ok(!('last_moved_timestamp' in (await fetchMessage(id))))
    await change('member', id, { topic: 'another question' })
    const moved = await fetchMessage(id)
    assert.equal(moved.last_moved_timestamp, Math.floor(server.clock.now() / 1000))
  })

  test('`edit_history` has the most recent edit first, and only what each edit changed', async () => {
    const id = await server.say('member', 'public', 'first', 'one')
    assert.ok(!('edit_history' in (await fetchMessage(id))))
    await change('member', id, { content: 'two' })
    await change('admin', id, { topic: 'second', send_notification_to_old_thread: false })
    await change('admin', id, { stream_id: server.channels.shared })
    const timestamp = Math.floor(server.clock.now() / 1000)
    assert.deepEqual((await fetchMessage(id)).edit_history, [
      { user_id: 11, timestamp, prev_stream: 4, stream: 3 },
      { user_id: 11, timestamp, prev_topic: 'first', topic: 'second' },
      {
        user_id: 10,
        timestamp,
        prev_content: 'one',
        prev_rendered_content: '<p>one</p>',
      },
    ])
  })

  test('`edit_history` is absent if viewing history is disabled in the organization', async () => {
    const id = await server.say('member', 'public')
    await change('member', id, { content: 'Edited.' })
    assert.ok('edit_history' in (await fetchMessage(id)))
    await setRealm({ message_edit_history_visibility_policy: 'none' })
    assert.ok(!('edit_history' in (await fetchMessage(id))))
    await setRealm({ message_edit_history_visibility_policy: 'all' })
  })

  test('`reactions` have `emoji_name`, `emoji_code`, `reaction_type` and `user_id`', async () => {
    const id = await server.say('member', 'public')
    await server.as('admin').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    assert.deepEqual((await fetchMessage(id)).reactions, [
      { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji', user_id: 11 },
    ])
  })

  test('`submessages` have `msg_type`, `content`, `message_id`, `sender_id` and `id`', async () => {
    const id = await server.say('member', 'public', 'plans', '/poll Where?\nHere\nThere')
    const { submessages } = await fetchMessage(id)
    assert.ok(Array.isArray(submessages))
    const [first] = submessages
    assert.deepEqual(Object.keys(first).sort(), [
      'content',
      'id',
      'message_id',
      'msg_type',
      'sender_id',
    ])
    assert.deepEqual(
      [first.message_id, first.sender_id, first.msg_type],
      [id, server.ids.member, 'widget'],
    )
  })

  test("`flags` are the caller's own", async () => {
    const id = await server.say('admin', 'public', 'plans', '@**King Hamlet**')
    await server.as('owner').post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    assert.deepEqual((await fetchMessage(id, 'member')).flags, ['mentioned'])
    assert.deepEqual((await fetchMessage(id, 'owner')).flags, ['starred'])
  })
})

describe('avatar_url', () => {
  const rows: [hidden: boolean, clientGravatar: boolean, isNull: boolean][] = [
    [false, true, true],
    [false, false, false],
    [true, true, false],
    [true, false, false],
  ]
  for (const [hidden, clientGravatar, isNull] of rows) {
    const email = hidden ? 'a hidden' : 'a visible'
    test(`is ${isNull ? 'null' : 'a URL'} with ${email} email and \`client_gravatar\` ${clientGravatar}`, async () => {
      await server.as('member').patch('/settings', { email_address_visibility: hidden ? 4 : 1 })
      const id = await server.say('member', 'public')
      const { avatar_url } = await fetchMessage(id, 'cordelia', { client_gravatar: clientGravatar })
      if (isNull) assert.equal(avatar_url, null)
      else assert.ok(typeof avatar_url === 'string' && URL.canParse(avatar_url, server.url))
    })
  }
})

describe('Message edit snapshot (GET /messages/{message_id}/history)', () => {
  test('the first has only `topic`, `content`, `rendered_content`, `timestamp` and `user_id`', async () => {
    const id = await server.say('member', 'public', 'first', '*one*')
    assert.deepEqual(await fetchHistory(id), [
      {
        topic: 'first',
        content: '*one*',
        rendered_content: '<p><em>one</em></p>',
        timestamp: Math.floor(server.clock.now() / 1000),
        user_id: server.ids.member,
      },
    ])
  })

  test('later ones have `prev_topic`, `stream`, `prev_stream`, `prev_content`, `prev_rendered_content` and `content_html_diff` only if the edit changed these properties', async () => {
    const id = await server.say('member', 'public', 'first', 'one')
    await change('member', id, { content: 'two' })
    await change('admin', id, { topic: 'second' })
    await change('admin', id, { stream_id: server.channels.shared })
    const [, content, topic, channel, ...rest] = await fetchHistory(id)
    assert.deepEqual(rest, [])
    const always = ['content', 'rendered_content', 'timestamp', 'topic', 'user_id']
    const members = (snapshot: object | undefined) => Object.keys(snapshot ?? {}).sort()
    assert.deepEqual(
      members(content),
      [...always, 'content_html_diff', 'prev_content', 'prev_rendered_content'].sort(),
    )
    assert.deepEqual(members(topic), [...always, 'prev_topic'].sort())
    assert.deepEqual(members(channel), [...always, 'prev_stream', 'stream'].sort())
    assert.match(String(content?.content_html_diff), /two/)
    assert.deepEqual([content?.prev_content, content?.content], ['one', 'two'])
    assert.deepEqual([topic?.prev_topic, topic?.topic], ['first', 'second'])
    assert.deepEqual([channel?.prev_stream, channel?.stream], [4, 3])
  })
})

describe('Emoji reaction type', () => {
  const types: [type: string, name: string, code: string][] = [
    ['unicode_emoji', 'family_man_woman_boy', '1f468-200d-1f469-200d-1f466'],
    ['realm_emoji', 'green_tick', '1'],
  ]
  for (const [type, name, code] of types) {
    test(`\`${type}\` has the code ${code}`, async () => {
      const id = await server.say('member', 'public')
      const reply = await server.as('admin').post(`/messages/${id}/reactions`, {
        emoji_name: name,
        reaction_type: type,
        emoji_code: code,
      })
      assert.deepEqual(reply, success)
      const { reactions } = await fetchMessage(id)
      assert.deepEqual(reactions, [
        { emoji_name: name, emoji_code: code, reaction_type: type, user_id: 11 },
      ])
    })
  }

  test('`service_extra_emoji` has the emoji name as its code', async () => {
    const id = await server.say('member', 'public')
    const reply = await server.as('admin').post(`/messages/${id}/reactions`, {
      emoji_name: 'zulip',
      reaction_type: 'service_extra_emoji',
    })
    assert.deepEqual(reply, success)
    const { reactions } = await fetchMessage(id)
    assert.deepEqual(reactions, [
      {
        emoji_name: 'zulip',
        emoji_code: 'zulip',
        reaction_type: 'service_extra_emoji',
        user_id: 11,
      },
    ])
  })
})
