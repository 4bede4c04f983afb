import { readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { listMessages, newestMessageId } from '#features/foundation/core/queries.ts'
import { archiveFiles } from '#features/organization/exports/archive/writing.queries.ts'
import { type TarEntry, tar } from '#features/organization/exports/tar.ts'
import type { ZulipRelease } from '#features/organization/exports/zulip/format.ts'
import { planExport } from '#features/organization/exports/zulip/plan.queries.ts'
import { zulipFiles } from '#features/organization/exports/zulip/writing.queries.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import type { Task } from '#platform/task.ts'
import { sentSentence } from '#translations/translate.ts'
import { openCopy, scratchPlace } from './copy.queries.ts'
import type { HistoryFormat, HistoryScope } from './scopes.ts'
import type { HistorySource } from './source.ts'

/** Which export of the history to make. */
export interface HistoryRequest {
  readonly format: HistoryFormat
  readonly scope: HistoryScope
  /** The release that is to import it; only for `zulip`. */
  readonly release: ZulipRelease
  /** Only for `zulip`: see `zulipFiles`. */
  readonly leanFlags: boolean
}

const state = perDatabase(() => ({ isRunning: false }))

const draftPrefix = '.export-'

/**
 * Makes an archive of the history, of one moment, while the server runs: from a copy of the
 * database, and in short steps between which others get their turn.
 *
 * @param keep takes the bytes of a `.tar.gz`
 * @returns what `keep` returned, and sentences on what was left out
 * @throws BAD_REQUEST another one is being made
 */
export async function makeHistory<T>(
  read: Read,
  { files, realmUrl }: Pick<Context, 'files' | 'realmUrl'>,
  request: HistoryRequest,
  task: Task,
  keep: (archive: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<{ readonly kept: T; readonly notes: readonly string[] }> {
  const one = state(read)
  if (one.isRunning) throw badRequest(sentSentence('Another export is still in progress.'))
  one.isRunning = true
  // Files of the copied database must not be removed before they are in the archive.
  const release = files.hold()
  const { isOwn, parent } = scratchPlace(read)
  let folder: string | undefined
  try {
    if (isOwn) removeDrafts(parent)
    folder = await mkdtemp(join(parent, draftPrefix))
    const copy = await openCopy(read, folder, task)
    try {
      const source = { ...task, files, folder }
      const { entries, notes } = entriesOf(copy.read, source, request, new URL(realmUrl))
      const archive = Readable.from(tar(entries, timeOf(copy.read)))
      const kept = await keep(archive.compose(createGzip(), { signal: task.signal }))
      return { kept, notes: notes() }
    } finally {
      copy.close()
    }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    release()
    one.isRunning = false
  }
}

function entriesOf(
  read: Read,
  source: HistorySource,
  { format, leanFlags, release, scope }: HistoryRequest,
  url: URL,
): { readonly entries: AsyncIterable<TarEntry>; readonly notes: () => readonly string[] } {
  if (format === 'archive') {
    return { entries: archiveFiles(read, source, scope, url), notes: () => [] }
  }
  const plan = planExport(read, { host: url.hostname, release, scope })
  return { entries: zulipFiles(plan, source, leanFlags), notes: plan.notes.lines }
}

/** Left by a killed process. */
function removeDrafts(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(draftPrefix)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** The time of all files: that of the newest message, so that equal exports are equal files. */
function timeOf(read: Read): number {
  const [newest] = listMessages(read, [newestMessageId(read)])
  return newest?.sentAt ?? 0
}
