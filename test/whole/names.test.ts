import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { updateChannel } from '#features/foundation/channels/queries.ts'
import { updateUser } from '#features/foundation/users/queries.ts'
import { listMigrations } from '#platform/store/migrations.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const { ids } = server
const owner = server.as('owner')
const digest = digestOf(server)

type Reply = { readonly result: string; readonly msg: string }

/** The ways to give a name. What is refused says what it is called. */
const kinds: Readonly<Record<string, (name: string) => Promise<Reply>>> = {
  'a person’s name': (full_name) => owner.patch(`/users/${ids.zoe}`, { full_name }),
  'one’s own name': (full_name) => server.as('zoe').patch('/settings', { full_name }),
  'a new account': (full_name) =>
    owner.post('/users', { email: `p${++made}@new.example`, password: 'long enough', full_name }),
  'a bot': (full_name) => owner.post('/bots', { full_name, short_name: `bot-${++made}` }),
  'a channel': (name) => owner.post('/channels/create', { name, subscribers: [ids.owner] }),
  'a channel to subscribe to': (name) =>
    owner.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
  'a new name of a channel': (new_name) => owner.patch('/streams/3', { new_name }),
  'a channel folder': (name) => owner.post('/channel_folders/create', { name, description: '' }),
  'a user group': (name) =>
    owner.post('/user_groups/create', { name, description: '', members: [] }),
  'a profile field': (name) => owner.post('/realm/profile_fields', { name, field_type: 1 }),
  'the topic of a message': (topic) =>
    owner.post('/messages', { type: 'channel', to: 3, topic, content: 'hello' }),
  'the topic of a policy': (topic) =>
    owner.post('/user_topics', { stream_id: 3, topic, visibility_policy: 2 }),
}
let made = 0

describe('what cannot be seen, or turns, is named in the refusal, which changes nothing', () => {
  for (const [kind, give] of Object.entries(kinds)) {
    test(kind, async () => {
      for (const character of [
        '\u200b',
        '\u2060',
        '\u00ad',
        '\u202e',
        '\u200d',
        '\ufe0f',
        '\u{e0041}',
      ]) {
        const before = digest()
        const { result, msg } = await give(`Ia${character}go`)
        const number = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
        assert.equal(result, 'error')
        assert.match(msg, new RegExp(`U\\+${number}\\b`))
        assert.match(msg, /position 3\b/)
        assert.equal(digest(), before)
      }
      const before = digest()
      assert.match((await give('\u2800')).msg, /no visible character/)
      assert.match((await give(`a${'\u0301'.repeat(60)}`)).msg, /too (many marks|long)/i)
      assert.equal(digest(), before)
    })
  }
})

describe('a name that only looks different is taken', () => {
  const taken: Readonly<Record<string, RegExp>> = {
    'a channel': /'.+' already exists/,
    'a channel folder': /'.+' already exists/,
    'a user group': /'.+' already exists/,
    'a profile field': /already exists/,
  }
  for (const [kind, message] of Object.entries(taken)) {
    test(kind, async () => {
      const give = kinds[kind]
      assert.ok(give)
      assert.deepEqual((await give('Café  Zürich')).result, 'success')
      for (const same of ['Cafe\u0301 Zürich', 'CAFÉ\u3000ZÜRICH', 'Ｃafé Zürich ']) {
        assert.match((await give(same)).msg, message)
      }
      assert.deepEqual((await give('Cafe Zurich')).result, 'success')
    })
  }
})

test('a channel is found by each form of its name, and a group and a person are mentioned', async () => {
  await owner.post('/channels/create', { name: 'Straße', subscribers: [ids.owner] })
  await owner.post('/user_groups/create', { name: 'Équipe', description: '', members: [ids.zoe] })
  await owner.patch(`/users/${ids.zoe}`, { full_name: 'José Ａ' })
  for (const name of ['Straße', 'STRASSE', 'stra\u00ad\u00dfe']) {
    const sent = await owner.post('/messages', {
      type: 'channel', to: name, topic: 'x', content: '@**Jose\u0301  a** @*e\u0301quipe*',
    }) // biome-ignore format: short
    assert.equal(sent.result, 'success')
    const narrow = [['channel', name]]
    const found = await owner.get('/messages', {
      narrow,
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    })
    const [message] = found.messages as { id: number; content: string }[]
    assert.equal(message?.id, sent.id)
    assert.match(message?.content ?? '', /@José Ａ<.*@Équipe</)
  }
})

describe('a name from before the rules', () => {
  test('of a channel stays what it was until someone changes it', async () => {
    const name = 'Verona\u200b'
    const made = await owner.post('/channels/create', { name: 'old', subscribers: [ids.owner] })
    const id = made.id as number
    await store.write((tx) => updateChannel(tx, id, { name, nameKey: name.toLowerCase() }))
    const { streams } = await owner.get('/streams', { include_all: true })
    assert.ok((streams as { name: string }[]).some((one) => one.name === name))
    const found = await owner.get('/get_stream_id', { stream: name })
    assert.equal(found.stream_id, id)
    const other = await owner.get('/get_stream_id', { stream: 'Verona' })
    assert.notEqual(other.stream_id, id)
    assert.deepEqual(await owner.patch(`/streams/${id}`, { description: 'old' }), success)
    const refused = await owner.patch(`/streams/${id}`, { new_name: `${name}a` })
    assert.deepEqual(refused, failure('Invalid character in channel name, at position 7: U+200B.'))
    assert.deepEqual(await owner.patch(`/streams/${id}`, { new_name: 'Verona two' }), success)
  })

  test('of a person does not keep them from coming back, nor from other changes', async () => {
    await store.write((tx) => updateUser(tx, ids.outsider, { fullName: 'Ia\u200bgo' }))
    assert.deepEqual(await owner.del(`/users/${ids.outsider}`), success)
    assert.deepEqual(await owner.post(`/users/${ids.outsider}/reactivate`), success)
    const same = { full_name: 'Ia\u200bgo', timezone: 'Europe/Berlin' }
    assert.deepEqual(await server.as('outsider').patch('/settings', same), success)
  })

  test('of a topic can be answered, followed, muted and resolved', async () => {
    const topic = 'old\u200btopic'
    const id = server.say('owner', 'public', 'new name', 'first')
    store.db.$client
      .prepare('UPDATE messages SET topic = ?, topic_key = ? WHERE id = ?')
      .run(topic, topic, await id)
    const place = { type: 'channel', to: server.channels.public, topic }
    assert.equal((await owner.post('/messages', { ...place, content: 'second' })).result, 'success')
    const followed = { stream_id: server.channels.public, topic, visibility_policy: 3 }
    assert.deepEqual(await owner.post('/user_topics', followed), success)
    const resolved = { topic: `✔ ${topic}`, propagate_mode: 'change_all' }
    assert.equal((await owner.patch(`/messages/${await id}`, resolved)).result, 'success')
    const others = await owner.patch(`/messages/${await id}`, { ...resolved, topic: `${topic}s` })
    assert.match(others.msg as string, /position 4: U\+200B/)
  })
})

test('the migration gives each name and topic its key, and those that are the same keep theirs', async () => {
  const { $client } = store.db
  const make = async (name: string) =>
    (await owner.post('/channels/create', { name, subscribers: [ids.owner] })).id as number
  const [one, same, other] = [await make('Ünder'), await make('x1'), await make('Groß')]
  const id = await server.say('owner', 'public', 'Jose\u0301  x', 'hello')
  const old = (table: string, set: string, row: number) =>
    $client.prepare(`UPDATE ${table} SET ${set} WHERE id = ?`).run(row)
  old('channels', "name = 'U\u0308nder', name_key = 'u\u0308nder'", same)
  old('channels', "name_key = 'groß'", other)
  old('messages', "topic = 'Jose\u0301  x', topic_key = 'jose\u0301  x'", id)
  old('users', "name_key = ''", ids.zoe)
  const migration = listMigrations().find((part) => part.join().includes('name_key('))
  for (const statement of migration ?? []) {
    if (/\b(UPDATE|DELETE FROM) /.test(statement)) $client.exec(statement)
  }
  const read = (table: string, column: string, row: number) =>
    $client.prepare(`SELECT ${column} FROM ${table} WHERE id = ?`).pluck().get(row)
  assert.deepEqual(
    [one, same, other].map((row) => read('channels', 'name_key', row)),
    ['ünder', 'u\u0308nder', 'gross'],
  )
  assert.equal(read('messages', 'topic_key', id), 'josé x')
  assert.equal(read('users', 'name_key', ids.zoe), 'josé a')
})
