import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const owner = server.as('owner')
const limits = () => owner.post('/register', { event_types: ['realm'] })

let made = 0

/** The ID of a new channel of the owner's, with these creation parameters. */
async function create(params: CallParams = {}): Promise<number> {
  made += 1
  const asked = { name: `made ${made}`, subscribers: [server.ids.owner], ...params }
  return (await owner.post<{ id: number }>('/channels/create', asked)).id
}

describe('Subscribe to a channel', () => {
  const subscribe = (channel: object) =>
    server.as('member').post('/users/me/subscriptions', { subscriptions: [channel] })

  test('`name` has at most `max_stream_name_length` characters', async () => {
    const most = Number((await limits()).max_stream_name_length)
    assert.equal((await subscribe({ name: 'a'.repeat(most + 1) })).code, 'BAD_REQUEST')
    assert.equal((await subscribe({ name: 'a'.repeat(most) })).result, 'success')
  })

  test('`description` has at most `max_stream_description_length` characters', async () => {
    const most = Number((await limits()).max_stream_description_length)
    const described = (length: number) =>
      subscribe({ name: 'described', description: 'd'.repeat(length) })
    assert.equal((await described(most + 1)).code, 'BAD_REQUEST')
    assert.equal((await described(most)).result, 'success')
  })

  test('members of `can_delete_any_message_group` with content access may delete any message of the channel', async () => {
    const { cordelia, outsider, owner: sender } = server.ids
    const id = await create({
      invite_only: true,
      can_delete_any_message_group: {
        direct_members: [cordelia, outsider],
        direct_subgroups: [],
      },
      subscribers: [cordelia, sender],
    })
    const say = async () =>
      (await owner.post('/messages', { type: 'channel', to: id, topic: 'x', content: 'x' })).id
    const [one, two] = [await say(), await say()]
    assert.deepEqual(await server.as('cordelia').del(`/messages/${one}`), success)
    assert.deepEqual(
      await server.as('outsider').del(`/messages/${two}`),
      failure('Invalid message(s)'),
    )
  })
})

test('Get events from an event queue: `event_queue_longpoll_timeout_seconds` exceeds the heartbeat interval', async () => {
  const timeout = Number((await limits()).event_queue_longpoll_timeout_seconds)
  assert.ok(timeout > server.server.context.config.heartbeatSeconds)
})

test('Topic deletion progress: deleting every message in a topic removes the topic', async () => {
  const id = await create()
  const topics = async () =>
    (await owner.get<{ topics: { name: string }[] }>(`/users/me/${id}/topics`)).topics.map(
      ({ name }) => name,
    )
  const sent = await owner.post('/messages', {
    type: 'channel',
    to: id,
    topic: 'one',
    content: 'Hello.',
  })
  assert.ok((await topics()).includes('one'))
  assert.deepEqual(await owner.del(`/messages/${sent.id}`), success)
  assert.ok(!(await topics()).includes('one'))
})
