import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server

const taking = 1
const sending = 2
const starting = 3
const never = 4
const muted = 1
const unmuted = 2
const followed = 3

const follow = 'automatically_follow_topics_policy'
const unmute = 'automatically_unmute_topics_in_muted_streams_policy'
const whereMentioned = 'automatically_follow_topics_where_mentioned'

let topics = 0

async function set(actor: Actor, settings: CallParams): Promise<void> {
  assert.equal((await server.as(actor).patch('/settings', settings)).result, 'success')
}

async function mute(actor: Actor, is: boolean): Promise<void> {
  const change = { stream_id: channels.public, property: 'is_muted', value: is }
  const params = { subscription_data: [change] }
  const reply = await server.as(actor).post('/users/me/subscriptions/properties', params)
  assert.equal(reply.result, 'success')
}

/** Something that zoe does in a topic; returns the reply to a message that she sent. */
type Doing = (topic: string) => Promise<Record<string, unknown>>

const write: Doing = (topic) =>
  server
    .as('zoe')
    .post('/messages', { type: 'channel', to: channels.public, topic, content: 'Hi.' })
const writeFirst = write
const writeSecond: Doing = async (topic) => {
  await server.say('member', 'public', topic)
  return write(topic)
}
const react: Doing = async (topic) => {
  const id = await server.say('member', 'public', topic)
  return server.as('zoe').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
}
const vote: Doing = async (topic) => {
  const id = await server.say('member', 'public', topic, '/poll Now?\nYes')
  const content = { type: 'vote', key: 'canned,0', vote: 1 }
  return server.as('zoe').post('/submessage', { message_id: id, msg_type: 'widget', content })
}

describe('topics are followed and unmuted as the settings of who takes part say', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, Doing, number, number, boolean, number | undefined][] = [
    // what zoe does          her settings: follow, unmute; channel muted; what becomes of it
    ['starts a topic',   writeFirst,  starting, never,    false, followed],
    ['starts a topic',   writeFirst,  sending,  never,    false, followed],
    ['starts a topic',   writeFirst,  taking,   never,    false, followed],
    ['starts a topic',   writeFirst,  never,    starting, true,  unmuted],
    ['starts a topic',   writeFirst,  never,    starting, false, undefined],
    ['writes in a topic', writeSecond, starting, never,   false, undefined],
    ['writes in a topic', writeSecond, sending,  never,   false, followed],
    ['writes in a topic', writeSecond, taking,   never,   false, followed],
    ['writes in a topic', writeSecond, starting, sending, true,  unmuted],
    ['writes in a topic', writeSecond, never,    taking,  true,  unmuted],
    ['writes in a topic', writeSecond, sending,  sending, true,  followed],
    ['reacts',           react,       taking,   never,    false, followed],
    ['reacts',           react,       sending,  never,    false, undefined],
    ['reacts',           react,       starting, taking,   true,  unmuted],
    ['reacts',           react,       never,    taking,   false, undefined],
    ['reacts',           react,       never,    sending,  true,  undefined],
    ['votes',            vote,        taking,   never,    false, followed],
    ['votes',            vote,        sending,  never,    false, undefined],
    ['votes',            vote,        never,    taking,   true,  unmuted],
    ['votes',            vote,        never,    never,    true,  undefined],
  ]
  for (const [what, act, follows, unmutes, isMuted, policy] of matrix) {
    const names = ['', 'taking part', 'sending', 'starting', 'never']
    const where = isMuted ? 'a muted channel' : 'a channel'
    test(`${what} in ${where} (follow ${names[follows]}, unmute ${names[unmutes]})`, async () => {
      await set('zoe', { [follow]: follows, [unmute]: unmutes })
      await mute('zoe', isMuted)
      const queue = await server.as('zoe').watch('user_topic')
      const topic = `topic ${++topics}`
      const reply = await act(topic)
      assert.equal(reply.result, 'success')
      const event = {
        type: 'user_topic',
        stream_id: channels.public,
        topic_name: topic,
        last_updated: Math.floor(server.clock.now() / 1000),
        visibility_policy: policy,
      }
      assert.deepEqual(await queue.drain(), policy === undefined ? [] : [event])
      const isSent = act === writeFirst || act === writeSecond
      assert.equal(reply.automatic_new_visibility_policy, isSent ? policy : undefined)
    })
  }
})

describe('a topic that someone is mentioned in', () => {
  for (const wanted of [true, false]) {
    test(wanted ? 'is followed' : 'is left alone by who does not want that', async () => {
      await set('othello', { [whereMentioned]: wanted, [follow]: never })
      const queue = await server.as('othello').watch('user_topic')
      const topic = `topic ${++topics}`
      await server.say('member', 'public', topic, '@_**Othello, the Moor of Venice**')
      assert.deepEqual(await queue.drain(), [], 'a silent mention is none')
      await server.say('member', 'public', topic, 'Hello @**Othello, the Moor of Venice**!')
      const policies = (await queue.drain()).map((event) => event.visibility_policy)
      assert.deepEqual(policies, wanted ? [followed] : [])
    })
  }

  test('is not followed by one who only mentions themselves', async () => {
    await set('zoe', { [follow]: never, [unmute]: never, [whereMentioned]: true })
    const queue = await server.as('zoe').watch('user_topic')
    await server.say('zoe', 'public', `topic ${++topics}`, `@**|${ids.zoe}**`)
    assert.deepEqual(await queue.drain(), [])
    await server.say('member', 'public', `topic ${topics}`, `@**|${ids.zoe}**`)
    assert.equal((await queue.drain()).length, 1)
  })

  test('by an edit is followed too, unless they were mentioned before', async () => {
    await set('othello', { [whereMentioned]: true })
    const queue = await server.as('othello').watch('user_topic')
    const topic = `topic ${++topics}`
    const id = await server.say('member', 'public', topic)
    const edit = (content: string) => server.as('member').patch(`/messages/${id}`, { content })
    await edit('@**Othello, the Moor of Venice**')
    assert.deepEqual(
      (await queue.drain()).map((event) => event.visibility_policy),
      [followed],
    )
    const none = { stream_id: channels.public, topic, visibility_policy: 0 }
    await server.as('othello').post('/user_topics', none)
    await queue.drain()
    await edit('@**Othello, the Moor of Venice** again')
    assert.deepEqual(await queue.drain(), [], 'who let it go is left alone')
  })

  test('is followed by the members of a mentioned group, also by an edit', async () => {
    await set('othello', { [whereMentioned]: true })
    const group = { name: 'mentioned people', description: '', members: [ids.othello] }
    const made = await server.as('owner').post('/user_groups/create', group)
    assert.equal(made.result, 'success', made.msg)
    const queue = await server.as('othello').watch('user_topic')
    const policiesOf = async () => (await queue.drain()).map((event) => event.visibility_policy)
    await server.say('owner', 'public', `topic ${++topics}`, '@*mentioned people*')
    assert.deepEqual(await policiesOf(), [followed])
    const id = await server.say('owner', 'public', `topic ${++topics}`)
    await server.as('owner').patch(`/messages/${id}`, { content: '@*mentioned people*' })
    assert.deepEqual(await policiesOf(), [followed])
    await server.as('owner').patch(`/messages/${id}`, { content: '@_*mentioned people*' })
    await server.say('owner', 'public', `topic ${++topics}`, '@_*mentioned people*')
    assert.deepEqual(await policiesOf(), [], 'a silent mention is none')
  })

  test('is followed before the message comes, by who sends it as well', async () => {
    await set('othello', { [whereMentioned]: true })
    await set('zoe', { [follow]: sending })
    const params = { event_types: ['message', 'user_topic'] }
    const queues = [
      await server.as('othello').watchWith(params),
      await server.as('zoe').watchWith(params),
    ]
    await server.say('zoe', 'public', `topic ${++topics}`, `@**|${ids.othello}**`)
    for (const queue of queues) {
      const types = (await queue.drain()).map(({ type }) => type)
      assert.deepEqual(types, ['user_topic', 'message'])
    }
  })

  test('is not followed by who is not subscribed', async () => {
    await set('cordelia', { [whereMentioned]: true })
    const queue = await server.as('cordelia').watch('user_topic')
    const mention = `@**Cordelia, Lear's daughter|${ids.cordelia}**`
    await server.say('member', 'public', `topic ${++topics}`, mention)
    assert.deepEqual(await queue.drain(), [])
    await server.say('member', 'shared', `topic ${topics}`, mention)
    assert.equal((await queue.drain()).length, 1)
  })
})

test('a policy is never made weaker, and a muted topic is raised', async () => {
  await set('prospero', { [follow]: never, [unmute]: sending })
  await mute('prospero', true)
  const params = { stream_id: channels.public, topic: 'ladder', visibility_policy: followed }
  assert.deepEqual(await server.as('prospero').post('/user_topics', params), success)
  const message = { type: 'channel', to: channels.public, topic: 'ladder', content: 'Up.' }
  const kept = await server.as('prospero').post('/messages', message)
  assert.equal(kept.automatic_new_visibility_policy, undefined)
  await server.as('prospero').post('/user_topics', { ...params, visibility_policy: muted })
  const raised = await server.as('prospero').post('/messages', message)
  assert.equal(raised.automatic_new_visibility_policy, unmuted)
})

test('a bot follows nothing', async () => {
  const message = { type: 'channel', to: channels.shared, topic: 'botany', content: 'Beep.' }
  const reply = await server.as('bot').post<{ id: number }>('/messages', message)
  assert.deepEqual(reply, { ...success, id: reply.id })
})
