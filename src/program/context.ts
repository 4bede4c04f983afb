import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { newestMessageId } from '#features/foundation/core/queries.ts'
import { listMissed, listMissedIds } from '#features/messaging/messages/missed.queries.ts'
import { notifyUnseen } from '#features/messaging/messages/unseen.actions.ts'
import { narrowMatcher } from '#features/messaging/narrow/live.queries.ts'
import { settleImport } from '#features/organization/imports/import.actions.ts'
import { systemClock } from '#platform/clock.ts'
import { type Config, defaultConfig } from '#platform/config.ts'
import type { ServedData, SystemContext } from '#platform/context.ts'
import { createJournal } from '#platform/events/journal.ts'
import { createQueues, type LiveQueue, type QueueRequest } from '#platform/events/queues.ts'
import { createDiskFiles, createMemoryFiles } from '#platform/files/store.ts'
import { createPacing, noPacing } from '#platform/http/pacing.ts'
import { createRateLimits, noRateLimits } from '#platform/http/rate-limit.ts'
import { createLog } from '#platform/log/log.ts'
import { logSlowCommit } from '#platform/log/slow.ts'
import { createMeters } from '#platform/metrics/meters.ts'
import { checkpoint, type DataFolder, requireNothingLost } from '#platform/store/folder.ts'
import { openDatabase } from '#platform/store/open.ts'
import { withRoom } from '#platform/store/reserve.ts'
import type { Read } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'
import { backUpBeforeUpgrade, backupBefore } from './backup/before-upgrade.ts'
import { requireKnownLimits } from './config.ts'
import { directory } from './directory.ts'
import { removeLeftDrafts } from './drafts.ts'
import { listeners } from './features.ts'
import type { ServerOptions } from './server.ts'
import { takesLong } from './task.ts'

/**
 * Closes the database once nobody writes anymore. Merges its log first, with the room of the
 * reserve on a full disk: otherwise the next process to open the database would need that room.
 */
export function closeStore({ store, log }: SystemContext, folder: DataFolder | undefined): void {
  const { $client } = store.db
  try {
    if (folder)
      withRoom(
        folder.path,
        (text) => log.warn(text),
        () => checkpoint($client),
      )
  } catch (error) {
    log.error({ err: error }, 'the log of the database stays beside it')
  }
  store.close()
}

/**
 * Makes a data folder ready to be opened: makes a backup before a migration, unless that is turned
 * off.
 *
 * @throws DataRefused the database is missing, another program's or a newer version's
 */
export async function prepare(
  folder: DataFolder,
  { config, task }: Pick<ServerOptions, 'config' | 'task'>,
): Promise<void> {
  await settleImport(folder)
  for (const each of foldersOfDrafts(folder.path)) await removeLeftDrafts(each)
  requireNothingLost(folder)
  if (config?.backupBeforeUpgrade ?? defaultConfig.backupBeforeUpgrade) {
    await backUpBeforeUpgrade(folder.database, task)
  }
}

/** Where a server, or a command on its data, may have been killed while it made a draft. */
function foldersOfDrafts(data: string): string[] {
  const inData = ['', 'before-upgrade', 'backups'].map((name) => join(data, name))
  return isSea() ? [...inData, dirname(process.execPath)] : inData
}

export interface ContextOptions extends Omit<ServerOptions, 'port'> {
  /** The origin that the server has unless one is configured. */
  readonly address?: string | undefined
  /** As `Context.startOver`; absent: the server does not run. */
  readonly startOver?: () => void
  readonly served?: ServedData | undefined
  /** Whether the data is only being made, so that nobody waits for a slow commit. */
  readonly isFilling?: () => boolean
}

/** The origin of a server that does not listen yet. */
export const unknownUrl = 'http://localhost'

function notRunning(): never {
  throw new Error('Only a running server can be reset.')
}

/**
 * Opens a database with its files and queues, without serving it. Writes nothing but migrations: a full
 * disk has no room.
 *
 * @param snapshot as of `openDatabase`
 */
export function openContext(
  options: ContextOptions,
  file: string,
  snapshot?: Buffer,
): SystemContext {
  const clock = options.clock ?? systemClock
  const config = configOf(options)
  requireKnownLimits(config.quotas)
  const db = openDatabase(file, {
    shared: config.sharedDatabase,
    ...(snapshot && { snapshot }),
    onMigration: (done, total) =>
      options.task?.report('Migrating the database', done, total, takesLong(file)),
    onMigrated(from, to) {
      const backup = backupBefore(file, from)
      const before = existsSync(backup)
        ? ` The backup from before the migration is in ${backup}.`
        : ''
      options.task?.note?.(`The database was migrated from schema ${from} to ${to}.${before}`)
    },
  })
  const queues = createQueues({
    clock,
    heartbeatSeconds: config.heartbeatSeconds,
    matcher: (request) => narrowMatcher(store, request),
    missed: {
      newest: () => newestMessageId(store),
      list: (...asked) => listMissed(store, ...asked),
      listIds: (...asked) => listMissedIds(store, ...asked),
    },
    ...(file !== ':memory:' && {
      journal: createJournal<LiveQueue>(clock, () => store.write(() => {})),
    }),
    mayUse,
    onSilence(userId, messageIds) {
      store
        .write((tx) => notifyUnseen(tx, userId, messageIds))
        .catch((error: unknown) => log.error({ err: error }, 'missed messages were not noted'))
    },
  })
  const log = options.log ?? createLog(config.logLevel, process.stdout.fd)
  const meters = createMeters()
  const store = createStore(
    db,
    clock,
    config,
    queues,
    (error) => log.error({ err: error }, 'after a commit'),
    (times) => {
      meters.commit(times)
      if (!options.isFilling?.()) logSlowCommit(log, times)
    },
    listeners,
  )
  const files =
    file === ':memory:'
      ? createMemoryFiles(store)
      : createDiskFiles(store, join(dirname(file), 'files'))
  return {
    store,
    queues,
    files,
    directory,
    rateLimits: config.rateLimits ? createRateLimits(clock) : noRateLimits,
    pacing: config.rateLimits ? createPacing(clock.elapsed) : noPacing,
    clock,
    config,
    realmUrl: config.externalUrl ?? options.address ?? unknownUrl,
    startOver: options.startOver ?? notRunning,
    data: options.served,
    setupToken: randomBytes(32).toString('hex'),
    log,
    meters,
    startedAt: Math.floor(clock.now() / 1000),
  }
}

function configOf(options: ContextOptions): Config {
  const fixture = Boolean(options.fixture)
  return {
    ...defaultConfig,
    ...(fixture && { rateLimits: false, webPublicChannels: true }),
    ...options.config,
    fixture,
    keepMail: fixture && (options.config?.keepMail ?? true),
    behindSocket: options.listening?.socket !== undefined,
    localOnly: fixture && !options.expose,
  }
}

/**
 * Whether the account that opened an event queue is still active, and its session still exists.
 */
function mayUse(read: Read, { userId, sessionId }: QueueRequest): boolean {
  if (!directory.findUser(read, userId)?.isActive) return false
  return sessionId === undefined || directory.hasSession(read, sessionId)
}

/** Reopens the stored event queues, for the events of the next writes. */
export async function restoreQueues({ store, queues, log }: SystemContext): Promise<void> {
  for (const err of await store.write((tx) => queues.restore(tx))) {
    log.error({ err }, 'a stored event queue could not be read')
  }
}
