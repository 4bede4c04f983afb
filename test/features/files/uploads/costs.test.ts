import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { deleteAttachment, insertAttachment } from '#features/files/attachments/queries.ts'
import { basicAuth, postFiles, upload } from '#test/support/files.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const data = mkdtempSync(join(tmpdir(), 'parley-upload-costs-'))
const server = await startServer({ data, config: { uploadQuotaMib: 2, maxFileUploadMib: 25 } })
after(async () => {
  await server.close()
  rmSync(data, { recursive: true })
})

const mebibyte = 1024 * 1024
const full = failure("The upload would exceed your organization's quota for uploaded files.")
const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
const tail = '\r\n--x--\r\n'

/** The bytes that are stored now, drafts of what is arriving included. */
function stored(): number {
  const folder = join(data, 'files')
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0)
}

/** What the fixture begins with. */
const seeded = stored()

async function deleteFiles(actor: Actor): Promise<void> {
  const { attachments } = await server
    .as(actor)
    .get<{ attachments: { id: number }[] }>('/attachments')
  for (const { id } of attachments) await server.as(actor).del(`/attachments/${id}`)
  await server.settled()
}

/** A body in pieces, whose length is not announced. */
function pieces(contents: Iterable<string>, between: () => void = () => {}): ReadableStream {
  const encoder = new TextEncoder()
  const all = contents[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      between()
      const { done, value } = all.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

function* fileOf(size: number, letter = 'x') {
  yield head
  const block = letter.repeat(64 * 1024)
  for (let sent = 0; sent < size; sent += block.length) yield block
  yield tail
}

async function send(actor: Actor, body: ReadableStream | string): Promise<object> {
  const response = await server.server.fetch(
    new Request(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { ...basicAuth(server, actor), 'content-type': 'multipart/form-data; boundary=x' },
      body,
      duplex: 'half',
    } as RequestInit),
  )
  return (await response.json()) as object
}

describe('uploads that are refused', () => {
  test('never take more room than there is, and none afterwards', async () => {
    let most = 0
    const look = () => {
      most = Math.max(most, stored())
    }
    const letters = [...'abcdefghij']
    const bodies = letters.map((letter) => pieces(fileOf(20 * mebibyte, letter), look))
    const replies = await Promise.all(bodies.map((body) => send('member', body)))
    assert.deepEqual(new Set(replies.map((reply) => JSON.stringify(reply))).size, 1)
    assert.deepEqual(replies[0], full)
    assert.ok(most <= seeded + 2 * mebibyte, `${most} bytes`)
    assert.equal(stored(), seeded)
  })

  test('leave room for others', async () => {
    await upload(server, 'admin', 'a', 'x'.repeat(mebibyte))
    await deleteFiles('admin')
    assert.equal(stored(), seeded)
  })

  const two = `${head}one\r\n--x\r\nContent-Disposition: form-data; name="b"; filename="b"\r\n\r\ntwo${tail}`
  // biome-ignore format: a table reads best in columns
  const broken: [name: string, body: () => ReadableStream | string][] = [
    ['because the body ends in the file',        () => `${head}abc`],
    ['because the last boundary is missing',     () => `${head}abc\r\n--x\r\n`],
    ['because there are two files',              () => two],
    ['because they are too large',               () => pieces(fileOf(3 * mebibyte))],
  ]
  for (const [name, body] of broken) {
    test(`${name} leave nothing behind`, async () => {
      const before = stored()
      const reply = (await send('member', body())) as { result: string }
      assert.equal(reply.result, 'error')
      assert.equal(stored(), before)
    })
  }

  test('leave nothing behind where the same contents come twice at once', async () => {
    const before = stored()
    await Promise.all([send('member', two), send('admin', two), send('member', two)])
    assert.equal(stored(), before)
  })

  test('do not take away what someone else stored under the same name', async () => {
    const { files } = server.server.context
    await upload(server, 'member', 'kept', 'one')
    await send('admin', two)
    assert.equal(stored(), seeded + 3)
    const hash = await files.put(new TextEncoder().encode('one'))
    await send('admin', two)
    await deleteFiles('member')
    assert.equal(await files.size(hash), 3, 'what was put stays for an hour')
    server.clock.advance(3600_000)
    await server.settled()
    assert.equal(await files.size(hash), undefined)
  })
})

test('deleted files give their room back at once', async () => {
  const before = stored()
  for (let round = 0; round < 5; round++) {
    await upload(server, 'member', 'a', `${round}`.repeat(mebibyte))
    await deleteFiles('member')
    assert.equal(stored(), before)
  }
})

test('parts that an upload does not take leave nothing behind', async () => {
  const headers = {
    ...basicAuth(server, 'member'),
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  }
  const begun = await fetch(`${server.url}/api/v1/tus`, {
    method: 'POST',
    headers: { ...basicAuth(server, 'member'), 'tus-resumable': '1.0.0', 'upload-length': '10' },
  })
  const url = `${server.url}${begun.headers.get('location')}`
  const before = stored()
  const send = (body: string) => fetch(url, { method: 'PATCH', headers, body })
  const [one, other] = await Promise.all([send('12345'), send('abcde')])
  assert.deepEqual([one?.status, other?.status].sort(), [204, 409])
  assert.equal(stored(), before + 5)
  await fetch(url, { method: 'DELETE', headers })
  await server.settled()
  assert.equal(stored(), before)
})

test('there is a limit to the bytes of one person that nothing links to', async () => {
  const roomy = await startServer({ config: { maxFileUploadMib: 1 } })
  try {
    const { store } = roomy.server.context
    const file = { name: 'a', contentType: 'text/plain', fileHash: 'none', createdAt: 0 }
    const { id } = await store.write((tx) =>
      insertAttachment(tx, {
        ...file,
        ownerId: roomy.ids.zoe,
        pathId: '1/zoe/a',
        size: 39.5 * mebibyte,
        unclaimedSince: 1e10,
      }),
    )
    const half = new File(['x'.repeat(mebibyte / 2)], 'half')
    const tooMuch = failure('You have too many files that no message links to. Delete some first.')
    const more = new File(['x'.repeat(mebibyte / 2 + 1)], 'more')
    assert.deepEqual(await postFiles(roomy, 'zoe', [more]), tooMuch)
    assert.equal((await postFiles(roomy, 'zoe', [half])).result, 'success')
    assert.deepEqual(await postFiles(roomy, 'zoe', [half]), tooMuch)
    assert.equal((await postFiles(roomy, 'member', [half])).result, 'success')
    await store.write((tx) => deleteAttachment(tx, id))
    assert.equal((await postFiles(roomy, 'zoe', [half])).result, 'success')
  } finally {
    await roomy.close()
  }
})
