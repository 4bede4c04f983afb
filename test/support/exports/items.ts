import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchive } from '#features/organization/imports/archive/archive.ts'
import { watchReads } from '#features/organization/imports/archive/unread.ts'
import { Notes, type TableReport } from '#features/organization/imports/report.ts'
import type { Source, SourceOptions } from '#features/organization/imports/source.ts'
import { findSource } from '#features/organization/imports/sources.ts'
import type { Item } from '#features/organization/imports/stream.ts'
import { systemClock } from '#platform/clock.ts'
import { type Files, writeFolder } from './archives.ts'

/** What a source makes of an export. */
export interface Told {
  /** The name of the source that took it. */
  readonly source: string
  readonly items: readonly Item[]
  readonly report: Readonly<Partial<Record<string, TableReport>>>
}

/** Reads the items of an export with these files. @param format default: found by the files */
export async function itemsOf(
  files: Files,
  options: SourceOptions = {},
  format?: string,
  sources?: readonly Source[],
): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-items-'))
  const notes = new Notes()
  const { signal } = new AbortController()
  try {
    const path = writeFolder(join(folder, 'export'), files)
    const archive = await openArchive(path, { scratch: folder, notes, signal })
    const source = await findSource(archive, format, sources)
    const items: Item[] = []
    const watched = watchReads(archive)
    const server = { config: { allowedNetworks: ['127.0.0.1'] }, clock: systemClock }
    const reading = { archive: watched, scratch: folder, options, notes, server, signal }
    for await (const item of source.read(reading)) {
      items.push(item)
    }
    for (const unread of watched.unread()) notes.skipped('other', 'unread-file', unread)
    return { source: source.name, items, report: notes.tables() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
