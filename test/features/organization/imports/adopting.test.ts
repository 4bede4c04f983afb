import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  importInto,
  requireNoOrganization,
  settleImport,
  stageInto,
  tryImport,
} from '#features/organization/imports/import.actions.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { openFolder } from '#platform/store/folder.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { writeFolder } from '#test/support/exports/archives.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-adopting-'))
after(() => rmSync(root, { recursive: true, force: true }))
const from = writeFolder(join(root, 'export'), zulipExport(60))

let count = 0
const options = {
  from,
  source: {},
  realmUrl: 'https://chat.example.org',
  clock: systemClock,
  config: defaultConfig,
}

/** A new data folder, and what is in it besides its lock. */
function fresh() {
  const folder = openFolder(join(root, `data-${count++}`))
  after(folder.release)
  return {
    folder,
    names: () =>
      readdirSync(folder.path)
        .filter((name) => !name.startsWith('lock'))
        .sort(),
  }
}

test('an import puts the database and the files in place, and nothing else', async () => {
  const { folder, names } = fresh()
  requireNoOrganization(folder)
  const report = await importInto(folder, options, unwatched)
  assert.deepEqual(names(), ['files', 'parley.db'])
  assert.deepEqual([report.organization, report.format], ['Old Chat', 'zulip'])
  assert.throws(() => requireNoOrganization(folder), /already contains an organization/)
})

test('a trial gives the same report and leaves nothing', async () => {
  const { folder, names } = fresh()
  const trial = await tryImport(options, unwatched, folder.path)
  assert.deepEqual(names(), [])
  const { tables } = await importInto(folder, options, unwatched)
  assert.deepEqual(trial.tables, { ...tables })
})

describe('an import that is interrupted leaves the folder as it was', () => {
  const steps = [
    'Opening the export',
    'Reading the export',
    'Writing settings',
    'Writing messages',
    'Writing reactions and flags',
    'Building indexes',
    'Writing subscriptions',
    'Writing what has been read',
    'Filling the search index',
    'Checking the database',
  ]
  for (const wanted of steps) {
    test(`while it is ${wanted.toLowerCase()}`, async () => {
      const { folder, names } = fresh()
      const giveUp = new AbortController()
      const seen: string[] = []
      const task: Task = {
        signal: giveUp.signal,
        report(step) {
          seen.push(step)
          if (step === wanted) giveUp.abort(new Error('Interrupted.'))
        },
      }
      await assert.rejects(importInto(folder, options, task), /Interrupted/)
      assert.equal(seen.at(-1), wanted)
      assert.deepEqual(names(), [])
    })
  }
})

describe('a process that ended in the middle', () => {
  async function staged() {
    const made = fresh()
    await stageInto(made.folder, options, unwatched)
    return { ...made, staging: join(made.folder.path, 'importing') }
  }

  test('of the import: what is left of it is removed', async () => {
    const { folder, names, staging } = await staged()
    rmSync(join(staging, 'complete'))
    await settleImport(folder)
    assert.deepEqual(names(), [])
  })

  const moments: Readonly<Record<string, (staging: string, data: string) => void>> = {
    'before anything was put in place': () => {},
    'after the files were': (staging, data) => {
      rmSync(join(data, 'files'), { recursive: true, force: true })
      mkdirSync(join(data, 'files'))
      for (const name of readdirSync(join(staging, 'files')))
        writeFileSync(join(data, 'files', name), '')
      rmSync(join(staging, 'files'), { recursive: true })
    },
    'after the database was': (staging, data) => {
      rmSync(join(staging, 'files'), { recursive: true })
      mkdirSync(join(data, 'files'))
      writeFileSync(join(data, 'parley.db'), '')
      rmSync(join(staging, 'parley.db'))
    },
  }
  for (const [moment, simulate] of Object.entries(moments)) {
    test(`of putting it in place, ${moment}: the next start goes on`, async () => {
      const { folder, names, staging } = await staged()
      simulate(staging, folder.path)
      await settleImport(folder)
      assert.deepEqual(names(), ['files', 'parley.db'])
      assert.ok(!existsSync(staging))
    })
  }
})
