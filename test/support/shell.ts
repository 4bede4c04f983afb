import { Readable } from 'node:stream'
import { runCli } from '#program/cli/program.ts'

/** What a command ended with and wrote. */
export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the program to its end in this process, with a password on its standard input. */
export async function parley(
  args: readonly string[],
  password = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const said = { out: '', err: '' }
  const code = await runCli(args, {
    stdin: Readable.from(password === '' ? [] : [Buffer.from(password)]),
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    env: { PARLEY_LOG_LEVEL: 'silent', ...env },
  })
  return { code, ...said }
}
