import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { updateMessage } from '#features/messaging/messages/editing/queries.ts'
import { insertSubmessage } from '#features/messaging/messages/submessages/queries.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const mib = 1024 * 1024
const { store } = server.server.context
const reader = server.as('othello')

interface Page {
  result: string
  msg: string
  messages: { id: number }[]
  found_oldest: boolean
  found_newest: boolean
  found_anchor: boolean
}

/** Messages as heavy as a formula makes them, oldest first. */
const ids: number[] = []
for (let i = 0; i < 48; i++) ids.push(await server.say('member', 'public', 'formulas'))
await store.write((tx) => {
  const renderedContent = `<p>${'x'.repeat(mib / 8)}</p>`
  for (const id of ids) updateMessage(tx, id, { renderedContent })
})
const [oldest = 0, newest = 0] = [ids[0], ids.at(-1)]

const narrow = [{ operator: 'topic', operand: 'formulas' }]
const fetchPage = (params: object) => reader.get<Page>('/messages', { narrow, ...params })
const idsOf = ({ messages }: Page) => messages.map(({ id }) => id)

describe('a page of messages holds at most 4 MiB, a sixteenth of that if they are long', () => {
  test('of the newest', async () => {
    const page = await fetchPage({ anchor: 'newest', num_before: 5000, num_after: 0 })
    assert.deepEqual(idsOf(page), ids.slice(-2))
    assert.deepEqual([page.found_oldest, page.found_newest], [false, true])
  })

  test('of the oldest', async () => {
    const page = await fetchPage({ anchor: 'oldest', num_before: 0, num_after: 5000 })
    assert.deepEqual(idsOf(page), ids.slice(0, 2))
    assert.deepEqual([page.found_oldest, page.found_newest], [true, false])
  })

  test('on both sides of an anchor, which is always there', async () => {
    const page = await fetchPage({ anchor: ids[24], num_before: 100, num_after: 100 })
    assert.deepEqual(idsOf(page), ids.slice(23, 25))
    assert.deepEqual([page.found_oldest, page.found_newest], [false, false])
    assert.ok(page.found_anchor)
  })

  test('all messages come page by page', async () => {
    const seen: number[] = []
    let anchor: number | 'newest' = 'newest'
    for (let isLast = false; !isLast; ) {
      const page: Page = await fetchPage({
        anchor,
        include_anchor: anchor === 'newest',
        num_before: 1000,
        num_after: 0,
      })
      seen.unshift(...idsOf(page))
      anchor = page.messages[0]?.id ?? 0
      isLast = page.found_oldest
    }
    assert.deepEqual(seen, ids)
  })

  test('with votes and reactions', async () => {
    await store.write((tx) => {
      for (const id of ids.slice(-4)) {
        for (let i = 0; i < 3; i++) {
          const content = JSON.stringify({ type: 'vote', key: 'x'.repeat(mib) })
          insertSubmessage(tx, { messageId: id, senderId: 10, msgType: 'widget', content })
        }
      }
    })
    const page = await fetchPage({ anchor: 'newest', num_before: 100, num_after: 0 })
    assert.deepEqual(idsOf(page), ids.slice(-2))
  })

  test('one message beside the anchor comes however heavy it is', async () => {
    await store.write((tx) => {
      updateMessage(tx, oldest, { renderedContent: 'x'.repeat(9 * mib) })
    })
    const before = { anchor: ids[1], include_anchor: false, num_before: 5, num_after: 0 }
    assert.deepEqual(idsOf(await fetchPage(before)), [ids[0]])
  })

  test('what is asked for by ids is refused beyond that', async () => {
    const page = await reader.get<Page>('/messages', { message_ids: ids })
    const few = 'The messages are too long for one reply (limit: 4194304 bytes): ask for fewer.'
    assert.deepEqual([page.result, page.msg], ['error', few])
    const matching = await reader.get<Page>('/messages/matches_narrow', { msg_ids: ids, narrow })
    assert.deepEqual([matching.result, matching.msg], ['error', few])
    assert.deepEqual(idsOf(await reader.get<Page>('/messages', { message_ids: [newest] })), [
      newest,
    ])
  })
})
