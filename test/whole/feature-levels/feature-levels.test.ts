import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { featureLevel } from '#platform/version.ts'
import { startServer } from '#test/support/server.ts'
import { channelLevels } from './channels.ts'
import { fileLevels } from './files.ts'
import { findingLevels } from './finding.ts'
import { groupLevels } from './groups.ts'
import { messageLevels } from './messages.ts'
import { peopleLevels } from './people.ts'
import { realmLevels } from './realm.ts'

/** From here on the rows say all; what came before is in the API description of this level. */
const described = 247

/**
 * Levels that change nothing that a server like this shows: never used, or about the other ends of
 * the protocol, hosted organizations, kinds of video calls that are not offered (337), drafts of what a later level says anew, and wording.
 */
const silent = new Set([255, 277, 278, 279, 289, 337, 345, 371, 373, 374, 375, 376, 413, 421])

const server = await startServer()
after(server.close)

const rows = [
  ...messageLevels,
  ...findingLevels,
  ...fileLevels,
  ...channelLevels,
  ...groupLevels,
  ...peopleLevels,
  ...realmLevels,
].sort(([a], [b]) => a - b)

for (const [level, says, check] of rows) {
  test(`${level}: ${says}`, async () => await check(server))
}

test('every level up to the announced one has a test', () => {
  const shown = new Set(rows.map(([level]) => level))
  const missing: number[] = []
  for (let level = described + 1; level <= featureLevel; level++) {
    if (!shown.has(level) && !silent.has(level)) missing.push(level)
  }
  assert.deepEqual(missing, [])
  assert.deepEqual(
    [...silent].filter((level) => shown.has(level)),
    [],
  )
})
