import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { fillUp, requireFilled } from '#test/support/filled.ts'
import { startServer } from '#test/support/server.ts'
import { misfits } from '#test/support/shapes.ts'
import { flutterMembers, oldMobileMembers, terminalMembers } from './members.ts'

const server = await startServer()
after(server.close)

await fillUp(server)

describe('zulip-flutter', () => {
  const asked = {
    idle_queue_timeout: '"mobile"',
    apply_markdown: true,
    client_gravatar: false,
    slim_presence: true,
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      include_deactivated_groups: true,
      empty_topic_name: true,
      individual_emoji_changes: true,
    },
  }

  test('gets everything that it needs to get past its loading screen', async () => {
    const { state } = await server.as('member').watchWith(asked)
    assert.deepEqual(misfits(state, flutterMembers), [])
    requireFilled(state)
  })

  test('finds itself among the users, and every subscription among the channels', async () => {
    const { state } = await server.as('member').watchWith(asked)
    const users = state.realm_users as { user_id: number }[]
    assert.ok(users.some((user) => user.user_id === server.ids.member))
    const known = new Set((state.streams as { stream_id: number }[]).map((s) => s.stream_id))
    for (const { stream_id } of state.subscriptions as { stream_id: number }[]) {
      assert.ok(known.has(stream_id), `channel ${stream_id}`)
    }
  })

  test('accepts the server, and shows no banner about an old server', async () => {
    const { state } = await server.as('member').watchWith(asked)
    assert.ok((state.zulip_feature_level as number) >= 371)
  })

  test('fetches the names of emoji without credentials', async () => {
    const { state } = await server.as('member').watchWith(asked)
    const reply = await fetch(new URL(state.server_emoji_data_url as string, server.url))
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('content-type'), 'application/json')
    const data = await reply.json()
    assert.deepEqual(misfits(data, { code_to_names: { '*': ['str'] } }), [])
    const { code_to_names: names } = data as { code_to_names: Record<string, string[]> }
    assert.equal(names['1f600']?.[0], 'grinning')
    const tag = reply.headers.get('etag') ?? ''
    const again = await fetch(reply.url, { headers: { 'If-None-Match': tag } })
    assert.equal(again.status, 304)
  })
})

describe('zulip-terminal', () => {
  test('gets everything without which it would exit', async () => {
    const { state } = await server.as('member').watchWith({
      event_types: [
        'message',
        'update_message',
        'reaction',
        'submessage',
        'subscription',
        'typing',
        'update_message_flags',
        'user_settings',
        'realm_emoji',
        'realm_user',
      ],
      fetch_event_types: [
        'realm',
        'presence',
        'subscription',
        'message',
        'starred_messages',
        'update_message_flags',
        'muted_topics',
        'realm_user',
        'realm_user_groups',
        'user_settings',
        'realm_emoji',
        'custom_profile_fields',
        'zulip_version',
      ],
      client_gravatar: true,
      apply_markdown: true,
      include_subscribers: true,
      narrow: [],
    })
    assert.deepEqual(misfits(state, terminalMembers), [])
    requireFilled(state)
    assert.equal(state.user_id, server.ids.member)
    const [muted] = state.muted_topics as unknown[][]
    assert.deepEqual(muted?.slice(0, 2), ['Verona', 'plans'])
  })
})

describe('the JavaScript client', () => {
  /** It sends multipart forms, with lists as JSON. */
  async function register(fields: Record<string, string>) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const email = 'hamlet@zulip.com'
    const basic = Buffer.from(`${email}:${fixtureApiKey(email)}`).toString('base64')
    const reply = await fetch(`${server.url}/api/v1/register`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: form,
    })
    assert.equal(reply.status, 200)
    return (await reply.json()) as Record<string, unknown>
  }

  test('registers for messages and gets the state of messages', async () => {
    const state = await register({ event_types: '["message"]' })
    assert.deepEqual(misfits(state, { queue_id: 'str', last_event_id: '=-1' }), [])
    assert.equal(state.max_message_id, 3)
    assert.ok(!('realm_name' in state))
  })

  test('gets everything when it sends the string "null" for its types', async () => {
    const state = await register({ event_types: 'null' })
    assert.equal(state.realm_name, 'Zulip Dev')
    requireFilled(state)
  })
})

describe('the retired mobile app', () => {
  test('gets everything that it reads', async () => {
    const { state } = await server.as('member').watchWith({
      apply_markdown: true,
      client_gravatar: true,
      include_subscribers: false,
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: true,
        user_settings_object: true,
      },
      fetch_event_types: [
        'alert_words',
        'custom_profile_fields',
        'message',
        'muted_topics',
        'muted_users',
        'presence',
        'realm',
        'realm_emoji',
        'realm_filters',
        'realm_linkifiers',
        'realm_user',
        'realm_user_groups',
        'recent_private_conversations',
        'stream',
        'subscription',
        'update_display_settings',
        'update_global_notifications',
        'update_message_flags',
        'user_settings',
        'user_status',
        'user_topic',
        'zulip_version',
      ],
    })
    assert.deepEqual(misfits(state, oldMobileMembers), [])
    requireFilled(state)
    assert.ok(!('muted_topics' in state), 'it asked for user_topic, which replaces muted_topics')
  })
})
