import { UsageError } from './options.ts'
import type { Shell } from './shell.ts'

/**
 * Reads a password from standard input, because every user of the machine can see arguments.
 *
 * @param example the command, for the error message
 * @throws UsageError no password, or standard input is a terminal
 */
export async function readPassword(shell: Shell, example: string): Promise<string> {
  return await readSecret(shell, 'password', example)
}

/**
 * Reads a secret as `readPassword` does.
 *
 * @param what its name
 */
export async function readSecret({ stdin }: Shell, what: string, example: string): Promise<string> {
  if (stdin.isTTY) throw new UsageError(explanation(what, example))
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(Buffer.from(part))
  const password = Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (password === '') throw new UsageError(explanation(what, example))
  return password
}

function explanation(what: string, example: string): string {
  return `Pass the ${what} on standard input:\n  printf %s 'the ${what}' | parley ${example}`
}
