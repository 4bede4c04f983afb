import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { findUser } from '#features/foundation/users/queries.ts'
import { getEditHistory } from '#features/messaging/messages/edit-history/routes.ts'
import { updateFlagsForNarrow } from '#features/messaging/messages/flags/routes.ts'
import { getMessages, matchesNarrow } from '#features/messaging/messages/history/routes.ts'
import { createCaller, noCredential } from '#platform/http/caller.ts'
import { decode } from '#platform/http/decode.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Steps } from '#platform/steps.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { context } = server.server
const member = server.ids.member

// The page ends with what anyone reads, so that the secret has been read when it pauses last.
const secret = await server.say('owner', 'private', 'plans', 'The word is secret.')
const open: number[] = []
for (let i = 0; i < 101; i++) open.push(await server.say('owner', 'public', 'plans', 'A word.'))

const subscriptions = ['core team']
const subscribe = () =>
  server.as('owner').post('/users/me/subscriptions', {
    subscriptions: subscriptions.map((name) => ({ name })),
    principals: [member],
    send_new_subscription_messages: false,
  })
const unsubscribe = () =>
  server.as('owner').del('/users/me/subscriptions', { subscriptions, principals: [member] })

/** Runs an endpoint for the member, who loses the private channel at the pause number `at`. */
async function interrupted(endpoint: Endpoint, params: CallParams, at: number) {
  const user = findUser(context.store, member)
  assert.ok(user)
  const caller = createCaller(context, user, 'test', noCredential(context, user))
  const raw = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const values = decode(endpoint.params, new Map(raw))
  const steps = endpoint.run(
    caller as never,
    values as never,
    { server: context, store: context.store } as never,
  ) as Steps<unknown>
  for (let pause = 0; ; pause++) {
    const { done, value } = steps.next()
    if (done) return { wasInterrupted: pause > at, reply: JSON.stringify(await value) }
    if (pause === at) assert.equal((await unsubscribe()).result, 'success')
  }
}

describe('who loses a channel while a request pauses gets nothing more of it', () => {
  const narrow = [{ operator: 'search', operand: 'word' }]
  const window = { anchor: 'newest', num_before: 200, num_after: 0 }
  const msg_ids = [secret, ...open]
  const flags = { ...window, op: 'add', flag: 'starred' }
  const rows: [title: string, Endpoint, CallParams, withIt: RegExp][] = [
    ['a page', getMessages, window, /secret/],
    ['a search', getMessages, { ...window, narrow }, /secret/],
    ['a page around it', getMessages, { ...window, anchor: secret, num_after: 200 }, /secret/],
    ['messages by id', getMessages, { message_ids: msg_ids }, /secret/],
    ['those that match', matchesNarrow, { msg_ids, narrow }, /secret/],
    ['flags', updateFlagsForNarrow, { ...flags, narrow }, /"processed_count":102/],
  ]
  for (const [title, endpoint, params, withIt] of rows) {
    test(title, async () => {
      let pauses = 0
      for (; ; pauses++) {
        assert.equal((await subscribe()).result, 'success')
        const { wasInterrupted, reply } = await interrupted(endpoint, params, pauses)
        if (!wasInterrupted) {
          assert.match(reply, withIt)
          break
        }
        assert.doesNotMatch(reply, withIt)
        assert.doesNotMatch(reply, new RegExp(`"anchor":${secret},"found_anchor":true`))
      }
      assert.ok(pauses > 0, 'nothing paused')
    })
  }

  test('the versions of a message, which pause after each comparison', async () => {
    const edit = (content: string) => server.as('owner').patch(`/messages/${secret}`, { content })
    for (const content of ['One secret.', 'Two secrets.', 'The word is secret.'])
      await edit(content)
    const params = { message_id: String(secret) }
    assert.equal((await subscribe()).result, 'success')
    const { reply } = await interrupted(getEditHistory, params, 100)
    assert.match(reply, /Two secrets/)
    for (const pause of [0, 1, 2]) {
      assert.equal((await subscribe()).result, 'success')
      await assert.rejects(interrupted(getEditHistory, params, pause), /Invalid message/)
    }
  })
})
