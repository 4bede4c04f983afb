import assert from 'node:assert/strict'
import type { TestServer, Watch } from './server.ts'

/** Gives the member something of everything that `POST /register` lists. */
export async function fillUp(server: TestServer): Promise<void> {
  const hamlet = server.as('member')
  const direct = await server.say('owner', ['member'], '', 'Have you seen this?')
  await server.say('owner', ['member', 'cordelia'], '', 'To both of you.')
  const plan = await server.say('owner', 'shared', 'plans', 'Dear @**King Hamlet**, look.')
  const calls = [
    hamlet.post('/messages/flags', { messages: [direct, plan], op: 'add', flag: 'starred' }),
    hamlet.post('/users/me/alert_words', { alert_words: ['deadline'] }),
    hamlet.post('/user_topics', { stream_id: 3, topic: 'plans', visibility_policy: 1 }),
    hamlet.post('/users/me/muted_users/6'),
    hamlet.post('/drafts', {
      drafts: [{ type: 'stream', to: [3], topic: 'plans', content: 'Not yet' }],
    }),
    hamlet.post('/saved_snippets', { title: 'Thanks', content: 'Thank you!' }),
    hamlet.post('/navigation_views', { fragment: 'inbox', is_pinned: true }),
    hamlet.post('/users/me/presence', { status: 'active' }),
    server.as('owner').post('/users/me/presence', { status: 'active' }),
  ]
  for (const reply of await Promise.all(calls)) assert.equal(reply.result, 'success', reply.msg)
}

/** Members that the fixture or `fillUp` has put something into. */
const filled = `alert_words channel_folders cross_realm_bots custom_profile_fields drafts
  muted_topics muted_users navigation_views never_subscribed presences realm_default_streams
  realm_emoji realm_user_groups realm_users recent_private_conversations saved_snippets
  starred_messages streams subscriptions user_topics`.split(/\s+/)

/** An empty list would fit every shape: none of these may be empty where it is present. */
export function requireFilled(state: Watch['state']): void {
  for (const name of filled) {
    const value = state[name]
    if (value !== undefined) assert.notDeepEqual(Object.keys(value as object), [], name)
  }
}
