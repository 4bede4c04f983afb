import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '#platform/clock.ts'

/** Drafts that a killed process left are removed after this time, in milliseconds. */
const leftAfter = 24 * 3600 * 1000

const nameOf = (name: string, suffix: string) => `.${name}.${suffix}.incomplete`

/** The path of an unfinished backup or restore, beside its target; unique to this attempt. */
export function newDraft(target: string): string {
  return join(dirname(target), nameOf(basename(target), randomBytes(6).toString('hex')))
}

/** Removes the drafts for this target that are older than a day. */
export async function removeOldDrafts(folder: string, name: string): Promise<void> {
  const pattern = /\.[0-9a-f]{12}\.incomplete(\.tar\.gz)?$/
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`.${name}.`) || !pattern.test(entry)) continue
    const { mtimeMs } = await stat(join(folder, entry))
    if (systemClock.now() - mtimeMs < leftAfter) continue
    await rm(join(folder, entry), { recursive: true, force: true })
  }
}
