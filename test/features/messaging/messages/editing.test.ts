import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { realmSetting, setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'
import { edited, editsOn } from './edits.ts'

const server = await startServer()
after(server.close)

const { channels, ids } = server
const { edit, fetched, now } = editsOn(server)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function withSetting<N extends Parameters<typeof setRealmSetting>[1]>(
  name: N,
  value: Parameters<typeof setRealmSetting<N>>[2],
  act: () => Promise<void>,
): Promise<void> {
  const { store } = server.server.context
  const before = realmSetting(store, name)
  await store.write((tx) => setRealmSetting(tx, name, value))
  try {
    await act()
  } finally {
    await store.write((tx) => setRealmSetting(tx, name, before))
  }
}

describe('editing the text', () => {
  test('changes it for everyone, and keeps what it was', async () => {
    const id = await server.say('member', 'public', 'plans', 'one')
    const queue = await server.as('othello').watch('update_message')
    assert.deepEqual(
      await edit('member', id, { content: '@**Othello, the Moor of Venice**' }),
      edited,
    )
    const [event] = await queue.drain()
    assert.deepEqual(event, {
      type: 'update_message',
      user_id: ids.member,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: ['mentioned'],
      edit_timestamp: now(),
      stream_id: channels.public,
      stream_name: 'Denmark',
      orig_content: 'one',
      orig_rendered_content: '<p>one</p>',
      content: '@**Othello, the Moor of Venice**',
      rendered_content:
        '<p><span class="user-mention" data-user-id="12">@Othello, the Moor of Venice</span></p>',
      is_me_message: false,
    })
    const message = await fetched('othello', id)
    assert.equal(message.last_edit_timestamp, now())
    assert.deepEqual(message.edit_history, [
      {
        user_id: ids.member,
        timestamp: now(),
        prev_content: 'one',
        prev_rendered_content: '<p>one</p>',
      },
    ])
    assert.deepEqual(message.flags, ['mentioned'])
  })

  test('takes a mention back that is gone from it', async () => {
    const id = await server.say('member', 'public', 'plans', '@**Othello, the Moor of Venice**')
    await edit('member', id, { content: 'never mind' })
    assert.deepEqual((await fetched('othello', id)).flags, [])
  })

  test('is refused when someone else edited it meanwhile', async () => {
    const id = await server.say('member', 'public', 'plans', 'one')
    const stale = await edit('member', id, { content: 'two', prev_content_sha256: sha256('zero') })
    assert.equal(stale.code, 'EXPECTATION_MISMATCH')
    assert.equal((await fetched('member', id)).content, 'one')
    const params = { content: 'two', prev_content_sha256: sha256('one') }
    assert.deepEqual(await edit('member', id, params), edited)
  })

  const refused = failure("You don't have permission to edit this message")
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['member',   edited],
    ['owner',    refused],
    ['admin',    refused],
    ['outsider', refused],
    ['guest',    failure('Invalid message(s)')],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === edited ? 'can' : 'cannot'} edit the text of a member's message`, async () => {
      const id = await server.say('member', 'public')
      assert.deepEqual(await edit(actor, id, { content: 'changed' }), expected)
    })
  }

  test('ends with the time limit, or with the setting', async () => {
    const id = await server.say('member', 'public', 'plans', 'one')
    await withSetting('allow_message_editing', false, async () => {
      const off = failure('Your organization has turned off message editing')
      assert.deepEqual(await edit('member', id, { content: 'two' }), off)
    })
    server.clock.advance(621_000)
    const late = failure('The time limit for editing this message has passed')
    assert.deepEqual(await edit('member', id, { content: 'two' }), late)
    await withSetting('message_content_edit_limit_seconds', null, async () => {
      assert.deepEqual(await edit('member', id, { content: 'two' }), edited)
    })
  })

  test('to nothing says that the message is deleted', async () => {
    for (const content of ['', ' \n']) {
      const id = await server.say('member', 'public', 'plans', 'one')
      assert.deepEqual(await edit('member', id, { content }), edited)
      assert.equal((await fetched('member', id)).content, '(deleted)')
    }
  })

  // biome-ignore format: a table reads best in columns
  const malformed: [string, CallParams, object][] = [
    ['nothing',                {},                                   failure('Nothing to change')],
    ['text and channel',       { content: 'x', stream_id: 3 },       failure('Cannot change message content while changing channel')],
    ['a mode without a move',  { content: 'x', propagate_mode: 'change_all' }, failure('Invalid propagate_mode without topic edit')],
    ['an unknown mode',        { topic: 'x', propagate_mode: 'all' }, failure('Invalid propagate_mode')],
    ['the topic it has',       { topic: 'plans' },                   failure('Nothing to change')],
    ['a topic far too long',   { topic: 'x'.repeat(10_001) },        failure('topic is too long (limit: 10000 characters)')],
    ['an unknown channel',     { stream_id: 999 },                   failure('Invalid channel ID')],
  ]
  for (const [what, params, expected] of malformed) {
    test(`${what} is refused, and changes nothing`, async () => {
      const id = await server.say('member', 'public', 'plans', 'one')
      const queue = await server.as('member').watch('update_message')
      assert.deepEqual(await edit('member', id, params), expected)
      assert.deepEqual(await queue.drain(), [])
      assert.equal((await fetched('member', id)).content, 'one')
    })
  }
})

describe('editing text and topic in one request', () => {
  const both = { content: 'two', topic: 'both now', send_notification_to_new_thread: false }

  test('is one event and one entry in the history', async () => {
    const id = await server.say('member', 'public', 'both', 'one')
    const queue = await server.as('othello').watch('update_message')
    assert.deepEqual(await edit('member', id, both), edited)
    const events = await queue.drain()
    assert.equal(events.length, 1)
    const [event] = events
    assert.deepEqual(
      [event?.orig_content, event?.content, event?.orig_subject, event?.subject],
      ['one', 'two', 'both', 'both now'],
    )
    const entry = {
      user_id: ids.member,
      timestamp: now(),
      prev_content: 'one',
      prev_rendered_content: '<p>one</p>',
      prev_topic: 'both',
      topic: 'both now',
    }
    const message = await fetched('othello', id)
    assert.deepEqual(message.edit_history, [entry])
    assert.equal(message.last_edit_timestamp, now())
    assert.equal(message.last_moved_timestamp, now())
    const { message_history } = await server
      .as('othello')
      .get<{ message_history: object[] }>(`/messages/${id}/history`)
    const { topic, ...before } = entry
    assert.deepEqual(message_history, [
      {
        topic: 'both',
        content: 'one',
        rendered_content: '<p>one</p>',
        timestamp: now(),
        user_id: ids.member,
      },
      {
        ...before,
        topic,
        content: 'two',
        rendered_content: '<p>two</p>',
        content_html_diff:
          '<div><p><span class="highlight_text_deleted">one</span><span class="highlight_text_inserted">two</span></p></div>',
      },
    ])
  })

  test('shows the topic alone where the organization shows moves only', async () => {
    const id = await server.say('member', 'public', 'both', 'one')
    await edit('member', id, both)
    await withSetting('message_edit_history_visibility_policy', 'moves', async () => {
      const moved = { user_id: ids.member, timestamp: now(), prev_topic: 'both' }
      assert.deepEqual((await fetched('othello', id)).edit_history, [
        { ...moved, topic: 'both now' },
      ])
      const { message_history } = await server
        .as('othello')
        .get<{ message_history: object[] }>(`/messages/${id}/history`)
      const text = { content: 'two', rendered_content: '<p>two</p>' }
      assert.deepEqual(message_history, [
        { ...text, topic: 'both', timestamp: moved.timestamp, user_id: ids.member },
        { ...text, ...moved, topic: 'both now' },
      ])
    })
  })

  test('records the move alone for messages that move along, or if the text is the same', async () => {
    const first = await server.say('member', 'public', 'both along', 'one')
    const second = await server.say('member', 'public', 'both along', 'one')
    await edit('member', first, { ...both, propagate_mode: 'change_all' })
    const moved = { user_id: ids.member, timestamp: now(), topic: 'both now' }
    assert.deepEqual((await fetched('othello', second)).edit_history, [
      { ...moved, prev_topic: 'both along' },
    ])
    await edit('member', second, { ...both, content: 'one', topic: 'both again' })
    assert.deepEqual((await fetched('othello', second)).edit_history?.[0], {
      ...moved,
      prev_topic: 'both now',
      topic: 'both again',
    })
  })

  test('tells the text to nobody who may read only the messages that move along', async () => {
    const first = await server.say('member', 'private', 'both', 'secret')
    const late = await server.enroll('Late')
    const subscriptions = [{ name: 'core team' }]
    await server
      .as('member')
      .post('/users/me/subscriptions', { subscriptions, principals: [late.id] })
    const second = await server.say('member', 'private', 'both', 'open')
    const [member, latter] = await Promise.all([
      server.as('member').watch('update_message'),
      late.watch('update_message'),
    ])
    await edit('member', first, { ...both, propagate_mode: 'change_all' })
    const texts = ['content', 'orig_content', 'rendered_content', 'orig_rendered_content']
    const [whole] = await member.drain()
    const [part] = await latter.drain()
    assert.deepEqual([whole?.message_ids, part?.message_ids], [[first, second], [second]])
    for (const text of texts)
      assert.deepEqual([text in (whole ?? {}), text in (part ?? {})], [true, false])
    assert.equal(JSON.stringify(part).includes('secret'), false)
  })
})

describe('the history of a message', () => {
  test('goes from its first form to the present one', async () => {
    const id = await server.say('member', 'public', 'history', 'to be')
    server.clock.advance(1000)
    await edit('member', id, { content: 'not to be' })
    server.clock.advance(1000)
    await edit('owner', id, { topic: 'past', send_notification_to_new_thread: false })
    server.clock.advance(1000)
    await edit('owner', id, {
      stream_id: channels.shared,
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    })
    const reply = await server.as('othello').get(`/messages/${id}/history`)
    const times = [now() - 3, now() - 2, now() - 1, now()]
    assert.deepEqual(reply.message_history, [
      {
        topic: 'history',
        content: 'to be',
        rendered_content: '<p>to be</p>',
        timestamp: times[0],
        user_id: ids.member,
      },
      {
        topic: 'history',
        content: 'not to be',
        rendered_content: '<p>not to be</p>',
        timestamp: times[1],
        user_id: ids.member,
        prev_content: 'to be',
        prev_rendered_content: '<p>to be</p>',
        content_html_diff:
          '<div><p><span class="highlight_text_inserted">not </span>to be</p></div>',
      },
      {
        topic: 'past',
        prev_topic: 'history',
        content: 'not to be',
        rendered_content: '<p>not to be</p>',
        timestamp: times[2],
        user_id: ids.owner,
      },
      {
        topic: 'past',
        stream: channels.shared,
        prev_stream: channels.public,
        content: 'not to be',
        rendered_content: '<p>not to be</p>',
        timestamp: times[3],
        user_id: ids.owner,
      },
    ])
  })

  test('shows no more than the organization lets it', async () => {
    const id = await server.say('member', 'public', 'history', 'secret')
    await edit('member', id, { content: '<b>open</b>' })
    await withSetting('message_edit_history_visibility_policy', 'moves', async () => {
      const reply = await server
        .as('othello')
        .get<{ message_history: object[] }>(`/messages/${id}/history`)
      assert.equal(reply.message_history.length, 1)
      assert.equal('edit_history' in (await fetched('othello', id)), false)
    })
    await withSetting('message_edit_history_visibility_policy', 'none', async () => {
      assert.deepEqual(
        await server.as('othello').get(`/messages/${id}/history`),
        failure('Message edit history is disabled in this organization'),
      )
      assert.equal('edit_history' in (await fetched('othello', id)), false)
    })
  })

  test('is not there for whom the message is not', async () => {
    const id = await server.say('member', 'private')
    const hidden = failure('Invalid message(s)')
    assert.deepEqual(await server.as('outsider').get(`/messages/${id}/history`), hidden)
    assert.deepEqual(await server.as('outsider').get('/messages/999999/history'), hidden)
  })
})
