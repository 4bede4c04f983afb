import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dumpOf } from '#test/support/exports/dump.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf } from '#test/support/exports/items.ts'
import { mattermostExport } from '#test/support/exports/mattermost.ts'
import { assertLinear } from './linear.ts'

test('an export with every construct becomes what it should', async () => {
  const made = await importFiles(mattermostExport(), { source: { team: 'crew' } })
  try {
    const expected = new URL('../../../support/exports/mattermost.txt', import.meta.url)
    assert.equal(dumpOf(made), readFileSync(expected, 'utf8'))
    const avatars = made.rows("SELECT full_name AS name FROM users WHERE avatar_hash <> ''")
    assert.deepEqual(avatars, [{ name: 'Olga Owner' }])
  } finally {
    made.close()
  }
})

test('one of several teams has to be named, by any of its names', async () => {
  await assert.rejects(itemsOf(mattermostExport()), /Name the one to import: crew, others\./)
  await assert.rejects(itemsOf(mattermostExport(), { team: 'x' }), /Its teams are: crew, others\./)
  const { items, source } = await itemsOf(mattermostExport(), { team: 'The Crew' })
  assert.equal(source, 'mattermost')
  assert.deepEqual(items[0], { type: 'organization', name: 'The Crew', description: '' })
})

test('replies stay in the main topic if nobody wants threads', async () => {
  const { items } = await itemsOf(mattermostExport(), { team: 'crew', noThreads: true })
  assert.equal(
    items.some(({ type }) => type === 'thread'),
    false,
  )
})

test('markup takes work in proportion to its length, whatever it is', async () => {
  const version = JSON.stringify({ type: 'version', version: 1 })
  const dots = `@${'a.'.repeat(100)} `
  for (const piece of [
    '__a',
    '_a',
    '`',
    '``a',
    '```',
    '@a',
    '@a.',
    '~a',
    ':a',
    '\\',
    '@',
    '![',
    dots,
  ]) {
    await assertLinear(piece, (message) => {
      const line = {
        type: 'post',
        post: { team: 'a', channel: 'b', user: 'c', message, create_at: 1 },
      }
      return itemsOf({ 'a.jsonl': `${version}\n${JSON.stringify(line)}` })
    })
  }
})
