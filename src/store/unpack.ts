import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '#config.ts'

/** better-sqlite3's native part, as the build packs it. */
export interface PackedAddon {
  /** Of the bytes, in hex digits. */
  readonly sha256: string
  /** What it was compiled for, in the form of `addonTarget`. */
  readonly target: string
  bytes(): Uint8Array
}

/** Platform, architecture and the version of Node's binary interface. */
export const addonTarget = `${process.platform}-${process.arch}-${process.versions.modules}`

/**
 * Loads a packed addon from the user's cache folder, where it is unpacked once. Where that cannot
 * be, because nothing may be written or executed there, from a temporary folder.
 *
 * @throws when the addon is for another platform or release of Node, or no folder will do
 */
export function loadPackedAddon(packed: PackedAddon, folder = cacheFolder()): object {
  if (packed.target !== addonTarget) {
    throw new Error(
      `This build of Parley is for ${packed.target}, not for ${addonTarget} (platform, processor, Node's module version).`,
    )
  }
  try {
    return openAddon(unpackAddon(packed, folder))
  } catch (error) {
    return loadOnce(packed, `${folder}: ${reason(error)}`)
  }
}

function loadOnce(packed: PackedAddon, refusal: string): object {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  try {
    return openAddon(unpackAddon(packed, folder))
  } catch (error) {
    throw new Error(
      `SQLite can be loaded from neither ${refusal}; nor ${folder}: ${reason(error)}. ` +
        'Set XDG_CACHE_HOME to a folder of yours where programs may run.',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Puts the addon into a folder that only this user can write to, named by its content, and returns
 * its path. A file that is there already counts only if it is ours and holds the same bytes.
 *
 * @throws when the folder is somebody else's, or a link
 */
export function unpackAddon(packed: PackedAddon, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== ownUserId(found.uid)) {
    throw new Error('this folder belongs to somebody else')
  }
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  const file = join(folder, `${packed.sha256}.node`)
  if (!holds(file, packed.sha256)) {
    const draft = join(folder, randomUUID())
    writeFileSync(draft, packed.bytes(), { flag: 'wx', mode: 0o600 })
    renameSync(draft, file)
  }
  return file
}

function holds(file: string, sha256: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return false
  }
  try {
    const found = fstatSync(descriptor)
    // Whoever else may write to it could change it after this look.
    const ours = found.uid === ownUserId(found.uid) && (found.mode & 0o022) === 0
    if (!found.isFile() || !ours) return false
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex') === sha256
  } finally {
    closeSync(descriptor)
  }
}

/** Systems without user ids keep folders apart themselves: there everything counts as ours. */
function ownUserId(found: number): number {
  return process.getuid?.() ?? found
}

function openAddon(file: string): object {
  const loaded = { exports: {} }
  process.dlopen(loaded, file)
  return loaded.exports
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
