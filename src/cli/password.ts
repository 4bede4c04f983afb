import { UsageError } from './options.ts'
import type { Shell } from './shell.ts'

/**
 * The password, from standard input: arguments are visible to everybody on the machine.
 *
 * @param example the command, to show how
 */
export async function readPassword({ stdin }: Shell, example: string): Promise<string> {
  if (stdin.isTTY) throw new UsageError(explanation(example))
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(Buffer.from(part))
  const password = Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (password === '') throw new UsageError(explanation(example))
  return password
}

function explanation(example: string): string {
  return `Give the password on standard input:\n  printf %s 'the password' | parley ${example}`
}
