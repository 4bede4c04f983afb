import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { indexLag } from '#features/foundation/core/indexing.queries.ts'
import { findMessage, insertMessage, type NewMessage } from '#features/foundation/core/queries.ts'
import { fillSearchIndex } from '#features/messaging/messages/jobs.ts'
import { mostWorkInATurn } from '#test/support/limits/work.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { context } = server.server
const { store } = context

const search = async (word: string) => {
  const narrow = [['search', word]]
  const asked = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
  const { messages } = await server
    .as('member')
    .get<{ messages: { id: number }[] }>('/messages', asked)
  return messages.map((each) => each.id)
}

async function aMessage(): Promise<NewMessage> {
  const message = findMessage(store, await server.say('member', 'public'))
  assert.ok(message)
  const { id: _, lastEditAt: __, lastMovedAt: ___, ...same } = message
  return same
}

/** Inserts a message so many times in one write. */
async function insertMany(count: number, content: string, html = `<p>${content}</p>`) {
  const message = { ...(await aMessage()), content, renderedContent: html }
  await store.write((tx) => {
    for (let i = 0; i < count; i++) insertMessage(tx, message)
  })
}

test('what is missing of the search index is filled in steps by a job, not by who writes', async () => {
  await insertMany(1100, 'Words.')
  const lag = indexLag(store)
  assert.ok(lag >= 1024, String(lag))
  const id = await server.say('member', 'public', 'words', 'A deipnosophist.')
  assert.deepEqual(await search('deipnosophist'), [])
  assert.equal(indexLag(store), lag + 1)
  assert.notEqual(fillSearchIndex.dueAt(store), undefined)
  await fillSearchIndex.run(context, new AbortController().signal)
  assert.equal(fillSearchIndex.dueAt(store), undefined)
  assert.deepEqual(await search('deipnosophist'), [id])
})

describe('long messages enter the search index a few at a time', () => {
  const content = 'A word. '.repeat(1000)
  const html = `<p>${'<b>A</b> word. '.repeat(5000)}</p>`
  /** In statements and rows of a turn: more than other work in it, less than all of them have. */
  const mostWork = 80

  beforeEach(async () => {
    await fillSearchIndex.run(context, new AbortController().signal)
    await search('word')
    assert.equal(indexLag(store), 0)
  })

  test('when they are sent', async () => {
    const message = await aMessage()
    const one = { ...message, content, renderedContent: html }
    for (let i = 0; i < 30; i++) {
      const work = await mostWorkInATurn(server, () => store.write((tx) => insertMessage(tx, one)))
      assert.ok(work < mostWork, String(work))
      assert.ok(indexLag(store) < 8, String(indexLag(store)))
    }
  })

  test('by the job, which begins before so many are missing as for short ones', async () => {
    await insertMany(100, content, html)
    assert.notEqual(fillSearchIndex.dueAt(store), undefined)
    const fill = () => fillSearchIndex.run(context, new AbortController().signal)
    const work = await mostWorkInATurn(server, fill)
    assert.ok(work < mostWork, String(work))
    assert.equal(fillSearchIndex.dueAt(store), undefined)
  })

  test('before a search, which finds the last one all the same', async () => {
    await insertMany(100, content, html)
    const id = await server.say('member', 'public', 'words', 'A batrachian.')
    let found: number[] = []
    const work = await mostWorkInATurn(server, async () => {
      found = await search('batrachian')
    })
    assert.deepEqual(found, [id])
    assert.ok(work < mostWork, String(work))
  })
})
