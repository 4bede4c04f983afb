import { statSync } from 'node:fs'
import { perDatabase } from './per-database.ts'
import type { Read } from './store.ts'

/** The file of the open database, as it was found under its path at first. */
const opened = perDatabase(({ $client: { memory, name } }) => (memory ? '' : identityOf(name)))

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

/**
 * Whether the data folder was deleted, or another database put in its place, under the open one. What
 * is written is lost then, because nothing opens that file again.
 *
 * @returns what is wrong, for the operator
 */
export function displaced(read: Read): string | undefined {
  const { memory, name } = read.db.$client
  if (memory) return undefined
  const [before, now] = [opened(read), identityOf(name)]
  if (now === before) return undefined
  const what = now === undefined ? 'was deleted' : 'was replaced'
  return `${name} ${what} while the server was running. Put the old one back, or restart the server`
}

/** How long the database counts as being in its place once it was found there, in milliseconds. */
const trustMs = 250
const lastLook = perDatabase(() => ({ at: Number.NEGATIVE_INFINITY }))

/**
 * Asks the file system some times a second at most, since every write asks this.
 *
 * @throws Error the database is no longer in its place
 */
export function requireInPlace(read: Read): void {
  const look = lastLook(read)
  const now = performance.now()
  if (now - look.at < trustMs) return
  const problem = displaced(read)
  if (problem !== undefined) throw new Error(`${problem}.`)
  look.at = now
}
