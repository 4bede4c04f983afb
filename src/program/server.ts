import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { setupPath } from '#features/access/setup/pages.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { makeVapidKey } from '#features/notifications/web-push/actions.ts'
import { restartEvent } from '#features/organization/organization-settings/events.ts'
import {
  type AdvancingClock,
  type Clock,
  type MovableClock,
  movableClock,
  systemClock,
} from '#platform/clock.ts'
import { type Config, defaultConfig } from '#platform/config.ts'
import { ContextView, type ServedData, type SystemContext } from '#platform/context.ts'
import { setHealthChecks } from '#platform/health/results.ts'
import { type ConnectionLimits, connectionLimits } from '#platform/http/connection-limits.ts'
import { guardConnections } from '#platform/http/connections.ts'
import { LightReply, realReply } from '#platform/http/light/reply.ts'
import { listenerOf } from '#platform/http/listener.ts'
import type { App } from '#platform/http/mount.ts'
import { repeatPoll } from '#platform/http/repeated-polls.ts'
import { type Job, type Jobs, startJobs } from '#platform/jobs/jobs.ts'
import { createLog } from '#platform/log/log.ts'
import { networkList } from '#platform/outgoing/addresses.ts'
import { isDiskFull } from '#platform/store/disk-full.ts'
import {
  type DataFolder,
  databaseIn,
  openFolderOnceFree,
  removeDatabase,
} from '#platform/store/folder.ts'
import { damaged } from '#platform/store/refusals.ts'
import { keepReserve, releaseReserve } from '#platform/store/reserve.ts'
import type { Tx } from '#platform/store/store.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { ownProblems } from '#platform/translation/catalogues.ts'
import { createApp } from './app.ts'
import { regularBackups } from './backup/schedule.ts'
import { closeStore, openContext, prepare, restoreQueues, unknownUrl } from './context.ts'
import { removeControlFile, writeControlFile } from './control/file.ts'
import { controlPath, mountControl } from './control/pages.ts'
import { jobs as allJobs, healthChecks } from './features.ts'
import type { FixtureOptions } from './fixture/options.ts'
import { type FixturePages, mountFixture } from './fixture/pages.ts'
import { type FixtureBase, keepSnapshot, knownSnapshot, type Snapshot } from './fixture/snapshot.ts'
import { removeHalfSeeded, seedWhole } from './fixture/whole.ts'
import { createHttpListener, type HttpListener } from './listening/http-listener.ts'
import { requireFree } from './listening/listen.ts'
import { type MailListener, openMailListener } from './listening/mail.ts'
import type { Listening } from './listening/options.ts'
import { askForReleases } from './releases/jobs.ts'
import { endWork, stopListening } from './stopping.ts'

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
  /** Watches the long steps before the server listens: a backup and migrations. */
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
  readonly context: SystemContext
  /** The URL at which the first owner sets up the organization; undefined once set up. */
  readonly setupUrl: string | undefined
  /** Handles a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Resolves when no background job is due or running. */
  settled(): Promise<void>
  /** Reads the certificate again immediately, or asks for one again if there is none. */
  reload(): void
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/**
 * Starts a server, for the command line, the tests and embedding programs alike. Waits for a command
 * that uses the data folder.
 *
 * @throws DataRefused, such as FolderInUse; Error the port is taken
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const log =
    options.log ?? createLog(options.config?.logLevel ?? defaultConfig.logLevel, process.stdout.fd)
  const { signal } = options.task ?? unwatched
  const place = { host: options.host ?? '127.0.0.1', port: options.port }
  if (options.data !== ':memory:' && !existsSync(databaseIn(options.data))) {
    // A mistake should not leave a data folder behind.
    await requireFree(options.listening ?? {}, place)
  }
  const folder =
    options.data === ':memory:'
      ? undefined
      : await openFolderOnceFree(options.data, signal, (text) => log.warn(text))
  const server = new RunningServer({ ...options, log }, folder)
  await server.start(place)
  return server
}

/** The parts of a server for one database. A reset replaces all of them. */
interface Parts {
  readonly context: SystemContext
  readonly jobs: Jobs
}

/** A data folder or memory, its listeners, and the parts that are open now. */
class RunningServer implements Server {
  readonly #options: ServerOptions & { readonly log: Logger; readonly clock: Clock }
  readonly #folder: DataFolder | undefined
  /** The clock of the development organization, which a reset moves back. */
  readonly #movable: MovableClock | undefined
  readonly #httpListener: HttpListener
  readonly #secret = randomBytes(32).toString('hex')
  /** The initial snapshot of the development organization's database, once it was made. */
  #snapshot: Snapshot | undefined
  #parts: Parts | undefined
  /** Access to the current parts, for objects that are made once. */
  readonly #live = new ContextView(
    () => this.context,
    () => this.context.store,
  )
  #app: App | undefined
  #fixturePages: FixturePages | undefined
  /** A start, a reset or a replacement of the data; requests wait for it. */
  #changing: Promise<void> | undefined
  /** Aborted when the server stops. It waits for the work that needs the data folder. */
  readonly #stopping = new AbortController()
  readonly #working = new Set<Promise<unknown>>()
  #mailListener: MailListener | undefined
  #address = ''

  constructor(options: ServerOptions & { readonly log: Logger }, folder: DataFolder | undefined) {
    this.#movable = options.fixture && !options.clock ? fixtureClock(options.fixture) : undefined
    this.#options = { ...options, clock: options.clock ?? this.#movable ?? systemClock }
    this.#folder = folder
    if (folder) removeHalfSeeded(folder)
    const isNew = !folder || !existsSync(folder.database)
    this.#snapshot = isNew ? knownSnapshot(this.#base) : undefined
    const limits = { ...connectionLimits, ...options.connectionLimits }
    this.#httpListener = createHttpListener(options.listening ?? {}, {
      limits,
      folder: folder?.path,
      log: options.log,
      clock: this.#options.clock,
      realmUrl: () => this.#parts?.context.realmUrl ?? options.config?.externalUrl ?? unknownUrl,
    })
    const usual = listenerOf(
      (request, bindings) =>
        this.#changing
          ? this.#changing.then(() => this.#mounted.fetch(request, bindings))
          : this.#mounted.fetch(request, bindings),
      options.log,
    )
    const listener: RequestListener = (request, response) => {
      const now = this.#changing ? undefined : this.#parts?.context
      if (!repeatPoll(now, request, response)) return usual(request, response)
    }
    const proxies = options.config?.trustedProxies ?? []
    const exempt = networkList(`127.0.0.0/8 ::1 ${proxies.join(' ')}`)
    guardConnections(this.#httpListener.http, listener, limits, exempt)
  }

  get url(): string {
    return this.#address
  }

  get context(): SystemContext {
    return this.#now.context
  }

  get setupUrl(): string | undefined {
    const { realmUrl, setupToken, store } = this.context
    return findRealm(store) ? undefined : `${realmUrl}${setupPath}?token=${setupToken}`
  }

  // Fields, because embedding programs may detach them from the object.
  readonly fetch = async (request: Request) => realReply(await this.#mounted.fetch(request))
  readonly settled = () => this.#now.jobs.settled()
  readonly reload = () => this.#httpListener.reload()
  readonly close = async () => {
    this.#stopping.abort(new Error('The server is stopping.'))
    await endWork(Promise.allSettled(this.#working))
    await this.#changing
    await this.#end(this.context)
  }

  /**
   * Opens the database, then listens.
   *
   * @throws as `createServer`; everything is closed again
   */
  async start(place: { readonly host: string; readonly port: number }): Promise<void> {
    let opened: SystemContext | undefined
    try {
      if (this.#folder) await prepare(this.#folder, this.#options)
      opened = await this.#open()
      const [problem, ...others] = ownProblems(opened.store)
      if (problem !== undefined) {
        const more = others.length > 0 ? ` (and ${others.length} more; GET /health)` : ''
        opened.log.warn(`translations of the data folder that are not used: ${problem}${more}`)
      }
      this.#changing = this.#listen(opened, place)
      await this.#changing
      this.#changing = undefined
    } catch (error) {
      await this.#end(opened)
      throw this.#folder ? damaged(this.#folder.database, error) : error
    }
  }

  get #now(): Parts {
    if (!this.#parts) throw new Error('The server has not started.')
    return this.#parts
  }

  get #mounted(): App {
    if (!this.#app) throw new Error('The server has not started.')
    return this.#app
  }

  /** The options of the development organization. */
  get #base(): FixtureBase {
    return { ...this.#options, inMemory: !this.#folder }
  }

  /** Opens the database, and fills it with the development organization if configured. */
  async #open(): Promise<SystemContext> {
    const { fixture, log } = this.#options
    const folder = this.#folder
    const snapshot = this.#snapshot
    if (snapshot && folder) writeFileSync(folder.database, snapshot.database, { mode: 0o600 })
    const note = (text: string) => log.warn(text)
    const task = { ...(this.#options.task ?? unwatched), note }
    const startOver = () => {
      this.#changing ??= this.#replace(() => this.#deleteAll())
    }
    const served = this.#served
    let isFilling = true
    const options = {
      ...this.#options,
      ...{ task, address: this.#origin, startOver, served, isFilling: () => isFilling },
    }
    const context = openContext(options, folder?.database ?? ':memory:', snapshot?.database)
    try {
      if (fixture && !findRealm(context.store)) {
        const wanted = fixture === true ? {} : fixture
        const { seedFixture } = await import('./fixture/seed.ts')
        const files = await seedWhole(folder, () => seedFixture(context, wanted, task))
        this.#snapshot = { database: context.store.db.$client.serialize(), files }
        keepSnapshot(this.#base, this.#snapshot)
      } else {
        await context.files.putAllFor(snapshot?.files ?? [], async () => {})
      }
      await restoreQueues(context)
      await context.store.write(makeVapidKey)
      context.queues.greet(restartEvent(context))
      isFilling = false
      return context
    } catch (error) {
      context.queues.shutDown()
      closeStore(context, folder)
      throw error
    }
  }

  /** Starts to listen: for requests, for mail, and for the operator's commands. */
  async #listen(opened: SystemContext, place: { host: string; port: number }): Promise<void> {
    const { http } = this.#httpListener
    this.#address = await this.#httpListener.open(place)
    const realmUrl = opened.config.externalUrl ?? this.#origin ?? opened.realmUrl
    this.#use({ ...opened, realmUrl })
    this.#app = this.#mount()
    const { config, log } = this.context
    // The server must survive failing to accept a connection, for example without free file
    // descriptors.
    http.on('error', (error) => log.error({ err: error }, 'HTTP server'))
    if (config.mailListen) {
      this.#mailListener = await openMailListener(this.#live, config.mailListen)
    }
    if (!this.#folder) return
    const url = this.#address.startsWith('http:')
      ? loopback(this.#address)
      : await this.#httpListener.openPrivately(controlOnly(() => this.#mounted, this.#options.log))
    writeControlFile(this.#folder.path, { url, secret: this.#secret })
    keepReserve(this.#folder.path)
  }

  /** The address it listens on, if it is known and an origin. */
  get #origin(): string | undefined {
    return this.#address.startsWith('http') ? loopback(this.#address) : undefined
  }

  /** Continues with an open database and starts its jobs. */
  #use(context: SystemContext): void {
    setHealthChecks(context, [...healthChecks(), ...this.#httpListener.health])
    this.#parts = { context, jobs: startJobs(context, jobsOf(context)) }
  }

  #mount(): App {
    return createApp(
      () => this.context,
      (app) => {
        if (this.#folder) mountControl(app, this.#live, this.#secret)
        if (this.#options.fixture) this.#fixturePages = this.#mountFixture(app)
      },
    )
  }

  #mountFixture(app: App): FixturePages {
    const { clock } = this.#options
    return mountFixture(app, {
      server: this.#live,
      clock: 'advance' in clock ? (clock as AdvancingClock) : undefined,
      reset: async () => {
        this.context.startOver()
        await this.#changing
      },
      settled: () => this.settled(),
      mailListener: () => this.#mailListener,
    })
  }

  /** Replaces the data, for a server with a data folder. */
  get #served(): ServedData | undefined {
    const folder = this.#folder
    return (
      folder && {
        path: folder.path,
        work: async (run) => {
          this.#stopping.signal.throwIfAborted()
          const work = run(this.#stopping.signal)
          this.#working.add(work)
          return await work.finally(() => this.#working.delete(work))
        },
        replace: async (put) => {
          await this.#changing
          this.#stopping.signal.throwIfAborted()
          this.#changing = this.#replace(async () => {
            closeStore(this.context, folder)
            await put()
          })
          await this.#changing
        },
      }
    )
  }

  /**
   * Goes on with other data.
   *
   * @param put closes the store, and replaces what is there
   */
  async #replace(put: () => Promise<void>): Promise<void> {
    const { context, jobs } = this.#now
    await jobs.stop()
    context.queues.stopWaiting()
    context.queues.shutDown()
    try {
      await put()
    } finally {
      this.#use(await this.#open())
      this.#changing = undefined
    }
    const { setupUrl } = this
    if (setupUrl) this.context.log.warn({ setupUrl }, 'everything is being deleted')
  }

  /** Deletes the files of a store that nobody uses, closes it, and deletes its database. */
  async #deleteAll(): Promise<void> {
    const { store, files } = this.context
    files.removeAll()
    if (this.#folder) {
      store.close()
      removeDatabase(this.#folder.database)
    } else {
      // Afterwards, because it takes longer the more was written.
      setImmediate(() => store.close())
    }
    this.#movable?.rewind()
  }

  /** Closes everything that was opened. @param opened the database, if it is open */
  async #end(opened: SystemContext | undefined): Promise<void> {
    const { http } = this.#httpListener
    const jobs = this.#parts?.jobs
    if (jobs && !(await endWork(jobs.stop()))) {
      this.#options.log.warn({ jobs: jobs.running() }, 'background jobs were not waited for')
    }
    this.#fixturePages?.stopFailing()
    opened?.queues.stopWaiting()
    await this.#mailListener?.close()
    this.#httpListener.close()
    if (http.listening) await stopListening(http)
    if (this.#parts) await recordEnd(this.#parts.context, this.#folder)
    opened?.queues.shutDown()
    if (opened) closeStore(opened, this.#folder)
    if (this.#folder) removeControlFile(this.#folder.path)
    this.#folder?.release()
  }
}

/** Stores the event queues, so that they continue after a restart as if there had been none. */
async function recordEnd(
  { store, queues, log }: SystemContext,
  folder: DataFolder | undefined,
): Promise<void> {
  const writeLast = (fn: (tx: Tx) => void) =>
    store.write(fn).catch(async (error: unknown) => {
      if (!isDiskFull(error)) throw error
      if (folder) releaseReserve(folder.path)
      await store.write(fn)
    })
  try {
    // Once this write is done, the queues have the events of all earlier writes.
    await writeLast(() => {})
    await writeLast((tx) => queues.recordEnd(tx))
  } catch (error) {
    // They continue as after a crash: a full disk must not keep the server from stopping.
    log.error({ err: error }, 'the last state of the event queues was not stored')
  }
}

/** The clock of the development organization, which tests can move. */
function fixtureClock(fixture: true | FixtureOptions): MovableClock {
  const stopped = fixture === true ? undefined : fixture.clock
  return movableClock(stopped === undefined ? systemClock.now : () => stopped)
}

function jobsOf({ config, store }: SystemContext): readonly Job[] {
  const { backups, releasesUrl } = config
  return [
    ...allJobs,
    ...(backups && !store.db.$client.memory ? [regularBackups(backups)] : []),
    ...(releasesUrl === null ? [] : [askForReleases(releasesUrl)]),
  ]
}

/** Takes the operator's commands, and nothing else. */
function controlOnly(app: () => App, log: Logger): RequestListener {
  return listenerOf(
    async (request, bindings) =>
      new URL(request.url).pathname === controlPath
        ? await app().fetch(request, bindings)
        : new LightReply(null, { status: 404 }),
    log,
  )
}

/** The URL with the loopback address in place of the address for all interfaces. */
function loopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
