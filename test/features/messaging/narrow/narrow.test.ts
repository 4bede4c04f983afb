import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Actor, startServer, type Watch } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context
/** Channels of the fixture that the member is not subscribed to: public, and by someone else. */
const scotland = 6

type Filter = [operator: string, operand: unknown] | Record<string, unknown>
type Narrow = readonly Filter[]

const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true })

/** What was sent, oldest first, under a name for each. */
const sent = new Map<string, number>()
const names = (messages: readonly { id: number }[]) => messages.map(({ id }) => nameOf(id))
const nameOf = (id: number) => [...sent].find(([, sentId]) => sentId === id)?.[0] ?? `unknown ${id}`

async function say(
  name: string,
  ...[actor, to, topic, content]: Parameters<typeof server.say>
): Promise<void> {
  sent.set(name, await server.say(actor, to, topic, content))
}

async function read(actor: Actor, narrow: unknown): Promise<string[] | object> {
  const reply = await server.as(actor).get<{ messages: { id: number }[] }>('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow,
  })
  return reply.result === 'success' ? names(reply.messages) : reply
}

/** In the member's own history, oldest first; the other names are of messages that are not. */
const channelOnes = 'plans link mention wildcard noTopic resolved followed muted secret own'.split(
  ' ',
)
const directOnes = 'fromAdmin group self toAdmin'.split(' ')
const all = [...channelOnes, ...directOnes]
const except = (...some: string[]) => all.filter((name) => !some.includes(name))

/** Narrows that history and a queue registered beforehand must answer alike. */
// biome-ignore format: a table reads best in rows
const rows: [title: string, narrow: Narrow, expected: readonly string[]][] = [
  ['nothing: the combined feed', [], all],
  ['channel by name', [['channel', 'Verona']], ['plans', 'link', 'wildcard', 'noTopic', 'own']],
  ['channel by name in other letters', [['channel', 'dENMARK']], ['mention', 'resolved', 'followed', 'muted']],
  ['channel by id', [['channel', channels.private]], ['secret']],
  ['channel by id in a text', [['channel', String(channels.private)]], ['secret']],
  ['stream, its old name', [['stream', 'Verona'], ['topic', 'plans']], ['plans', 'link', 'own']],
  ['not a channel', [not('channel', 'Verona')], ['mention', 'resolved', 'followed', 'muted', 'secret', ...directOnes]],
  ['two channels at once', [['channel', 'Verona'], ['channel', 'Denmark']], []],
  ['not public channels', [not('channels', 'public')], ['secret', ...directOnes]],
  ['not streams, their old name', [not('streams', 'public')], ['secret', ...directOnes]],
  ['archived channels', [['channels', 'archived']], []],
  ['topic', [['topic', 'plans']], ['plans', 'link', 'own']],
  ['topic in other letters', [['topic', 'PLANS']], ['plans', 'link', 'own']],
  ['subject, its old name', [['subject', 'plans']], ['plans', 'link', 'own']],
  ['not a topic', [['channel', 'Verona'], not('topic', 'plans')], ['wildcard', 'noTopic']],
  ['the empty topic', [['topic', '']], ['noTopic']],
  ['the empty topic by its display name', [['topic', 'general chat']], ['noTopic']],
  ['the empty topic by its oldest name', [['topic', '(no topic)']], ['noTopic']],
  ['a topic that is not there', [['topic', 'nothing']], []],
  ['dm by id', [['dm', [ids.admin]]], ['fromAdmin', 'toAdmin']],
  ['dm by one id', [['dm', ids.admin]], ['fromAdmin', 'toAdmin']],
  ['dm that names the reader too', [['dm', [ids.member, ids.admin]]], ['fromAdmin', 'toAdmin']],
  ['pm-with, its old name, by addresses', [['pm-with', 'user11@zulipdev.com, user9@zulipdev.com']], ['group']],
  ['dm by a list of addresses', [['dm', ['user11@zulipdev.com', 'USER9@zulipdev.com']]], ['group']],
  ['dm with oneself', [['dm', [ids.member]]], ['self']],
  ['dm that never was', [['dm', [ids.zoe]]], []],
  ['not a dm', [['is', 'dm'], not('dm', [ids.admin])], ['group', 'self']],
  ['dm-including', [['dm-including', ids.owner]], ['group']],
  ['dm-including several', [['dm-including', [ids.admin, ids.owner]]], ['group']],
  ['pm-including, its old name', [['pm-including', ids.admin]], ['fromAdmin', 'group', 'toAdmin']],
  ['dm-including oneself', [['dm-including', ids.member]], directOnes],
  ['group-pm-with leaves out pairs', [['group-pm-with', ids.admin]], ['group']],
  ['not dm-including', [['is', 'dm'], not('dm-including', ids.owner)], ['fromAdmin', 'self', 'toAdmin']],
  ['sender by id', [['sender', ids.owner]], ['wildcard', 'resolved', 'secret', 'group']],
  ['from, its old name, by address', [['from', 'user9@zulipdev.com']], ['wildcard', 'resolved', 'secret', 'group']],
  ['sender in a channel', [['channel', 'Verona'], ['sender', ids.owner]], ['wildcard']],
  ['not a sender', [['is', 'dm'], not('sender', ids.admin)], ['group', 'self', 'toAdmin']],
  ['near shows everything', [['near', 3]], all],
  ['near by digits', [['near', '3']], all],
  ['is:dm', [['is', 'dm']], directOnes],
  ['is:private, its old name', [['is', 'private']], directOnes],
  ['not is:dm', [not('is', 'dm')], channelOnes],
  ['is:mentioned, by wildcards too', [['is', 'mentioned']], ['mention', 'wildcard']],
  ['not is:mentioned', [['channel', 'Verona'], not('is', 'mentioned')], ['plans', 'link', 'noTopic', 'own']],
  ['is:alerted', [['is', 'alerted']], ['link', 'group']],
  ['is:unread', [['is', 'unread']], except('own', 'self', 'toAdmin')],
  ['not is:unread', [not('is', 'unread')], ['own', 'self', 'toAdmin']],
  ['is:unread in a topic', [['topic', 'plans'], ['is', 'unread']], ['plans', 'link']],
  ['is:unread in a dm', [['is', 'dm'], ['is', 'unread']], ['fromAdmin', 'group']],
  ['is:followed, since a mention too', [['is', 'followed']], ['mention', 'followed']],
  ['not is:followed', [not('is', 'followed')], except('mention', 'followed')],
  ['is:muted', [['is', 'muted']], ['muted', 'secret']],
  ['not is:muted', [not('is', 'muted')], except('muted', 'secret')],
  ['in:home', [['in', 'home']], except('muted', 'secret')],
  ['not in:home', [not('in', 'home')], ['muted', 'secret']],
  ['in:home in a channel', [['in', 'home'], ['channel', 'Denmark']], ['mention', 'resolved', 'followed']],
  ['in:all', [['in', 'all']], except()],
  ['not in:all', [not('in', 'all')], []],
  ['is:resolved', [['is', 'resolved']], ['resolved']],
  ['not is:resolved', [['channel', 'Denmark'], not('is', 'resolved')], ['mention', 'followed', 'muted']],
  ['has:link', [['has', 'link']], ['link']],
  ['not has:link', [['topic', 'plans'], not('has', 'link')], ['plans', 'own']],
  ['search', [['search', 'bananas']], ['link', 'group']],
  ['search in topics', [['search', 'cake']], ['followed']],
  ['search for all words', [['search', 'yellow banana']], ['group']],
  ['not search', [['is', 'dm'], not('search', 'banana')], ['fromAdmin', 'self', 'toAdmin']],
  ['search in a channel', [['channel', 'Verona'], ['search', 'banana']], ['link']],
  ['two searches', [['search', 'yellow'], ['search', 'banana']], ['group']],
  ['both forms in one narrow', [['channel', 'Verona'], { operator: 'topic', operand: 'plans', negated: false }], ['plans', 'link', 'own']],
  ['an object with more members', [{ operator: 'is', operand: 'dm', extra: 1 }], directOnes],
]

describe('history and live events agree on', () => {
  const queues = new Map<string, Watch>()
  before(async () => {
    const hamlet = server.as('member')
    const calls = [
      hamlet.post('/users/me/alert_words', { alert_words: ['banana', 'bananas'] }),
      hamlet.post('/user_topics', {
        stream_id: channels.public,
        topic: 'cake',
        visibility_policy: 3,
      }),
      hamlet.post('/user_topics', {
        stream_id: channels.public,
        topic: 'noise',
        visibility_policy: 1,
      }),
      hamlet.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channels.private, property: 'is_muted', value: true }],
      }),
    ]
    for (const reply of await Promise.all(calls)) assert.equal(reply.result, 'success', reply.msg)
    for (const [title, narrow] of rows) {
      queues.set(title, await hamlet.watchWith({ event_types: ['message'], narrow }))
    }
    await say('plans', 'admin', 'shared', 'plans', 'Let us plan.')
    await say('link', 'admin', 'shared', 'Plans', 'banana: https://example.com/')
    await say('mention', 'admin', 'public', 'people', 'Dear @**King Hamlet**!')
    await say('wildcard', 'owner', 'shared', 'people', 'Dear @**all**!')
    await say('noTopic', 'admin', 'shared', '', 'About nothing.')
    await say('resolved', 'owner', 'public', '✔ people', 'Done.')
    await say('followed', 'admin', 'public', 'cake', 'With cream.')
    await say('muted', 'admin', 'public', 'noise', 'Loud.')
    await say('secret', 'owner', 'private', 'plans for us', 'Nobody knows.')
    await say('own', 'member', 'shared', 'plans', 'I have one too.')
    await say('fromAdmin', 'admin', ['member'], '', 'For you.')
    await say('group', 'owner', ['member', 'admin'], '', 'A yellow banana.')
    await say('self', 'member', ['member'], '', 'Note to myself.')
    await say('toAdmin', 'member', ['admin'], '', 'For you, too.')
    await say('elsewhere', 'zoe', 'webPublic', 'plans', 'A banana in Rome.')
    await say('others', 'admin', ['owner'], '', 'A banana between us.')
    // What people send through an API client stays unread for them unless they say otherwise.
    const own = ['own', 'self', 'toAdmin'].map((name) => sent.get(name))
    await hamlet.post('/messages/flags', { messages: own, op: 'add', flag: 'read' })
  })

  for (const [title, narrow, expected] of rows) {
    test(title, async () => {
      assert.deepEqual(await read('member', narrow), expected)
      const events = ((await queues.get(title)?.drain()) ?? []).map(
        ({ message }) => message as { id: number },
      )
      const live = names(events)
      // A queue sees what is unread while it comes in, not what was read since.
      const unreadLater = title.includes('unread') ? ['own', 'self', 'toAdmin'] : []
      assert.deepEqual(
        live.filter((name) => !unreadLater.includes(name)),
        expected.filter((name) => !unreadLater.includes(name)),
      )
    })
  }

  test('nobody else finds what is not theirs', async () => {
    assert.deepEqual(await read('prospero', [['search', 'banana']]), ['link'])
    assert.deepEqual(await read('guest', [['search', 'banana']]), ['link'])
    assert.deepEqual(await read('owner', [['search', 'banana']]), ['link', 'group', 'others'])
  })

  test('guests find in public channels what is theirs, and what is public on the web', async () => {
    const narrow = [['channels', 'public']] as const
    const shared = ['plans', 'link', 'wildcard', 'noTopic', 'own']
    const open = ['mention', 'resolved', 'followed', 'muted']
    const order = (some: string[]) => [...sent.keys()].filter((name) => some.includes(name))
    assert.deepEqual(await read('guest', narrow), order([...shared, 'elsewhere']))
    assert.deepEqual(await read('outsider', narrow), order([...shared, ...open, 'elsewhere']))
  })
})

describe('history beyond the own', () => {
  before(async () => {
    const response = await server.as('admin').post<{ id: number }>('/messages', {
      type: 'channel',
      to: scotland,
      topic: 'kilts',
      content: 'Tartan',
    })
    sent.set('kilt', response.id)
    const hamlet = server.as('member')
    const starred = ['plans', 'kilt'].map((name) => sent.get(name))
    await hamlet.post('/messages/flags', { messages: starred, op: 'add', flag: 'starred' })
    for (const name of ['group', 'kilt']) {
      await hamlet.post(`/messages/${sent.get(name)}/reactions`, { emoji_name: 'octopus' })
    }
    await store.write((tx) => {
      const set = (column: string, name: string) =>
        tx.db.$client.prepare(`UPDATE messages SET ${column} = 1 WHERE id = ?`).run(sent.get(name))
      set('has_image', 'secret')
      set('has_attachment', 'self')
      set('has_attachment', 'elsewhere')
    })
  })

  const kilt = () => sent.get('kilt')
  // biome-ignore format: a table reads best in rows
  const cases: [title: string, narrow: () => Narrow, expected: readonly string[]][] = [
    ['a public channel without a subscription', () => [['channel', scotland]], ['kilt']],
    ['its topic', () => [['channel', scotland], ['topic', 'kilts']], ['kilt']],
    ['all public channels', () => [['channels', 'public'], ['search', 'tartan']], ['kilt']],
    ['web-public channels', () => [['channels', 'web-public']], ['elsewhere']],
    ['a topic without its channel is the own history', () => [['topic', 'kilts']], []],
    ['so is a search', () => [['search', 'tartan']], []],
    ['starred, in whatever may be read', () => [['is', 'starred']], ['plans', 'kilt']],
    ['not starred', () => [['topic', 'plans'], not('is', 'starred')], ['link', 'own']],
    ['has:reaction', () => [['has', 'reaction']], ['group']],
    ['has:reaction in a channel', () => [['channel', scotland], ['has', 'reaction']], ['kilt']],
    ['not has:reaction', () => [['is', 'dm'], not('has', 'reaction')], ['fromAdmin', 'self', 'toAdmin']],
    ['has:image', () => [['has', 'image']], ['secret']],
    ['has:attachment', () => [['has', 'attachment']], ['self']],
    ['not has:attachment', () => [['is', 'dm'], not('has', 'attachment')], ['fromAdmin', 'group', 'toAdmin']],
    ['id', () => [['id', sent.get('muted')]], ['muted']],
    ['id by digits', () => [['id', String(sent.get('muted'))]], ['muted']],
    ['id outside the own history', () => [['id', kilt()]], []],
    ['id with its channel', () => [['channel', scotland], ['id', kilt()]], ['kilt']],
    ['not an id', () => [['topic', 'plans'], not('id', sent.get('plans'))], ['link', 'own']],
    ['with: the conversation of a message', () => [['with', sent.get('link')]], ['plans', 'link', 'own']],
    ['with by digits', () => [['with', String(sent.get('kilt'))]], ['kilt']],
    ['with replaces the conversation', () => [['channel', 'Denmark'], ['topic', 'x'], ['with', sent.get('link')]], ['plans', 'link', 'own']],
    ['with and other filters', () => [['with', sent.get('link')], ['sender', ids.admin]], ['plans', 'link']],
    ['with a direct message', () => [['with', sent.get('toAdmin')]], ['fromAdmin', 'toAdmin']],
    ['with replaces dm too', () => [['dm', [ids.owner]], ['with', sent.get('self')]], ['self']],
    ['with nothing falls back to a topic', () => [['channel', 'Denmark'], ['topic', 'cake'], ['with', 9999]], ['followed']],
    ['with nothing falls back to a dm', () => [['dm', [ids.admin]], ['with', 9999]], ['fromAdmin', 'toAdmin']],
    ['with what is hidden falls back too', () => [['dm', [ids.admin]], ['with', sent.get('others')]], ['fromAdmin', 'toAdmin']],
  ]
  for (const [title, narrow, expected] of cases) {
    test(title, async () => assert.deepEqual(await read('member', narrow()), expected))
  }

  test('a moved message is found in its new place, and with follows it', async () => {
    const id = await server.say('admin', 'shared', 'before', 'I wander.')
    sent.set('wanderer', id)
    await server
      .as('admin')
      .patch(`/messages/${id}`, { topic: 'after', send_notification_to_new_thread: false })
    assert.deepEqual(
      await read('member', [
        ['channel', 'Verona'],
        ['topic', 'before'],
      ]),
      [],
    )
    assert.deepEqual(
      await read('member', [
        ['channel', 'Verona'],
        ['topic', 'after'],
      ]),
      ['wanderer'],
    )
    const followed = [
      ['channel', 'Verona'],
      ['topic', 'before'],
      ['with', id],
    ]
    assert.deepEqual(await read('member', followed), ['wanderer'])
    sent.delete('wanderer')
  })
})
