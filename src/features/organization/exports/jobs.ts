import { addAbortSignal, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Task } from '#platform/task.ts'
import { finishExport } from './actions.ts'
import { exportFiles } from './contents.queries.ts'
import { progressOf } from './history/progress.queries.ts'
import { findPendingExport, type RealmExport } from './queries.ts'
import { tar } from './tar.ts'
import { zulipReleases } from './zulip/format.ts'

/** Makes the requested exports. One that a restart interrupts is made again from the start. */
export const makeExports: Job = {
  name: 'make exports',
  dueAt: (read) => (findPendingExport(read) ? seconds(read.clock) : undefined),
  async run(server, stopping) {
    const { store, log } = server
    const realmExport = findPendingExport(store)
    if (!realmExport) return
    const made = await make(server, realmExport, stopping).catch((error: unknown) => {
      if (!stopping.aborted) log.error({ export: realmExport.id, err: error }, 'export failed')
      return undefined
    })
    if (!made && stopping.aborted) return
    await store.write((tx) =>
      finishExport(tx, server, realmExport, made?.hash ?? null, made?.notes),
    )
  },
}

async function make(
  server: SystemContext,
  realmExport: RealmExport,
  stopping: AbortSignal,
): Promise<{ readonly hash: string; readonly notes?: readonly string[] }> {
  const { format, id, type: scope, zulipRelease } = realmExport
  if (format === 'parley') return { hash: await pack(server, realmExport, stopping) }
  const progress = progressOf(server.store)
  const task: Task = {
    signal: stopping,
    report: (step, done, total) => progress.set(id, { step, done, total }),
  }
  try {
    const release = zulipReleases.find((each) => each === zulipRelease) ?? zulipReleases[0]
    const { makeHistory } = await import('./history/making.actions.ts')
    const { kept, notes } = await makeHistory(
      server.store,
      server,
      { format, scope, release, leanFlags: false },
      task,
      (archive) => server.files.putStream(archive, Number.POSITIVE_INFINITY),
    )
    return { hash: kept.hash, notes }
  } finally {
    progress.delete(id)
  }
}

async function pack(
  server: SystemContext,
  realmExport: RealmExport,
  stopping: AbortSignal,
): Promise<string> {
  const archive = tar(exportFiles(server, realmExport), seconds(server.clock))
  const packed = addAbortSignal(stopping, createGzip())
  Readable.from(archive)
    .on('error', (error) => packed.destroy(error))
    .pipe(packed)
  const { hash } = await server.files.putStream(packed, Number.POSITIVE_INFINITY)
  return hash
}
