import { createWriteStream, existsSync } from 'node:fs'
import { link, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { HistoryRequest } from '#features/organization/exports/history/making.actions.ts'
import type { SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { syncFolder } from '#platform/files/contents.ts'
import { explain } from '#platform/store/refusals.ts'
import type { Task } from '#platform/task.ts'
import { newDraft, removeLeftDrafts } from '#program/drafts.ts'
import type { CommandResult } from '#program/task.ts'

/**
 * Writes an export of the history to a file, while the server runs. The file gets its name once it is
 * whole and on disk; if anything fails, nothing is left.
 *
 * @param to an absolute path
 * @throws BAD_REQUEST the file exists or cannot be written, or another export is being made
 */
export async function exportHistory(
  server: SystemContext,
  { to, ...request }: HistoryRequest & { readonly to: string },
  task: Task,
): Promise<CommandResult> {
  if (existsSync(to)) throw badRequest(`${to} already exists. Name a new file.`)
  await removeLeftDrafts(dirname(to))
  const draft = newDraft(to)
  try {
    const { makeHistory } = await import('#features/organization/exports/history/making.actions.ts')
    const { notes } = await makeHistory(server.store, server, request, task, (archive) =>
      pipeline(archive, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), {
        signal: task.signal,
      }),
    )
    const { size } = await stat(draft)
    // Unlike a rename, this never replaces a file that has appeared meanwhile.
    await link(draft, to)
    await syncFolder(dirname(to))
    const said = notes.map((note) => `- ${note}\n`).join('')
    return {
      output: `Exported the history to ${to} (${(size / 1024 / 1024).toFixed(1)} MiB).\n${said === '' ? '' : `Notes:\n${said}`}`,
    }
  } catch (error) {
    task.signal.throwIfAborted()
    if (error instanceof Error && 'code' in error && !('status' in error)) {
      // Only the data folder's own database is one.
      const isOurs = String(error.code).startsWith('SQLITE_')
      const at = isOurs ? server.store.db.$client.name : to
      throw badRequest(`The export failed: ${explain(error, at)}`)
    }
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
