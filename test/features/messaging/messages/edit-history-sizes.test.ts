import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { insertEdit } from '#features/messaging/messages/edit-history/queries.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { store } = server.server.context
const kib = 1024

interface Entry {
  prev_content?: string
  prev_rendered_content?: string
  prev_topic?: string
}
interface Fetched {
  id: number
  content: string
  edit_history?: Entry[]
}
interface Snapshot extends Entry {
  content: string
  topic: string
  content_html_diff?: string
}

/** 10 KB that are different in each version. */
const version = (i: number) =>
  Array.from({ length: 1100 }, (_, at) => `word${(at * (i + 1)) % 997}`).join(' ')
const edit = (id: number, content: string) =>
  server.as('member').patch(`/messages/${id}`, { content })
const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const fetchedOne = async (id: number) =>
  (await server.as('othello').get<{ message: Fetched }>(`/messages/${id}`)).message
const historyOf = async (id: number) =>
  (
    await server.as('othello').get<{ message_history: Snapshot[] }>(`/messages/${id}/history`, {
      allow_empty_topic_name: true,
    })
  ).message_history

describe('a message of 10 KB that was edited 300 times', async () => {
  const id = await server.say('member', 'public', 'long', version(0))
  for (let i = 1; i <= 300; i++) await edit(id, version(i))

  test('is fetched with its newest entries, of 32 KiB', async () => {
    const page = await server
      .as('othello')
      .get<{ messages: Fetched[] }>('/messages', { message_ids: [id] })
    const [message] = page.messages
    assert.ok(message)
    assert.deepEqual(message, await fetchedOne(id))
    const entries = message.edit_history ?? []
    assert.deepEqual(
      entries.map(({ prev_content }) => prev_content),
      [version(299)],
    )
    assert.ok(size(message) < 32 * kib + 2 * version(0).length)
  })

  test('has a history of its first form and its newest ones, of 1 MiB', async () => {
    const history = await historyOf(id)
    assert.ok(size(history) < 1024 * kib)
    assert.ok(size(history) > 900 * kib)
    const [original, ...newest] = history
    assert.deepEqual(Object.keys(original ?? {}).sort(), [
      'content',
      'rendered_content',
      'timestamp',
      'topic',
      'user_id',
    ])
    const first = 301 - newest.length
    assert.deepEqual(
      history.map(({ content }) => content),
      [version(0), ...newest.map((_, i) => version(first + i))],
    )
    assert.deepEqual(
      newest.map(({ prev_content }) => prev_content),
      newest.map((_, i) => version(first + i - 1)),
    )
  })

  test('shows as many moves as fit, where the organization shows nothing else', async () => {
    for (const topic of ['longer', 'longest']) {
      await server.as('admin').patch(`/messages/${id}`, {
        topic,
        send_notification_to_new_thread: false,
      })
      await edit(id, version(topic.length))
    }
    const policy = 'message_edit_history_visibility_policy'
    await store.write((tx) => setRealmSetting(tx, policy, 'moves'))
    assert.deepEqual(
      (await fetchedOne(id)).edit_history?.map(({ prev_topic }) => prev_topic),
      ['longer', 'long'],
    )
    assert.deepEqual(
      (await historyOf(id)).map(({ topic, content }) => [topic, content === version(7)]),
      [
        ['long', true],
        ['longer', true],
        ['longest', true],
      ],
    )
    await store.write((tx) => setRealmSetting(tx, policy, 'all'))
  })
})

/** Stores what a message was before, as if it had been edited. */
const addEdit = (messageId: number, prevContent: string, prevRenderedContent: string) =>
  store.write((tx) =>
    insertEdit(tx, {
      messageId,
      userId: server.ids.member,
      editedAt: 1_700_000_000,
      prevContent,
      prevRenderedContent,
    }),
  )

test('an entry that is too long by itself has no contents', async () => {
  const id = await server.say('member', 'public')
  await addEdit(id, 'old', '')
  await addEdit(id, 'formulas', `<p>${'x'.repeat(40 * kib)}</p>`)
  assert.deepEqual((await fetchedOne(id)).edit_history, [
    { user_id: server.ids.member, timestamp: 1_700_000_000 },
  ])
})

test('the newest version and the original are in every history, however long they are', async () => {
  const id = await server.say('member', 'public')
  const html = (text: string) => `<p>${text.repeat(600 * kib)}</p>`
  await addEdit(id, 'one', html('1'))
  await addEdit(id, 'two', html('2'))
  await addEdit(id, 'three', html('3'))
  assert.deepEqual(
    (await historyOf(id)).map(({ content, prev_content }) => [prev_content, content]),
    [
      [undefined, 'one'],
      ['three', 'Hello.'],
    ],
  )
})

test('the messages of a page share 2 MiB for their edit histories', async () => {
  const ids: number[] = []
  for (let i = 0; i < 120; i++) {
    const id = await server.say('member', 'public', 'many')
    ids.push(id)
    for (let n = 0; n < 5; n++) await addEdit(id, `${n} `.padEnd(4 * kib, 'x'), '<p>old</p>')
  }
  const page = await server
    .as('othello')
    .get<{ messages: Fetched[] }>('/messages', { message_ids: ids })
  const histories = page.messages.map(({ edit_history }) => edit_history ?? [])
  assert.ok(size(histories) < 2 * kib * kib)
  assert.deepEqual([...new Set(histories.map(({ length }) => length))], [4])
  assert.equal((await fetchedOne(ids[0] ?? 0)).edit_history?.length, 5)
})
