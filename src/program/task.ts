import { statSync } from 'node:fs'

/** The result of a command. */
export interface CommandResult {
  /** The text to print. */
  readonly output: string
  /** Whether it is a failure nevertheless: the exit code is 1. */
  readonly failed?: boolean
}

const longFromBytes = 64 * 1024 * 1024

/** Whether work on a complete database may take seconds: never for one in memory. */
export function takesLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= longFromBytes
}
