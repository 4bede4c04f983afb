import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { contentsPath } from '#platform/files/contents.ts'
import { mostDownloads } from '#platform/http/downloads.ts'
import { basicAuth, upload } from '#test/support/files.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const contents = 'quince '.repeat(50_000)
const path = await upload(server, 'member', 'a.txt', contents)

/** An answer of which nothing is read until the test reads it. */
async function fetchUnread(actor: Actor): Promise<Response> {
  const headers = basicAuth(server, actor)
  return await server.server.fetch(new Request(server.url + path, { headers }))
}

test('a file arrives whole, a piece at a time', async () => {
  const response = await fetchUnread('member')
  assert.equal(response.status, 200)
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  assert.ok(pieces.length > 4, String(pieces.length))
  assert.equal(Buffer.concat(pieces).toString(), contents)
})

test('slow readers of one account are so many at a time, and no trouble to others', async () => {
  const slow = await Promise.all(Array.from({ length: mostDownloads }, () => fetchUnread('member')))
  assert.deepEqual(new Set(slow.map(({ status }) => status)), new Set([200]))
  const refused = await fetchUnread('member')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '1')
  await server.say('member', ['owner'], undefined, `[a](${path})`)
  const other = await fetchUnread('owner')
  assert.equal(await other.text(), contents)
  await slow.pop()?.body?.cancel()
  const next = await fetchUnread('member')
  assert.equal(await next.text(), contents)
  assert.equal((await fetchUnread('member')).status, 200)
})

test('a download that ends by an error counts no longer', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-downloads-'))
  const onDisk = await startServer({ data })
  try {
    const headers = basicAuth(onDisk, 'member')
    const ask = async (path: string) =>
      await onDisk.server.fetch(new Request(onDisk.url + path, { headers }))
    const broken = await upload(onDisk, 'member', 'b.txt', contents)
    const begun = await Promise.all(Array.from({ length: mostDownloads }, () => ask(broken)))
    // Reading a folder fails.
    const path = contentsPath(
      join(data, 'files'),
      createHash('sha256').update(contents).digest('hex'),
    )
    rmSync(path)
    mkdirSync(path)
    for (const response of begun) await assert.rejects(response.text())
    const whole = await upload(onDisk, 'member', 'c.txt', 'medlar')
    assert.equal(await (await ask(whole)).text(), 'medlar')
  } finally {
    await onDisk.close()
    rmSync(data, { recursive: true })
  }
})
