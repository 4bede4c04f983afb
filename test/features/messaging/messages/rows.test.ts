import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  findMessage,
  insertMessage,
  listMessages,
  type NewMessage,
} from '#features/messaging/core/queries.ts'
import { updateMessage } from '#features/messaging/messages/editing/queries.ts'
import { messageSizes } from '#features/messaging/messages/sizes.queries.ts'
import { atOnce } from '#platform/steps.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ inProcess: true })
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
    const {
      id: _,
      lastEditAt: __,
      lastMovedAt: ___,
      ...like
    } = findMessage(store, await server.say('member', 'public')) ?? assert.fail()
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
          let expected: NewMessage = { ...like, ...first }
          const message = await store.write((tx) => insertMessage(tx, expected))
          const { id } = message
          assert.deepEqual(findMessage(store, id), message)
          for (const change of changes) {
            expected = { ...expected, ...change }
            const changed = await store.write((tx) => updateMessage(tx, id, change))
            assert.deepEqual(changed, { ...message, ...expected })
            assert.deepEqual(listMessages(store, [id]), [changed])
          }
        },
      ),
    )
  })
})

test('a row of an earlier version is read as one that leaves out the same', async () => {
  const id = await server.say('member', 'public', 'rows', 'Same')
  const read = async () => ({
    message: findMessage(store, id),
    html: await htmlOf(id),
    sizes: atOnce(messageSizes(store, [id])),
  })
  const now = await read()
  await store.write((tx) =>
    tx.db.$client
      .prepare(`UPDATE messages SET rendered_content = '<p>Same</p>' WHERE id = ?`)
      .run(id),
  )
  assert.deepEqual(await read(), now)
})

test('a change of a message that is not there is an error', async () => {
  await assert.rejects(
    store.write((tx) => updateMessage(tx, 999_999, { isMe: true })),
    /There is no message 999999/,
  )
})
