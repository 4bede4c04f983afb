import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createAdaptorServer, type ServerType } from '@hono/node-server'
import { type Logger, pino } from 'pino'
import { createApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Config, defaultConfig } from './config.ts'
import type { Context } from './context.ts'
import { removeControlFile, writeControlFile } from './control/file.ts'
import { mountControl } from './control/pages.ts'
import { deleteSavedQueues, listSavedQueues, saveQueues } from './events/queries.ts'
import { createQueues } from './events/queues.ts'
import { createDiskFiles, createMemoryFiles } from './files/store.ts'
import { type FixtureOptions, seedFixture } from './fixture/seed.ts'
import type { App } from './http/mount.ts'
import { type Jobs, startJobs } from './jobs/jobs.ts'
import { allJobs } from './jobs/list.ts'
import { narrowMatcher } from './narrow/live.ts'
import { restartEvent } from './realm/events.ts'
import { findRealm } from './realm/queries.ts'
import { openFolder, removeDatabase } from './store/folder.ts'
import { openDatabase } from './store/open.ts'
import { createStore } from './store/write.ts'
import { setupPath } from './web/setup/pages.ts'

export interface ServerOptions {
  /** The data folder, made when it is missing, or `:memory:`. */
  readonly data: string
  /** 0 takes any free port. */
  readonly port: number
  /** The interface to listen on; loopback unless given. */
  readonly host?: string
  /** Seeds the well-known development organization and enables its endpoints. */
  readonly fixture?: boolean | FixtureOptions
  readonly config?: Partial<Config>
  readonly clock?: Clock
  readonly log?: Logger
}

export interface Server {
  /** Scheme, host and port it listens on. */
  readonly url: string
  /** What it runs on now: a reset of the fixture replaces it. */
  readonly context: Context
  /** Where the first owner sets up the organization; undefined once that is done. */
  readonly setupUrl: string | undefined
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Resolves when nothing of what the server does by itself is due or under way. */
  settled(): Promise<void>
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

interface Running {
  readonly context: Context
  readonly app: App
}

/**
 * Starts a server: the program's own start, the tests' and an embedding program's alike.
 *
 * @throws FolderInUse
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const folder = options.data === ':memory:' ? undefined : openFolder(options.data)
  const file = folder?.database ?? ':memory:'
  const secret = randomBytes(32).toString('hex')
  const host = options.host ?? '127.0.0.1'
  let url = 'http://localhost'
  /** While it lasts, requests wait. */
  let resetting: Promise<void> | undefined

  async function start(): Promise<Running> {
    const context = openContext(options, file)
    context.realmUrl = context.config.externalUrl ?? url
    context.startOver = () => {
      resetting ??= reset()
    }
    if (options.fixture && !findRealm(context.store)) {
      await seedFixture(context, options.fixture === true ? {} : options.fixture)
    }
    context.queues.restore(listSavedQueues(context.store))
    await context.store.write(deleteSavedQueues)
    context.queues.dispatch(restartEvent(context), () => true)
    const app = createApp(context)
    if (folder) mountControl(app, context, secret)
    if (options.fixture) {
      app.post('/dev/reset', async (c) => {
        context.startOver()
        await resetting
        return c.json({ result: 'success', msg: '' })
      })
    }
    return { context, app }
  }

  async function reset(): Promise<void> {
    await jobs.stop()
    running.context.queues.shutDown()
    running.context.store.close()
    running.context.files.removeAll()
    if (folder) removeDatabase(folder.database)
    running = await start()
    jobs = startJobs(running.context, allJobs)
    resetting = undefined
    const { setupUrl } = server
    if (setupUrl) running.context.log.warn({ setupUrl }, 'everything is deleted')
  }

  const http = createAdaptorServer({
    fetch: (request, bindings) =>
      resetting
        ? resetting.then(() => running.app.fetch(request, bindings))
        : running.app.fetch(request, bindings),
  })
  let running: Running
  let jobs: Jobs
  try {
    running = await start()
    await new Promise<void>((done, fail) => {
      http.once('error', fail)
      http.listen(options.port, host, done)
    })
  } catch (error) {
    folder?.release()
    throw error
  }
  const { port } = http.address() as AddressInfo
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  running.context.realmUrl = running.context.config.externalUrl ?? url
  jobs = startJobs(running.context, allJobs)
  if (folder) writeControlFile(folder.path, { url: loopback(url), secret })
  const server: Server = {
    url,
    get context() {
      return running.context
    },
    get setupUrl() {
      const { realmUrl, setupToken, store } = running.context
      return findRealm(store) ? undefined : `${realmUrl}${setupPath}?token=${setupToken}`
    },
    fetch: async (request) => await running.app.fetch(request),
    settled: () => jobs.settled(),
    async close() {
      await resetting
      await jobs.stop()
      const { queues, store } = running.context
      const saved = queues.shutDown()
      await stopListening(http)
      await store.write((tx) => saveQueues(tx, saved))
      store.close()
      if (folder) removeControlFile(folder.path)
      folder?.release()
    },
  }
  return server
}

/** Opens a database and everything that lives beside it, without serving it: for the shell too. */
export function openContext(options: Omit<ServerOptions, 'port'>, file: string): Context {
  const clock = options.clock ?? systemClock
  const fixture = Boolean(options.fixture)
  const config: Config = {
    ...defaultConfig,
    ...(fixture && { rateLimits: false, webPublicChannels: true }),
    ...options.config,
    fixture,
  }
  const db = openDatabase(file)
  const queues = createQueues({
    clock,
    heartbeatSeconds: config.heartbeatSeconds,
    matcher: (request) => narrowMatcher(store, request),
  })
  const store = createStore(db, clock, queues)
  const files =
    file === ':memory:'
      ? createMemoryFiles(store)
      : createDiskFiles(store, join(dirname(file), 'files'))
  return {
    store,
    queues,
    files,
    clock,
    config,
    realmUrl: config.externalUrl ?? 'http://localhost',
    startOver() {
      throw new Error('Only a server that runs starts over.')
    },
    setupToken: randomBytes(32).toString('hex'),
    log: options.log ?? pino({ level: config.logLevel }),
    startedAt: Math.floor(clock.now() / 1000),
  }
}

/** How long a client that neither reads nor sends can hold up a stop, in milliseconds. */
const stopGrace = 3000

/** Ends every connection as soon as it has its answer: parked polls have just got theirs. */
function stopListening(http: ServerType): Promise<void> {
  return new Promise((done) => {
    const connections = 'closeIdleConnections' in http ? http : undefined
    const sweep = setInterval(() => connections?.closeIdleConnections(), 10)
    const cut = setTimeout(() => connections?.closeAllConnections(), stopGrace)
    http.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      done()
    })
  })
}

/** An address of this machine itself for a server that listens on all of its interfaces. */
function loopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
