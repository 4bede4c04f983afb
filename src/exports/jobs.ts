import { addAbortSignal, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import type { Job } from '#jobs/jobs.ts'
import { finishExport } from './actions.ts'
import { exportFiles } from './contents.ts'
import { findPendingExport, type RealmExport } from './queries.ts'
import { tar } from './tar.ts'

/** Makes the exports that administrators asked for; after a restart the one that was under way. */
export const makeExports: Job = {
  name: 'make exports',
  dueAt: (read) => findPendingExport(read)?.requestedAt,
  async run(server, stopping) {
    const { store, log } = server
    const wanted = findPendingExport(store)
    if (!wanted) return
    const hash = await pack(server, wanted, stopping).catch((error: unknown) => {
      if (!stopping.aborted) log.error({ export: wanted.id, err: error }, 'export failed')
      return null
    })
    if (hash === null && stopping.aborted) return
    await store.write((tx) => finishExport(tx, server, wanted, hash))
  },
}

async function pack(server: Context, wanted: RealmExport, stopping: AbortSignal): Promise<string> {
  const archive = tar(exportFiles(server, wanted), seconds(server.clock))
  const packed = addAbortSignal(stopping, createGzip())
  Readable.from(archive)
    .on('error', (error) => packed.destroy(error))
    .pipe(packed)
  const { hash } = await server.files.putStream(packed, Number.POSITIVE_INFINITY)
  return hash
}
