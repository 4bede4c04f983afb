import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import type { Server as HttpServer, RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { setupPath } from '#features/access/setup/pages.ts'
import { notifyUnseen } from '#features/messaging/messages/unseen.actions.ts'
import { narrowMatcher } from '#features/messaging/narrow/live.queries.ts'
import { canSendMail } from '#features/notifications/mail/actions.ts'
import { hasPushDevices } from '#features/notifications/notifications/pushes.queries.ts'
import { openWay } from '#features/notifications/notifications/queries.ts'
import { makeVapidKey } from '#features/notifications/web-push/actions.ts'
import { settleImport } from '#features/organization/import/import.actions.ts'
import { restartEvent } from '#features/organization/organization-settings/events.ts'
import { findRealm } from '#features/organization/realm/queries.ts'
import {
  type AdvancingClock,
  type Clock,
  type MovableClock,
  movableClock,
  systemClock,
} from '#platform/clock.ts'
import { type Config, defaultConfig } from '#platform/config.ts'
import type { Context, ServedData } from '#platform/context.ts'
import { createJournal } from '#platform/events/journal.ts'
import { createQueues, type LiveQueue, type QueueRequest } from '#platform/events/queues.ts'
import { createDiskFiles, createMemoryFiles } from '#platform/files/store.ts'
import { type ConnectionLimits, connectionLimits } from '#platform/http/connection-limits.ts'
import { guardConnections } from '#platform/http/connections.ts'
import type { App } from '#platform/http/mount.ts'
import { createPacing, noPacing } from '#platform/http/pacing.ts'
import { createRateLimits, noRateLimits } from '#platform/http/rate-limit.ts'
import { type Job, type Jobs, startJobs } from '#platform/jobs/jobs.ts'
import { createLog } from '#platform/log/log.ts'
import { logSlowCommit } from '#platform/log/slow.ts'
import { createMeters } from '#platform/metrics/meters.ts'
import { networkList } from '#platform/outgoing/addresses.ts'
import { isDiskFull } from '#platform/store/disk-full.ts'
import {
  checkpoint,
  type DataFolder,
  databaseIn,
  openFolder,
  removeDatabase,
  requireNothingLost,
} from '#platform/store/folder.ts'
import { openDatabase } from '#platform/store/open.ts'
import { keepReserve, releaseReserve, withRoom } from '#platform/store/reserve.ts'
import { createStore, type Read, type Tx } from '#platform/store/write.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { createApp } from './app.ts'
import { backUpBeforeUpgrade, backupBefore } from './backup/before-upgrade.ts'
import { regularBackups } from './backup/schedule.ts'
import { removeControlFile, writeControlFile } from './control/file.ts'
import { controlPath, mountControl } from './control/pages.ts'
import { directory } from './directory.ts'
import { jobs as allJobs, quotas as allQuotas, listeners } from './features.ts'
import { keepImage, knownImage } from './fixture/image.ts'
import { type FixturePages, mountFixture } from './fixture/pages.ts'
import { type FixtureOptions, seedFixture } from './fixture/seed.ts'
import { removeHalfSeeded, seedWhole } from './fixture/whole.ts'
import { createDoor } from './listening/door.ts'
import { requireFree } from './listening/listen.ts'
import { type MailDoor, openMailDoor } from './listening/mail.ts'
import type { Listening } from './listening/options.ts'
import { askForReleases } from './releases/jobs.ts'
import { fillSearchIndex } from './search-index.ts'
import { takesLong } from './task.ts'

export interface ServerOptions {
  /** The data folder, created if missing, or `:memory:`. */
  readonly data: string
  /** 0: any free port. */
  readonly port: number
  /** The interface to listen on; default: loopback. */
  readonly host?: string
  /** Creates the development organization and enables its endpoints. */
  readonly fixture?: boolean | FixtureOptions
  /**
   * Whether the development organization answers under other host names than `localhost`, and to
   * web pages of other hosts. Default: neither.
   */
  readonly expose?: boolean
  readonly config?: Partial<Config>
  readonly clock?: Clock
  readonly log?: Logger
  /** Watches what can take long before the server listens: a backup and migrations. */
  readonly task?: Task
  /** Default: HTTP on the port. */
  readonly listening?: Listening
  /** Connection limits that differ from the defaults. */
  readonly connectionLimits?: Partial<ConnectionLimits>
}

export interface Server {
  /** The scheme, host and port it listens on, or `unix:` and the path of its socket. */
  readonly url: string
  /** A reset of the fixture replaces its parts. */
  readonly context: Context
  /** The URL at which the first owner sets up the organization; undefined once set up. */
  readonly setupUrl: string | undefined
  /** Handles a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Resolves when no background job is due or running. */
  settled(): Promise<void>
  /** Reads the certificate again at once, or asks for one again if there is none. */
  reload(): void
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/**
 * Starts a server, for the command line, the tests and embedding programs alike.
 *
 * @throws DataRefused, such as FolderInUse; Error the port is taken
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const log =
    options.log ?? createLog(options.config?.logLevel ?? defaultConfig.logLevel, process.stdout.fd)
  const note = (text: string) => log.warn(text)
  const place = { host: options.host ?? '127.0.0.1', port: options.port }
  if (options.data !== ':memory:' && !existsSync(databaseIn(options.data))) {
    // A mistake should not leave a data folder behind.
    await requireFree(options.listening ?? {}, place)
  }
  const folder = options.data === ':memory:' ? undefined : openFolder(options.data, note)
  if (folder) removeHalfSeeded(folder)
  const file = folder?.database ?? ':memory:'
  const secret = randomBytes(32).toString('hex')
  /** The address it listens on, as far as that is an origin. */
  let url = 'http://localhost'
  /** Closed if the start fails, so that it leaves the database to the next one. */
  let opened: Context | undefined
  /** Requests wait for a running reset. */
  let resetting: Promise<void> | undefined
  const movable = options.fixture && !options.clock ? fixtureClock(options.fixture) : undefined
  const clock = options.clock ?? movable ?? systemClock
  const base = { ...options, clock, inMemory: !folder }
  const isNew = !folder || !existsSync(folder.database)
  let image = isNew ? knownImage(base) : undefined

  async function open(): Promise<Context> {
    if (image && folder) writeFileSync(folder.database, image.database, { mode: 0o600 })
    const task = { ...(options.task ?? unwatched), note }
    const context = openContext({ ...options, clock, log, task }, file, image?.database)
    opened = context
    context.realmUrl = context.config.externalUrl ?? loopback(url)
    context.startOver = () => {
      resetting ??= replaceData(deleteAll)
    }
    context.data = folder && { path: folder.path, ...served }
    if (options.fixture && !findRealm(context.store)) {
      const fixture = options.fixture === true ? {} : options.fixture
      const files = await seedWhole(folder, () => seedFixture(context, fixture, task))
      image = { database: context.store.db.$client.serialize(), files }
      keepImage(base, image)
    } else {
      await context.files.putAllFor(image?.files ?? [], async () => {})
    }
    await restoreQueues(context)
    await context.store.write(makeVapidKey)
    if (canSendMail(context.config)) openWay(context.store, 'email')
    if (hasPushDevices(context.store)) openWay(context.store, 'push')
    context.queues.dispatch(restartEvent(context), () => true)
    return context
  }

  function mount(): App {
    const addPages = (open: App) => {
      if (folder) mountControl(open, context, secret)
      if (!options.fixture) return
      fixturePages = mountFixture(open, {
        server: context,
        clock: 'advance' in clock ? (clock as AdvancingClock) : undefined,
        async reset() {
          context.startOver()
          await resetting
        },
        settled: () => jobs.settled(),
        mailDoor: () => mailDoor,
      })
    }
    return createApp(context, addPages, door.health)
  }

  /** Deletes the files of a store that nobody uses, closes it, and deletes its database. */
  async function deleteAll(): Promise<void> {
    const { store, files } = context
    files.removeAll()
    if (folder) {
      store.close()
      removeDatabase(folder.database)
    } else {
      // Afterwards, because it takes the longer the more was written.
      setImmediate(() => store.close())
    }
    movable?.rewind()
  }

  /** @param put closes the store, and replaces what is in the data folder */
  async function replaceData(put: () => Promise<void>): Promise<void> {
    const { queues } = context
    await jobs.stop()
    queues.stopWaiting()
    queues.shutDown()
    try {
      await put()
    } finally {
      // The same object: everybody who has it gets the new parts, at the cost of plain properties.
      Object.assign(context, await open())
      jobs = startJobs(context, jobsOf(context))
      resetting = undefined
    }
    const { setupUrl } = server
    if (setupUrl) context.log.warn({ setupUrl }, 'everything is deleted')
  }

  const stopping = new AbortController()
  const working = new Set<Promise<unknown>>()
  const served: Pick<ServedData, 'work' | 'replace'> = {
    async work(run) {
      stopping.signal.throwIfAborted()
      const work = run(stopping.signal)
      working.add(work)
      return await work.finally(() => working.delete(work))
    },
    async replace(put) {
      await resetting
      stopping.signal.throwIfAborted()
      resetting = replaceData(async () => {
        closeStore(context, folder)
        await put()
      })
      await resetting
    },
  }

  const limits = { ...connectionLimits, ...options.connectionLimits }
  const door = createDoor(options.listening ?? {}, {
    limits,
    folder: folder?.path,
    context: () => context,
  })
  const { http } = door
  const listener = getRequestListener((request, bindings) =>
    resetting ? resetting.then(() => app.fetch(request, bindings)) : app.fetch(request, bindings),
  )
  const proxies = options.config?.trustedProxies ?? []
  guardConnections(http, listener, limits, networkList(`127.0.0.0/8 ::1 ${proxies.join(' ')}`))
  let context: Context
  let app: App
  let fixturePages: FixturePages | undefined
  let address: string
  let jobs: Jobs
  let started: Jobs | undefined
  let mailDoor: MailDoor | undefined
  try {
    if (folder) await prepare(folder, options)
    context = await open()
    app = mount()
    address = await door.open(place)
    // The server must survive failing to accept a connection, for example without free file
    // descriptors.
    http.on('error', (error) => context.log.error({ err: error }, 'HTTP server'))
    const { mailListen } = context.config
    if (mailListen) mailDoor = await openMailDoor(context, mailListen)
    const isHttp = address.startsWith('http:')
    if (!address.startsWith('unix:')) url = address
    context.realmUrl = context.config.externalUrl ?? loopback(url)
    jobs = startJobs(context, jobsOf(context))
    started = jobs
    if (folder) {
      const control = isHttp ? loopback(url) : await door.openPrivately(controlOnly(() => app))
      writeControlFile(folder.path, { url: control, secret })
      keepReserve(folder.path)
    }
  } catch (error) {
    // In the order of a stop, as far as the start has come.
    await started?.stop()
    opened?.queues.stopWaiting()
    await mailDoor?.close()
    door.close()
    if (http.listening) await stopListening(http)
    opened?.queues.shutDown()
    if (opened) closeStore(opened, folder)
    if (folder) removeControlFile(folder.path)
    folder?.release()
    throw error
  }
  const server: Server = {
    url: address,
    get context() {
      return context
    },
    get setupUrl() {
      const { realmUrl, setupToken, store } = context
      return findRealm(store) ? undefined : `${realmUrl}${setupPath}?token=${setupToken}`
    },
    fetch: async (request) => await app.fetch(request),
    settled: () => jobs.settled(),
    reload: () => door.reload(),
    async close() {
      stopping.abort(new Error('The server stops.'))
      await Promise.allSettled(working)
      await resetting
      await jobs.stop()
      fixturePages?.stopFailing()
      const { queues, store } = context
      queues.stopWaiting()
      await mailDoor?.close()
      door.close()
      await stopListening(http)
      const writeLast = (fn: (tx: Tx) => void) =>
        store.write(fn).catch(async (error: unknown) => {
          if (!isDiskFull(error)) throw error
          if (folder) releaseReserve(folder.path)
          await store.write(fn)
        })
      try {
        // The events of what was written until now are in the queues once this write is done.
        await writeLast(() => {})
        await writeLast(queues.recordEnd)
      } catch (error) {
        // They go on as after a crash; a full disk must not keep the server from stopping.
        context.log.error({ err: error }, 'the end of the event queues was not stored')
      }
      queues.shutDown()
      closeStore(context, folder)
      if (folder) removeControlFile(folder.path)
      folder?.release()
    },
  }
  return server
}

/**
 * Closes the database once nobody writes any more. Its log is written into it first, for which a
 * full disk has the reserve: otherwise the next one to open the database would need that room.
 */
export function closeStore({ store, log }: Context, folder: DataFolder | undefined): void {
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

/** The clock of the development organization, which tests can move. */
function fixtureClock(fixture: true | FixtureOptions): MovableClock {
  const stopped = fixture === true ? undefined : fixture.clock
  return movableClock(stopped === undefined ? systemClock.now : () => stopped)
}

/**
 * Makes a data folder ready to be opened: a backup comes before a migration, unless refused.
 *
 * @throws DataRefused the database is missing, another program's or a newer version's
 */
export async function prepare(
  folder: DataFolder,
  { config, task }: Pick<ServerOptions, 'config' | 'task'>,
): Promise<void> {
  await settleImport(folder)
  requireNothingLost(folder)
  if (config?.backupBeforeUpgrade ?? defaultConfig.backupBeforeUpgrade) {
    await backUpBeforeUpgrade(folder.database, task)
  }
}

/**
 * Opens a database with its files and queues, without serving it.
 *
 * @param image as of `openDatabase`
 */
export function openContext(
  options: Omit<ServerOptions, 'port'>,
  file: string,
  image?: Buffer,
): Context {
  const clock = options.clock ?? systemClock
  const fixture = Boolean(options.fixture)
  const config: Config = {
    ...defaultConfig,
    ...(fixture && { rateLimits: false, webPublicChannels: true }),
    ...options.config,
    fixture,
    keepMail: fixture && (options.config?.keepMail ?? true),
    behindSocket: options.listening?.socket !== undefined,
    localOnly: fixture && !options.expose,
  }
  requireKnown(config.quotas)
  const db = openDatabase(file, {
    shared: config.sharedDatabase,
    ...(image && { image }),
    onMigration: (done, total) =>
      options.task?.report('Migrating the database', done, total, takesLong(file)),
    onMigrated(from, to) {
      const backup = backupBefore(file, from)
      const before = existsSync(backup) ? ` A backup from before is in ${backup}.` : ''
      options.task?.note?.(`The database was migrated from schema ${from} to ${to}.${before}`)
    },
  })
  fillSearchIndex({ db, clock, config }, options.task)
  const queues = createQueues({
    clock,
    heartbeatSeconds: config.heartbeatSeconds,
    matcher: (request) => narrowMatcher(store, request),
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
      logSlowCommit(log, times)
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
    realmUrl: config.externalUrl ?? 'http://localhost',
    startOver() {
      throw new Error('Only a running server can start over.')
    },
    data: undefined,
    setupToken: randomBytes(32).toString('hex'),
    log,
    meters,
    startedAt: Math.floor(clock.now() / 1000),
  }
}

/** Whether who opened an event queue is still active, and the session that did still exists. */
function mayUse(read: Read, { userId, sessionId }: QueueRequest): boolean {
  if (!directory.findUser(read, userId)?.isActive) return false
  return sessionId === undefined || directory.hasSession(read, sessionId)
}

/** Opens the event queues again that the database holds, for the events of the next writes. */
export async function restoreQueues({ store, queues, log }: Context): Promise<void> {
  for (const err of await store.write(queues.restore)) {
    log.error({ err }, 'a stored event queue could not be read')
  }
}

function jobsOf({ config, store }: Context): readonly Job[] {
  const { backups, releasesUrl } = config
  return [
    ...allJobs,
    ...(backups && !store.db.$client.memory ? [regularBackups(backups)] : []),
    ...(releasesUrl === null ? [] : [askForReleases(releasesUrl)]),
  ]
}

/** @throws Error an unknown limit */
function requireKnown(changed: Config['quotas']): void {
  const names = allQuotas.map(({ name }) => name)
  const unknown = Object.keys(changed).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new Error(`There is no limit '${unknown}'. The limits are: ${names.sort().join(', ')}.`)
}

/** Takes the operator's commands, and nothing else. */
function controlOnly(app: () => App): RequestListener {
  return getRequestListener(async (request, bindings) =>
    new URL(request.url).pathname === controlPath
      ? await app().fetch(request, bindings)
      : new Response(null, { status: 404 }),
  )
}

/** How long to wait for open connections when stopping, in milliseconds. */
const stopGrace = 3000

/** Closes each connection once its request is answered; parked polls have just been answered. */
function stopListening(http: HttpServer): Promise<void> {
  return new Promise((done) => {
    const sweep = setInterval(() => http.closeIdleConnections(), 10)
    const cut = setTimeout(() => http.closeAllConnections(), stopGrace)
    http.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      done()
    })
  })
}

/** The URL with the loopback address in place of the address for all interfaces. */
function loopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
