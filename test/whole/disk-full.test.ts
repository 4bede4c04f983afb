import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Client, startServer } from '#test/support/server.ts'
import { mountSmallDisk } from '#test/support/small-disk.ts'

const disk = mountSmallDisk(40)
after(() => disk?.remove())
const text = 'Another line of the history. '.repeat(200)

/** Sends until the server refuses. @returns the IDs of the messages that it acknowledged */
async function sendUntilFull(sender: Client): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < 2000; i++) {
    const reply = await sender.post<{ id: number; code?: string }>('/messages', {
      type: 'channel',
      to: 'Verona',
      topic: 'history',
      content: `${i} ${text}`,
    })
    if (reply.result !== 'success') {
      assert.deepEqual([reply.status, reply.code], [507, 'STORAGE_FULL'])
      return ids
    }
    ids.push(reply.id)
  }
  return assert.fail('The disk did not fill up.')
}

describe('on a full disk', { skip: !disk && 'a file system can only be mounted as root' }, () => {
  test('writing fails with its reason, reading goes on, and nothing acknowledged is lost', async () => {
    const data = join(disk?.folder ?? '', 'data')
    const before = await startServer({ data })
    const member = before.as('member')
    const { queueId } = await member.watch('message')
    const free = disk?.fill(1024 * 1024)
    const acknowledged = await sendUntilFull(before.as('owner'))
    assert.ok(acknowledged.length > 0)

    const { email, apiKey } = member
    const upload = await fetch(`${before.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
      body: fileOf(4 * 1024 * 1024),
    })
    assert.equal(((await upload.json()) as { code: string }).code, 'STORAGE_FULL')
    const { messages } = await member.get<{ messages: { id: number }[] }>('/messages', {
      anchor: 'newest',
      num_before: 3,
      num_after: 0,
    })
    assert.equal(messages.at(-1)?.id, acknowledged.at(-1))
    const narrow = [['search', 'history']]
    const search = { anchor: 'newest', num_before: 3, num_after: 0, narrow }
    assert.equal((await member.get('/messages', search)).result, 'success')
    assert.equal((await member.post('/register', { event_types: ['message'] })).result, 'success')
    await before.close()

    free?.()
    const later = await startServer({ data })
    const { events } = await later
      .as('member')
      .get<{ events: { message: { id: number } }[] }>('/events', {
        queue_id: queueId,
        last_event_id: -1,
        dont_block: true,
      })
    assert.deepEqual(
      events.map(({ message }) => message.id),
      acknowledged,
    )
    assert.equal((await later.as('owner').get(`/messages/${acknowledged[0]}`)).result, 'success')
    await later.say('owner', 'public')
    await later.close()
  })
})

function fileOf(bytes: number): FormData {
  const form = new FormData()
  form.set('file', new Blob([Buffer.alloc(bytes)]), 'large.bin')
  return form
}
