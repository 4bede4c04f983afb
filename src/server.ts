import { chmodSync, mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { type Logger, pino } from 'pino'
import { createApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Config, defaultConfig } from './config.ts'
import type { Context } from './context.ts'
import { deleteSavedQueues, listSavedQueues, saveQueues } from './events/queries.ts'
import { createQueues } from './events/queues.ts'
import { type FixtureOptions, seedFixture } from './fixture/seed.ts'
import { narrowMatcher } from './narrow/live.ts'
import { findRealm } from './realm/queries.ts'
import { openDatabase } from './store/open.ts'
import { createStore } from './store/write.ts'

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
  readonly context: Context
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/** Starts a server: the program's own start, the tests' and an embedding program's alike. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const context = await openContext(options)
  const app = createApp(context)
  const http = createAdaptorServer({ fetch: app.fetch })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((done, fail) => {
    http.once('error', fail)
    http.listen(options.port, host, done)
  })
  const { port } = http.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  context.realmUrl = context.config.externalUrl ?? url
  return {
    url,
    context,
    fetch: async (request) => await app.fetch(request),
    async close() {
      const saved = context.queues.shutDown()
      await new Promise((done) => {
        http.close(done)
        if ('closeIdleConnections' in http) http.closeIdleConnections()
      })
      await context.store.write((tx) => saveQueues(tx, saved))
      context.store.close()
    },
  }
}

/** Opens the store and everything that lives beside it, without listening: for the shell too. */
export async function openContext(options: Omit<ServerOptions, 'port'>): Promise<Context> {
  const clock = options.clock ?? systemClock
  const fixture = Boolean(options.fixture)
  const config: Config = {
    ...defaultConfig,
    ...(fixture && { rateLimits: false, webPublicChannels: true }),
    ...options.config,
    fixture,
  }
  const db = openDatabase(databaseFile(options.data))
  const queues = createQueues({
    clock,
    heartbeatSeconds: config.heartbeatSeconds,
    matcher: (request) => narrowMatcher(store, request),
  })
  const store = createStore(db, clock, queues)
  const context: Context = {
    store,
    queues,
    clock,
    config,
    realmUrl: config.externalUrl ?? 'http://localhost',
    log: options.log ?? pino({ level: config.logLevel }),
    startedAt: Math.floor(clock.now() / 1000),
  }
  if (options.fixture && !findRealm(store)) {
    await seedFixture(context, options.fixture === true ? {} : options.fixture)
  }
  queues.restore(listSavedQueues(store))
  await store.write(deleteSavedQueues)
  return context
}

/** The database inside a data folder; only its owner may read the folder. */
function databaseFile(data: string): string {
  if (data === ':memory:') return data
  const folder = resolve(data)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  return join(folder, 'parley.db')
}
