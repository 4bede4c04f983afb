import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  findMessage,
  insertMessage,
  listMessages,
  type NewMessage,
} from '#features/foundation/core/queries.ts'
import { updateMessage } from '#features/messaging/messages/editing/queries.ts'
import { messageSizes } from '#features/messaging/messages/sizes.queries.ts'
import { atOnce } from '#platform/steps.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const { $client } = store.db
const member = server.as('member')

const rowOf = (id: number) =>
  $client.prepare('SELECT * FROM messages WHERE id = ?').get(id) as Record<string, unknown>

async function htmlOf(id: number): Promise<string> {
  const { message } = await member.get<{ message: { content: string } }>(`/messages/${id}`)
  return message.content
}

/** A message to insert ones like. */
const like = findMessage(store, await server.say('member', 'public')) ?? assert.fail()

const insert = (message: Partial<NewMessage>) =>
  store.write((tx) => insertMessage(tx, { ...like, ...message }))

describe('the HTML of a message', () => {
  test('is not stored if it is one paragraph of the content', async () => {
    const id = await server.say('member', 'public', 'rows', 'Nothing "special" here.')
    assert.equal(rowOf(id).rendered_content, null)
    assert.equal(await htmlOf(id), '<p>Nothing "special" here.</p>')
  })

  for (const [content, html] of [
    ['*Something*', '<p><em>Something</em></p>'],
    ['You & I', '<p>You &amp; I</p>'],
    ['Two\nlines', '<p>Two<br>\nlines</p>'],
    ['<p>', '<p>&lt;p&gt;</p>'],
  ] as const) {
    test(`is stored if it is not: ${JSON.stringify(content)}`, async () => {
      const id = await server.say('member', 'public', 'rows', content)
      assert.equal(rowOf(id).rendered_content, html)
      assert.equal(await htmlOf(id), html)
    })
  }

  test('follows each edit, and so do its earlier versions', async () => {
    const id = await server.say('member', 'public', 'rows', 'plain')
    const edit = (content: string) => member.patch(`/messages/${id}`, { content })
    const stored: unknown[] = []
    for (const content of ['**bold**', 'plain again', 'and plain']) {
      await edit(content)
      stored.push(rowOf(id).rendered_content)
    }
    assert.deepEqual(stored, ['<p><strong>bold</strong></p>', null, null])
    assert.equal(await htmlOf(id), '<p>and plain</p>')
    const { message_history } = await member.get<{
      message_history: { rendered_content: string }[]
    }>(`/messages/${id}/history`)
    assert.deepEqual(
      message_history.map(({ rendered_content }) => rendered_content),
      ['<p>plain</p>', '<p><strong>bold</strong></p>', '<p>plain again</p>', '<p>and plain</p>'],
    )
  })

  test('is read as it was written, whatever it and the content are', async () => {
    const piece = fc.constantFrom('', 'a', 'ä', '\0', '<p>', '</p>', '<p>a</p>')
    const texts = fc.record({ content: piece, renderedContent: piece })
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(
          fc.oneof(
            texts,
            texts.map(({ content }) => ({ content })),
          ),
        ),
        async (first, changes) => {
          let expected = await insert(first)
          const { id } = expected
          assert.deepEqual(findMessage(store, id), { ...expected, ...first })
          for (const change of changes) {
            expected = { ...expected, ...change }
            const changed = await store.write((tx) => updateMessage(tx, id, change))
            assert.deepEqual(changed, expected)
            assert.deepEqual(listMessages(store, [id]), [changed])
          }
        },
      ),
    )
  })
})

describe('the name of the client', () => {
  const clientOf = (id: number) => findMessage(store, id)?.client
  const columnsOf = (id: number) => [rowOf(id).client, rowOf(id).client_id]

  test('is stored once, however many messages it sends', async () => {
    const [one, other] = [await insert({ client: 'Own' }), await insert({ client: 'Own' })]
    assert.deepEqual(columnsOf(one.id), columnsOf(other.id))
    assert.equal(rowOf(one.id).client, null)
    assert.deepEqual([one.client, clientOf(one.id), clientOf(other.id)], ['Own', 'Own', 'Own'])
    const fetched = await member.get<{ message: { client: string } }>(`/messages/${one.id}`)
    assert.equal(fetched.message.client, 'Own')
  })

  test('is right after a write that first had it has failed', async () => {
    const failing = store.write((tx) => {
      const { id } = insertMessage(tx, { ...like, client: 'Failing' })
      assert.equal(findMessage(tx, id)?.client, 'Failing')
      throw new Error('It fails.')
    })
    const [, later] = await Promise.all([
      assert.rejects(failing, /It fails/),
      insert({ client: 'Later' }),
    ])
    const again = await insert({ client: 'Failing' })
    assert.deepEqual([clientOf(later.id), clientOf(again.id)], ['Later', 'Failing'])
  })

  test('is stored with each message if there are very many', async () => {
    const messages = await store.write((tx) =>
      Array.from({ length: 1100 }, (_, i) => insertMessage(tx, { ...like, client: `${i}` })),
    )
    const stored = messages.map(({ id }) => rowOf(id).client)
    assert.deepEqual([stored[0], stored.at(-1)], [null, '1099'])
    assert.deepEqual(
      messages.map(({ id }) => clientOf(id)),
      messages.map((_, i) => `${i}`),
    )
    assert.equal($client.prepare('SELECT count(*) FROM clients').pluck().get(), 1000)
    const known = await insert({ client: '0' })
    assert.deepEqual(columnsOf(known.id), columnsOf(messages[0]?.id ?? 0))
  })
})

test('a row of an earlier version is read as one that leaves out the same', async () => {
  const id = await server.say('member', 'public', 'rows', 'Same')
  const read = async () => ({
    message: { ...findMessage(store, id), clientId: null },
    html: await htmlOf(id),
    sizes: atOnce(messageSizes(store, [id])),
  })
  const now = await read()
  await store.write((tx) =>
    tx.db.$client
      .prepare(
        `UPDATE messages SET rendered_content = '<p>Same</p>', client = ?, client_id = NULL
         WHERE id = ?`,
      )
      .run(now.message.client, id),
  )
  assert.deepEqual(await read(), now)
})

test('a change of a message that is not there is an error', async () => {
  await assert.rejects(
    store.write((tx) => updateMessage(tx, 999_999, { isMe: true })),
    /There is no message 999999/,
  )
})
