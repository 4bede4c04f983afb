import { addAbortSignal, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { finishExport } from './actions.ts'
import { exportFiles } from './contents.queries.ts'
import { findPendingExport, type RealmExport } from './queries.ts'
import { tar } from './tar.ts'

/** Makes the requested exports. One that a restart interrupts is made again from the start. */
export const makeExports: Job = {
  name: 'make exports',
  dueAt: (read) => (findPendingExport(read) ? seconds(read.clock) : undefined),
  async run(server, stopping) {
    const { store, log } = server
    const realmExport = findPendingExport(store)
    if (!realmExport) return
    const hash = await pack(server, realmExport, stopping).catch((error: unknown) => {
      if (!stopping.aborted) log.error({ export: realmExport.id, err: error }, 'export failed')
      return null
    })
    if (hash === null && stopping.aborted) return
    await store.write((tx) => finishExport(tx, server, realmExport, hash))
  },
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
