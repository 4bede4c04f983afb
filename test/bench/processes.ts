import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { freePort } from '#test/support/free-port.ts'
import { type Connection, getRequest, openConnection } from './http.ts'

/** A server in a process of its own. */
export interface Running {
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number
  /** Whether the process is over. */
  hasEnded(): boolean
  /** Ends the process, by force where it has not ended by itself in time. @returns whether it had */
  stop(): Promise<boolean>
}

/** The program as it is built for its users, from the code as it is now. */
export interface Program {
  /** The command that runs it as a file for Node. */
  readonly file: readonly string[]
  /** The command that runs it as a single executable. */
  readonly executable: readonly string[]
}

export function buildProgram(folder: string): Program {
  const build = fileURLToPath(new URL('../../build.mjs', import.meta.url))
  execFileSync(process.execPath, [build, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return {
    file: [process.execPath, join(folder, 'parley.cjs')],
    executable: [join(folder, 'parley')],
  }
}

/**
 * Starts the program on a data folder and waits for its first answer.
 *
 * @param env its further environment variables; without them, it has no rate limits
 */
export function startServer(
  command: readonly string[],
  data: string,
  env: Readonly<Record<string, string>> = { PARLEY_RATE_LIMITS: 'off' },
): Promise<Running> {
  return start((port) => [...command, 'serve', '--data', data, '--port', String(port)], env)
}

/** Starts `ceiling.ts`, which writes to a database file of its own. */
export function startCeiling(database: string): Promise<Running> {
  const script = fileURLToPath(import.meta.resolve('./ceiling.ts'))
  return start((port) => [process.execPath, '--import', 'tsx', script, database, String(port)])
}

/** Starts `peers/floor.ts` without its types, which would cost the process 20 MB. */
export function startFloor(database: string): Promise<Running> {
  const source = readFileSync(new URL('./peers/floor.ts', import.meta.url), 'utf8')
  const script = `${database}.cjs`
  writeFileSync(script, transformSync(source, { loader: 'ts', format: 'cjs' }).code)
  const env = { NODE_PATH: fileURLToPath(new URL('../../node_modules', import.meta.url)) }
  return start((port) => [process.execPath, script, database, String(port)], env)
}

/** How long it takes until a server that is starting is asked again, in milliseconds. */
const retryMs = 1
const longestStartMs = 20_000
/** How long a process has to end by itself, in milliseconds. */
const longestStopMs = 10_000

/** What the servers that are measured have to say, of the last run. */
const logFile = join(tmpdir(), 'parley-bench.log')
rmSync(logFile, { force: true })

/** That of the bench, without certificates of the machine's own, which take each Node 30 ms to read. */
export const environment: NodeJS.ProcessEnv = { ...process.env }
delete environment.NODE_EXTRA_CA_CERTS

async function start(
  command: (port: number) => readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const port = await freePort()
  const [program = '', ...args] = command(port)
  // Its log is written as for any user, but not among the figures.
  const log = openSync(logFile, 'a')
  const began = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', log],
    env: { ...environment, ...env },
  })
  closeSync(log)
  const exited = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const first = await firstAnswer(port, began, hasEnded)
  return {
    port,
    pid: child.pid ?? 0,
    startMs: first - began,
    hasEnded,
    async stop() {
      if (hasEnded()) return false
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), longestStopMs)
      await exited
      clearTimeout(force)
      return child.signalCode !== 'SIGKILL'
    },
  }
}

/** When the first answer came, whatever it was. */
async function firstAnswer(port: number, began: number, isGone: () => boolean): Promise<number> {
  for (;;) {
    let connection: Connection | undefined
    try {
      connection = await openConnection(port)
      await connection.send(getRequest('/api/v1/server_settings'))
      return performance.now()
    } catch (error) {
      if (isGone() || performance.now() - began > longestStartMs) throw error
      await sleep(retryMs)
    } finally {
      connection?.close()
    }
  }
}

/** The most memory that a process had so far, in MB. */
export function peakOf(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

/** Processors count in hundredths of a second. */
const ticks = 100

/** The time that a process and its threads have used of processors so far. */
export function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticks
  } catch {
    return 0
  }
}
