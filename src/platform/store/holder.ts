import { closeSync, fchownSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const shape = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Absent: a server. */
  command: v.optional(v.string()),
})

/** The process that has locked a data folder. */
export interface Holder extends v.InferOutput<typeof shape> {
  readonly since: Date
}

const nameIn = (folder: string) => join(folder, 'lock-holder.json')

/**
 * Says that this process has locked a folder.
 *
 * @param command such as `backup`; undefined: a server
 */
export function writeHolder(folder: string, command: string | undefined): void {
  removeHolder(folder)
  let file: number | undefined
  try {
    file = openSync(nameIn(folder), 'wx', 0o600)
    writeSync(file, JSON.stringify({ pid: process.pid, command }))
    // So that a service can read what a command of root says.
    const { uid, gid } = statSync(folder)
    if (process.geteuid?.() === 0) fchownSync(file, uid, gid)
  } catch {
    // On a full disk, a refusal does not name the process.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

export function removeHolder(folder: string): void {
  rmSync(nameIn(folder), { recursive: true, force: true })
}

/** Undefined: not known. What a killed process left says nothing about who holds the lock now. */
export function readHolder(folder: string): Holder | undefined {
  try {
    const since = statSync(nameIn(folder)).mtime
    const holder: unknown = JSON.parse(readFileSync(nameIn(folder), 'utf8'))
    return v.is(shape, holder) && isRunning(holder.pid) ? { ...holder, since } : undefined
  } catch {
    return undefined
  }
}

/** Whether a process of this ID exists, of whatever user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
