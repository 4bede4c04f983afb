import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { uploadSpaceUsed } from '#features/files/attachments/queries.ts'
import { canSendMail } from '#features/foundation/mail/actions.ts'
import { listExports } from '#features/organization/exports/queries.ts'
import type { serverStatusMembers } from '#features/organization/organization-settings/operating.shapes.ts'
import type { SystemContext } from '#platform/context.ts'
import { listPictures } from '#platform/files/queries.ts'
import type { FileStore } from '#platform/files/store.ts'
import { newerRelease } from '#platform/health/newer-release.ts'
import { healthResults } from '#platform/health/results.ts'
import type { MembersOf } from '#platform/shape.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import { parleyVersion, zulipVersion } from '#platform/version.ts'
import { lastBackup } from '#program/backup/schedule.ts'
import { backupState, canBackUp, listBackups, mostBackups } from './backups.actions.ts'

/** The health and the storage of the server. */
export async function serverStatus(
  server: SystemContext,
): Promise<Omit<MembersOf<typeof serverStatusMembers>, 'confirmation'>> {
  const { store, config, startedAt } = server
  const backups = await listBackups(store)
  const { wanted, problem } = backupState(store)
  return {
    version: parleyVersion,
    newer_release: newerRelease(store),
    asks_for_releases: config.releasesUrl !== null,
    zulip_version: zulipVersion,
    started_at: startedAt,
    health: healthResults(server).map((result) => ({
      name: result.name,
      problem: result.problem ?? null,
    })),
    storage: [
      { use: 'database', bytes: databaseBytes(store) },
      { use: 'uploads', bytes: uploadSpaceUsed(store) },
      { use: 'pictures', bytes: await pictureBytes(server) },
      { use: 'exports', bytes: await exportBytes(server) },
      { use: 'backups', bytes: backups.reduce((sum, { bytes }) => sum + bytes, 0) },
    ],
    free_bytes: freeBytes(store),
    mail_configured: canSendMail(config),
    can_back_up: canBackUp(store),
    backups: backups.map(({ name, bytes, madeAt }) => ({ name, bytes, made_at: madeAt })),
    most_backups: mostBackups,
    backup_running: wanted !== undefined,
    backup_problem: problem,
    regular_backups: regularBackups(server),
  }
}

function regularBackups({ config: { backups }, store }: SystemContext) {
  if (!backups) return null
  const { succeededAt = null, size = null, problem = null } = lastBackup(store) ?? {}
  const { hours, keep } = backups
  return { hours, keep, succeeded_at: succeededAt, bytes: size, problem }
}

/** Including its log. */
function databaseBytes({ db }: Read): number {
  const { name, memory } = db.$client
  if (memory) {
    const pages = db.$client.pragma('page_count', { simple: true }) as number
    return pages * (db.$client.pragma('page_size', { simple: true }) as number)
  }
  const files = [name, `${name}-wal`].filter((file) => existsSync(file))
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}

async function exportBytes({ store, files }: SystemContext): Promise<number> {
  return await sizeOf(
    files,
    listExports(store).flatMap(({ fileHash }) => fileHash ?? []),
  )
}

async function sizeOf(files: FileStore, hashes: readonly string[]): Promise<number> {
  const sizes = await Promise.all(hashes.map((hash) => files.size(hash)))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

/** How long a count of the pictures holds, in milliseconds: it looks at each file. */
const countHolds = 10 * 60_000

const counted = perDatabase((): { at: number; bytes: Promise<number> | undefined } => ({
  at: 0,
  bytes: undefined,
}))

/** The size of the pictures that the server has made, as counted recently. */
async function pictureBytes({ store, files, clock }: SystemContext): Promise<number> {
  const count = counted(store)
  const now = clock.elapsed()
  if (!count.bytes || now - count.at >= countHolds) {
    count.at = now
    count.bytes = countPictures(store, files)
    count.bytes.catch(() => {
      count.bytes = undefined
    })
  }
  return await count.bytes
}

async function countPictures(store: Read, files: FileStore): Promise<number> {
  let bytes = 0
  for (const hashes of listPictures(store)) bytes += await sizeOf(files, hashes)
  return bytes
}

function freeBytes({ db }: Read): number | null {
  const { name, memory } = db.$client
  if (memory) return null
  const { bavail, bsize } = statfsSync(dirname(name))
  return bavail * bsize
}
