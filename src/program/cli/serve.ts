import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { organizationProblems, setUpOrganization } from '#features/access/setup/actions.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { passwordLengths } from '#features/foundation/users/passwords.ts'
import { systemClock } from '#platform/clock.ts'
import { closeLog, createLog, reopenLog } from '#platform/log/log.ts'
import { explain } from '#platform/store/refusals.ts'
import {
  choosesLogLevel,
  domainUrl,
  readConfig,
  readLogFile,
  readOrganization,
} from '#program/config.ts'
import { parseSeed, passwordOf, type Seed } from '#program/fixture/seed-file.ts'
import { keepAwake } from '#program/fixture/team/awake.ts'
import type { Listening } from '#program/listening/options.ts'
import { createServer, type Server, type ServerOptions } from '#program/server.ts'
import { organizationVariables } from '#program/variables.ts'
import { inEnglish } from '#translations/translate.ts'
import { isSuccess, readableLine } from './log-lines.ts'
import { isLoopback, UsageError } from './options.ts'
import { LogNotWritable, PortInUse, PortNotAvailable, WrongSetting } from './problems.ts'
import { watched } from './progress.ts'
import type { Shell } from './shell.ts'

export interface ServeOptions {
  readonly data: string
  readonly port: number
  readonly host: string
  readonly listening: Listening
}

/** `parley serve`: runs the server until a signal stops it. */
export async function serve(shell: Shell, options: ServeOptions): Promise<void> {
  const { data, port, listening } = options
  const read = readConfig(shell.env)
  const externalUrl = read.externalUrl ?? urlOf(listening, port)
  const config = { ...read, externalUrl }
  const organization = readOrganization(shell.env)
  const server = await start(shell, { ...options, config, log: logger(shell, config.logLevel) })
  await setUpFromSettings(server, organization)
  const stopped = handleSignals(server, shell)
  const address = server.context.realmUrl
  const { setupUrl } = server
  print(shell, [
    'Parley is running.',
    `  Address  ${address}`,
    ...(server.url === address ? [] : [`  Listens  ${server.url}`]),
    `  Data     ${resolve(data)}`,
    ...(setupUrl
      ? ['', 'There is no organization yet. Open this link to set it up:', `  ${setupUrl}`]
      : []),
  ])
  await stopAfter(stopped, server, shell)
}

/** With `--domain`, the URL that clients use is known. */
function urlOf({ tls }: Listening, port: number): string | null {
  if (!tls || !('domain' in tls)) return null
  return domainUrl(tls.domain, port)
}

/** The addresses at which the development organization takes mail. */
const devGateway = '%s@mail.localhost'
const loopback = '127.0.0.1'

export interface DevOptions extends Partial<Omit<ServeOptions, 'listening'>> {
  readonly port: number
  readonly host: string
  readonly expose?: boolean
  readonly messages?: number
  /** The path of a JSON file. */
  readonly seedFile?: string
  readonly hideAddresses?: boolean
  readonly rateLimits?: boolean
  readonly featureLevel?: number
  /** When the development organization was created, in milliseconds since the epoch. */
  readonly time?: number
  /** The time at which to stop the clock, in milliseconds since the epoch. */
  readonly clock?: number
}

/** `parley dev`: runs the development organization, whose API keys are public. */
export async function dev(shell: Shell, options: DevOptions): Promise<void> {
  const { data = ':memory:', port, host, messages, time, seedFile } = options
  if (!isLoopback(host) && !options.expose) {
    throw new UsageError(
      `Anyone who can reach the development server can act as any of its users.\n` +
        `To let other machines reach it at ${host}, use both options: --host ${host} --expose`,
    )
  }
  if (seedFile !== undefined && messages) {
    throw new UsageError('Use either --messages or --seed-file.')
  }
  const seed = seedFile === undefined ? undefined : readSeed(seedFile)
  const now = options.clock ?? systemClock.now()
  const shows = messages === undefined && seed === undefined
  const { conversationsLast } = await import('#program/fixture/team/send.ts')
  const config = readConfig(shell.env)
  const takesMail = config.mailGateway !== null
  const server = await start(shell, {
    data,
    port,
    host,
    expose: options.expose ?? false,
    fixture: {
      ...(shows && { conversations: true, time: now - conversationsLast }),
      ...(messages !== undefined && { messages }),
      ...(options.hideAddresses && { hideAddresses: true }),
      ...(time !== undefined && { time }),
      ...(options.clock !== undefined && { clock: options.clock }),
      ...(seed && { seed }),
    },
    config: {
      ...config,
      keepMail: true,
      ...(!takesMail && { mailGateway: devGateway, mailListen: { host: loopback, port: 0 } }),
      webPublicChannels: true,
      rateLimits: options.rateLimits ?? false,
      announcedFeatureLevel: options.featureLevel ?? null,
    },
    log: logger(shell, config.logLevel),
  })
  const stopped = handleSignals(server, shell)
  const rest = shows && options.clock === undefined ? keepAwake(server.context) : () => {}
  const { email, password } = seed?.users[0]
    ? { email: seed.users[0].email, password: passwordOf(seed.users[0]) }
    : { email: 'iago@zulip.com', password: 'iago-password' }
  print(shell, [
    seed
      ? `The organization from ${seedFile} is running.`
      : 'The development organization is running.',
    `  Address   ${server.url}`,
    `  Data      ${data === ':memory:' ? 'in memory' : resolve(data)}`,
    `  Log in    ${email}, password ${password}; other users likewise`,
    `  API keys  POST /api/v1/dev_fetch_api_key with username=${email}`,
    `  Mail      at ${server.url}/emails/; none is sent. That page shows where to send mail for channels`,
    '  Reset     POST /dev/reset',
  ])
  await stopAfter(stopped, server, shell)
  rest()
}

/** Reads a seed file. @throws UsageError naming the file and the place of the mistake */
function readSeed(file: string): Seed {
  try {
    return parseSeed(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`)
  }
}

/** Sets up the organization from settings if the data folder has none yet. */
async function setUpFromSettings(
  server: Server,
  wanted: ReturnType<typeof readOrganization>,
): Promise<void> {
  if (findRealm(server.context.store)) return
  const names = Object.keys(organizationVariables) as (keyof typeof wanted)[]
  if (names.every((name) => wanted[name] === undefined)) return
  try {
    await setUpOrganization(server.context, requireUsable(wanted, names))
  } catch (error) {
    await server.close()
    throw error
  }
}

/** @throws WrongSetting one is missing or refused */
function requireUsable(
  { organization, email, fullName, password }: ReturnType<typeof readOrganization>,
  names: readonly (keyof typeof organizationVariables)[],
) {
  if (!organization || !email || !fullName || !password) {
    const all = names.map((name) => organizationVariables[name].name).join(', ')
    throw new WrongSetting(`To set up an organization, set all of ${all}.`)
  }
  const args = { organization, email, fullName, password }
  const problems = organizationProblems(args, passwordLengths({ fixture: false }))
  for (const name of names) {
    const problem = problems[name]
    if (problem) {
      throw new WrongSetting(`${organizationVariables[name].name}: ${inEnglish(problem)}`)
    }
  }
  return args
}

async function start(
  shell: Shell,
  options: ServerOptions & { readonly log: Logger },
): Promise<Server> {
  // Otherwise all requests wait at each collection for threads that get no processor at the moment.
  setFlagsFromString('--no-parallel-scavenge')
  try {
    const server = await watched(shell, (task) => createServer({ ...options, task }))
    surviveExceptions(options.log)
    return server
  } catch (error) {
    const {
      code,
      syscall,
      port = options.port,
    } = error as NodeJS.ErrnoException & { port?: number }
    if (code === 'EADDRINUSE') {
      throw new PortInUse(`Port ${port} is in use. Choose another with --port.`)
    }
    if (syscall === 'listen' || syscall === 'getaddrinfo') {
      throw new PortNotAvailable(`Cannot listen on ${options.host} port ${port}: ${code}.`)
    }
    throw error
  }
}

/** Logs uncaught exceptions, which are bugs of ours, so that other requests go on. */
function surviveExceptions(log: Logger): void {
  process.on('uncaughtException', (error) => log.fatal({ err: error }, 'uncaught exception'))
  process.on('unhandledRejection', (error) => log.fatal({ err: error }, 'unhandled rejection'))
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Resolves at a signal to stop: Ctrl-C, a service manager, or a terminal that closes. A second
 * signal ends the process immediately. Without a terminal, SIGHUP opens the log and the certificate
 * anew, as after `logrotate`.
 */
function handleSignals(server: Server, { errIsTerminal }: Shell): Promise<void> {
  const { log } = server.context
  return new Promise<void>((stop) => {
    let isStopping = false
    for (const signal of signals) {
      if (signal === 'SIGHUP' && !errIsTerminal) {
        process.on(signal, () => {
          reopenLog(log)
          server.reload()
        })
        continue
      }
      process.on(signal, () => {
        if (isStopping) process.exit(128 + constants.signals[signal])
        isStopping = true
        stop()
      })
    }
  })
}

async function stopAfter(stopped: Promise<void>, server: Server, shell: Shell): Promise<void> {
  await stopped
  if (shell.errIsTerminal) shell.err('Stopping. Press Ctrl-C again to stop at once.\n')
  const { log } = server.context
  await server.close()
  closeLog(log)
  for (const signal of signals) process.removeAllListeners(signal)
}

/**
 * Logs to the file that is configured, or to standard error, so that standard output holds only text for people: lines of JSON, or of
 * text if a person reads them at a terminal.
 */
function logger({ env, errIsTerminal }: Shell, level: string): Logger {
  const logFile = readLogFile(env)
  if (logFile === undefined) {
    return createLog(level, process.stderr.fd, errIsTerminal ? terminalLine(env) : undefined)
  }
  try {
    return createLog(level, resolve(logFile))
  } catch (error) {
    throw new LogNotWritable(`The log cannot be written: ${explain(error, logFile)}`)
  }
}

/** A bar of progress may be in the line where the next is written. */
const emptyLine = '\r\x1b[K'

/** Requests that succeed are shown only to someone who asks: they would scroll away all else. */
function terminalLine(env: Shell['env']): (json: string) => string {
  const hides = choosesLogLevel(env) ? () => false : isSuccess
  return (json) => (hides(json) ? '' : emptyLine + readableLine(json))
}

function print(shell: Shell, lines: readonly string[]): void {
  shell.out(`${lines.join('\n')}\n`)
}
