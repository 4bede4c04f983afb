import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What tests start as processes of their own, or what these import, by path from the top of the repository. */
export const programs = [
  'src/main.ts',
  'src/program/server.ts',
  'test/support/serve.ts',
  'test/whole/clients/zulip-js-listener.ts',
] as const
type Program = (typeof programs)[number]

/** Node's arguments that start a program: as the runner bundled it, or from its source. */
export function programArguments(program: Program): string[] {
  // Set by who made the bundle, to where it is; that of a single file has no programs.
  const bundle = process.env.TEST_BUNDLE
  const bundled = bundle && join(bundle, program.replace(/ts$/, 'js'))
  // Without source maps, which Node would read as it starts.
  return bundled && existsSync(bundled) ? [bundled] : ['--import', 'tsx', program]
}

/** The command that starts a program of this checkout. */
export function commandOf(program: Program, ...args: readonly string[]): string[] {
  return [process.execPath, ...programArguments(program), ...args]
}

/** A server in a process of its own. */
export interface StartedServer {
  readonly child: ChildProcess
  /** What it said until it was ready. */
  readonly out: string
  readonly url: string
  /** Stops it in order. @throws AssertionError it fails at that */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Ends it at once. */
  kill(): Promise<void>
}

interface StartOptions {
  readonly cwd?: string
  /** Besides the variables of this process. */
  readonly env?: NodeJS.ProcessEnv
  /** Default: that of this process. */
  readonly stderr?: 'inherit' | 'pipe' | number
}

/**
 * Starts a server, and waits until it has said where it listens. Says nothing in its log unless
 * configured.
 *
 * @throws AssertionError it ends without serving
 */
export async function startProgram(
  [command = '', ...args]: readonly string[],
  { cwd, env, stderr = 'inherit' }: StartOptions = {},
): Promise<StartedServer> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PARLEY_LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', stderr],
  })
  const exit = once(child, 'exit')
  const out = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString()
      if (/http:\S+\s/.test(said)) resolve(said)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new assert.AssertionError({ message: `It ended with ${code}: ${said}` })),
    )
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return await exit
  }
  return {
    child,
    out,
    url: String(/http:\S+/.exec(out)),
    async stop(signal = 'SIGTERM') {
      assert.deepEqual(await end(signal), [0, null])
    },
    async kill() {
      await end('SIGKILL')
    },
  }
}
