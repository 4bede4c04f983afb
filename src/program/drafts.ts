import { createHash, randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '#platform/clock.ts'
import { isRunning } from '#platform/store/holder.ts'

/** When drafts go whose process cannot be looked for from here, in milliseconds. */
const leftAfter = 24 * 3600 * 1000

/** Identifies where the IDs of processes mean the same as here: a folder can be shared. */
const place = createHash('sha256').update(`${hostname()} ${processIds()}`).digest('hex').slice(0, 8)

/** The set of process IDs that a container has of its own; empty: the system has only one. */
function processIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** The names of all drafts, with where and by which process they are made. */
const ours = /^\..+\.([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.incomplete(\.tar\.gz|\.exe)?$/s
/** What earlier versions called them. */
const earlier =
  /^\..+\.[0-9a-f]{12}\.incomplete(\.tar\.gz)?$|^\.parley-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.exe)?$/s

/**
 * The path of an unfinished file or folder, beside its target; unique to this attempt. It tells
 * `removeLeftDrafts` which process to look for.
 *
 * @param extension that it must have
 */
export function newDraft(target: string, extension: '' | '.tar.gz' | '.exe' = ''): string {
  const id = `${place}-${process.pid}-${randomBytes(6).toString('hex')}`
  return join(dirname(target), `.${basename(target)}.${id}.incomplete${extension}`)
}

/**
 * Removes the drafts in a folder that killed processes left, of whatever target: those of this
 * machine immediately, any other after a day. What cannot be removed stays.
 */
export async function removeLeftDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (await isLeft(name, path)) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

async function isLeft(name: string, path: string): Promise<boolean> {
  const [match, there, pid] = ours.exec(name) ?? []
  if (match === undefined && !earlier.test(name)) return false
  const found = await stat(path).catch(() => undefined)
  if (!found) return false
  if (there === place && !isRunning(Number(pid))) return true
  // An earlier process had the ID of this one, as every first process of a container.
  const isOwn = there === place && Number(pid) === process.pid
  if (isOwn && found.mtimeMs < performance.timeOrigin) return true
  return systemClock.now() - found.mtimeMs > leftAfter
}
