import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Source } from '#features/organization/imports/source.ts'
import { type ImportOptions, stageImport } from '#features/organization/imports/stage.actions.ts'
import type { Item } from '#features/organization/imports/stream.ts'
import type { ImportReport } from '#features/organization/imports/summary.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { type Db, openDatabase } from '#platform/store/open.ts'
import { unwatched } from '#platform/task.ts'
import { type Files, writeFolder } from './archives.ts'

/** An imported organization. */
export interface Imported {
  readonly report: ImportReport
  /** The folder of the database and its files. */
  readonly folder: string
  readonly db: Db
  /** The rows of a query. */
  rows(sql: string, ...values: unknown[]): Record<string, unknown>[]
  close(): void
}

type Options = Partial<Omit<ImportOptions, 'into'>>

/** A migrated database without an organization: making each anew takes longer than a small import. */
let blank: Buffer | undefined

function makeBlank(): Buffer {
  const { $client } = openDatabase(':memory:')
  try {
    return $client.serialize()
  } finally {
    $client.close()
  }
}

/** Imports an export with these files, or the one of `options.from`. */
export async function importFiles(files: Files, options: Options = {}): Promise<Imported> {
  const root = mkdtempSync(join(tmpdir(), 'parley-import-'))
  const folder = join(root, 'into')
  try {
    blank ??= makeBlank()
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, 'parley.db'), blank, { mode: 0o600 })
    const report = await stageImport(
      {
        from: writeFolder(join(root, 'export'), files),
        into: folder,
        source: {},
        realmUrl: 'https://chat.example.org',
        clock: systemClock,
        config: defaultConfig,
        ...options,
      },
      unwatched,
    )
    const db = openDatabase(join(folder, 'parley.db'))
    return {
      report,
      folder,
      db,
      rows: (sql, ...values) => db.$client.prepare(sql).all(...values) as Record<string, unknown>[],
      close() {
        db.$client.close()
        rmSync(root, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(root, { recursive: true, force: true })
    throw error
  }
}

/** Imports these items, as a source of another system than Zulip yields them. */
export async function importItems(items: Iterable<Item>, options: Options = {}): Promise<Imported> {
  const source: Source = {
    name: 'talk',
    title: 'Talk',
    options: [],
    detect: () => true,
    async *read() {
      yield* items
    },
  }
  return await importFiles({ 'talk.json': '{}' }, { sources: [source], ...options })
}
