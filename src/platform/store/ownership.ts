import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/**
 * Changes the owner of files that root has created in the data folder of another user, so that a
 * service can use what a command of an administrator left. Only on Linux, and only if the folder
 * still exists.
 *
 * The owner may replace any path meanwhile, so this follows no links, and works on open folders.
 */
export function giveToOwner(folder: string): void {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && found.uid !== 0) giveAll(folder, found.uid, found.gid)
}

function giveAll(path: string, uid: number, gid: number): void {
  const file = openIfAny(path)
  if (file === undefined) return
  try {
    const { nlink, uid: owner } = fstatSync(file)
    const isFolder = fstatSync(file).isDirectory()
    // A file may have another name outside the folder.
    if (owner === 0 && (isFolder || nlink === 1)) fchownSync(file, uid, gid)
    if (!isFolder) return
    const here = `/proc/self/fd/${file}`
    for (const name of readdirSync(here)) {
      const child = join(here, name)
      const found = lstatSync(child, { throwIfNoEntry: false })
      if (found?.isDirectory() || (found?.isFile() && found.uid === 0)) giveAll(child, uid, gid)
    }
  } finally {
    closeSync(file)
  }
}

/** Undefined: it is gone or a link. */
function openIfAny(path: string): number | undefined {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return undefined
  }
}
