import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fillArchive } from '#test/bench/archive.ts'
import { addChannel, addPeople, seedFolder } from '#test/bench/organization.ts'
import { exportForZulip } from '#test/support/exports/exporting.ts'
import { checkZulipExport } from '#test/support/exports/zulip-checker.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-large-'))
const data = join(root, 'data')
before(async () => {
  mkdirSync(data)
  await seedFolder(data, (tx) => {
    fillArchive(tx, 20_000)
    const people = addPeople(tx, 2000, 'newcomer')
    for (let i = 0; i < 10; i++) addChannel(tx, `everybody ${i}`, people)
  })
})
after(() => rmSync(root, { recursive: true, force: true }))

for (const release of [11, 12]) {
  test(`Zulip ${release} imports an export of 3,000 people and 20,000 messages`, async () => {
    const { files } = await exportForZulip(data, join(root, `${release}`), '--for', `${release}`)
    assert.deepEqual(checkZulipExport(files, release).slice(0, 5), [])
    const messages = [...files].filter(([path]) => /messages-\d+\.json$/.test(path))
    const sent = messages.flatMap(
      ([, text]) => JSON.parse(Buffer.from(text).toString()).zerver_message as unknown[],
    )
    assert.equal(sent.length, 20_000)
  })
}
