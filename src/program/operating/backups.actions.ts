import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { emitServerBackups } from '#features/organization/organization-settings/operating.events.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { explain } from '#platform/store/refusals.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { unwatched } from '#platform/task.ts'
import { backUp } from '#program/backup/backup.ts'
import { sentSentence } from '#translations/translate.ts'
import { requireOperator } from './rules.ts'

/** How many backups from the browser are kept: an owner deletes one before they make another. */
export const mostBackups = 5

/** The names of backups from the browser: nothing else in their folder is listed or served. */
const pattern = /^parley-\d{8}T\d{6}Z\.tar\.gz$/

interface BackupRequest {
  readonly name: string
  /** In seconds since the epoch. */
  readonly at: number
}

/**
 * The state of a requested backup. It is the end of the name of an empty file beside the backup, so
 * that it survives a restart. A backup that is `begun` when the server starts is not tried again,
 * because it may have ended the server.
 */
type Mark = 'requested' | 'begun'

interface State {
  wanted: BackupRequest | undefined
  /** Why the last one failed. */
  problem: string | null
}

const known = perDatabase((db): State => {
  const folder = folderOf({ db })
  const requested = folder && findMarked(folder, 'requested')
  if (requested) return { wanted: { name: requested, at: 0 }, problem: null }
  const lost = folder && findMarked(folder, 'begun')
  return {
    wanted: undefined,
    problem: lost ? 'The server stopped before the backup was finished. Make another one.' : null,
  }
})

/** The name of the backup that has a mark but does not exist. */
function findMarked(folder: string, mark: Mark): string | undefined {
  let names: string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    // No backup was ever made.
  }
  const suffix = `.${mark}`
  return names
    .flatMap((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : []))
    .find((name) => pattern.test(name) && !names.includes(name))
}

/** Marks a backup. Only one has a mark. @param mark undefined: it is finished, or has failed */
async function markBackup(folder: string, name: string, mark: Mark | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const marked = mark && `${name}.${mark}`
  if (marked) await writeFile(join(folder, marked), '')
  for (const other of await readdir(folder)) {
    const isMark = other.endsWith('.requested') || other.endsWith('.begun')
    if (isMark && other !== marked) await rm(join(folder, other), { force: true })
  }
}

/** The state of the backup that is being made, or of the last one. */
export const backupState = (read: Read): Readonly<State> => known(read)

export interface BackupFile {
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** In seconds since the epoch. */
  readonly madeAt: number
}

/** Undefined: the data is in memory. */
function folderOf({ db }: Pick<Read, 'db'>): string | undefined {
  const { name, memory } = db.$client
  return memory ? undefined : join(dirname(name), 'backups')
}

/** Whether this server has data on disk that can be backed up. */
export const canBackUp = (read: Read): boolean => folderOf(read) !== undefined

/** The backups that owners made, newest first. */
export async function listBackups(read: Read): Promise<BackupFile[]> {
  const folder = folderOf(read)
  const names = folder ? await readdir(folder).catch(() => []) : []
  const files = names
    .filter((name) => pattern.test(name))
    .map(async (name) => {
      const path = join(folder ?? '', name)
      // Another owner may delete it meanwhile.
      const found = await stat(path).catch(() => undefined)
      if (!found) return []
      return [{ name, path, bytes: found.size, madeAt: Math.floor(found.mtimeMs / 1000) }]
    })
  return (await Promise.all(files)).flat().sort((a, b) => b.name.localeCompare(a.name))
}

/** @throws NOT_FOUND no such backup */
export async function accessBackup(read: Read, name: string): Promise<BackupFile> {
  const found = (await listBackups(read)).find((file) => file.name === name)
  if (!found)
    throw new ApiError('NOT_FOUND', sentSentence('No such backup'), {}, { parameter: 'name' })
  return found
}

/**
 * Lets a job make a backup: one compressed file in the folder `backups` of the data folder.
 *
 * @returns its name
 * @throws BAD_REQUEST one is being made, as many are kept as may be, or the data is in memory
 * @throws UNAUTHORIZED_PRINCIPAL
 */
export async function requestBackup({ store, server }: Caller): Promise<string> {
  const folder = folderOf(store)
  if (!folder) throw badRequest(sentSentence('This server keeps its data in memory.'))
  const { length } = await listBackups(store)
  const state = known(store)
  if (state.wanted)
    throw badRequest(sentSentence('Another backup is being made. Wait until it is done.'))
  if (length >= mostBackups)
    throw badRequest(sentSentence('Delete a backup first (limit: {count})', { count: mostBackups }))
  const time = new Date(server.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')
  const wanted = { name: `parley-${time}.tar.gz`, at: seconds(server.clock) }
  // Before the write, so that of two requests at a time one is refused.
  state.wanted = wanted
  try {
    await markBackup(folder, wanted.name, 'requested')
    await store.write((tx, user) => {
      requireOperator(server, user)
      emitServerBackups(tx)
      wakeJobs(tx)
    })
  } catch (error) {
    state.wanted = undefined
    await markBackup(folder, wanted.name, undefined).catch(() => undefined)
    if (error instanceof ApiError) throw error
    throw badRequest(sentSentence('The backup failed: {reason}', { reason: explain(error) }))
  }
  return wanted.name
}

/**
 * How long the address of a backup is valid, in milliseconds; a running download continues after
 * that.
 */
const ticketMs = 5 * 60 * 1000
/** How many such addresses are remembered: the oldest are forgotten first. */
const mostTickets = 100

interface Ticket {
  readonly name: string
  readonly sessionId: string
  /** As `Clock.elapsed`. */
  readonly endsAt: number
}

const tickets = perDatabase(() => new Map<string, Ticket>())

/** Lets a session download a backup. @returns the secret of its address */
export function makeTicket({ store, sessionId = '' }: Caller, name: string): string {
  const all = tickets(store)
  const [oldest] = all.keys()
  if (all.size >= mostTickets && oldest !== undefined) all.delete(oldest)
  const key = randomBytes(32).toString('hex')
  all.set(key, { name, sessionId, endsAt: store.clock.elapsed() + ticketMs })
  return key
}

/** Whether the session of a caller may download a backup by the secret of its address. */
export function holdsTicket({ store, sessionId }: Caller, name: string, key: string): boolean {
  const ticket = tickets(store).get(key)
  if (!ticket || ticket.endsAt <= store.clock.elapsed()) return false
  return ticket.name === name && ticket.sessionId === sessionId
}

/** Deletes a backup. @throws NOT_FOUND; UNAUTHORIZED_PRINCIPAL */
export async function removeBackup({ store, server }: Caller, name: string): Promise<void> {
  const { path } = await accessBackup(store, name)
  await store.write((_, user) => requireOperator(server, user))
  await rm(path, { force: true })
  // Only now: clients fetch what is there.
  await store.write((tx) => emitServerBackups(tx))
}

/** Makes the backup that an owner asked for, even if that was before a restart. */
export const makeWantedBackup: Job = {
  name: 'backup on request',
  dueAt: (read) => known(read).wanted?.at,
  async run(server, stopping) {
    const state = known(server.store)
    const folder = folderOf(server.store)
    const { wanted } = state
    if (!wanted || !folder) return
    state.problem = await problemOf(server, folder, wanted.name, stopping)
    // It is made when the server starts again.
    if (stopping.aborted && state.problem === null) return
    state.wanted = undefined
    await server.store.write((tx: Tx) => emitServerBackups(tx))
  },
}

/** Makes it. @returns what went wrong, or is missing in it; null: nothing */
async function problemOf(
  server: SystemContext,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  let next: Mark | undefined
  try {
    await markBackup(folder, name, 'begun')
    const { missing } = await backUp(server, join(folder, name), { ...unwatched, signal })
    return missing.length > 0 ? `Files that were missing: ${missing.length}.` : null
  } catch (error) {
    if (signal.aborted) {
      next = 'requested'
      return null
    }
    server.log.error({ err: error }, 'backup on request failed')
    return error instanceof ApiError ? error.message : explain(error)
  } finally {
    await markBackup(folder, name, next).catch((error) => {
      server.log.error({ err: error }, 'marking a backup failed')
    })
  }
}
