import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
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
import { cacheFolder } from './cache-folder.ts'

/** better-sqlite3's native addon, as packed by the build. */
export interface PackedAddon {
  /** The SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** The platform it was compiled for, in the form of `addonTarget`. */
  readonly target: string
  bytes(): Uint8Array
}

export interface LoadedAddon {
  /** What the package accepts in place of a path. */
  readonly addon: object
  /** Where worker threads can load it from as well; undefined: nowhere. */
  readonly file: string | undefined
}

/** The current platform and architecture. */
export const addonTarget = `${process.platform}-${process.arch}`

/**
 * Loads a packed addon from the user's cache folder, unpacking it on first use. If nothing can be
 * written or executed there, uses a temporary folder.
 *
 * @throws Error if the addon is for another platform, or no folder works
 */
export function loadPackedAddon(packed: PackedAddon, folder = cacheFolder()): LoadedAddon {
  if (packed.target !== addonTarget) {
    throw new Error(
      `This build of Parley is for ${packed.target}, not for ${addonTarget}. The npm package runs on every platform.`,
    )
  }
  try {
    const file = unpackAddon(packed, folder)
    return { addon: openAddon(file), file }
  } catch (error) {
    return loadOnce(packed, `${folder}: ${reason(error)}`)
  }
}

/**
 * Loads the addon for this platform from a folder that has those of all of them, as the npm package.
 *
 * @throws Error there is none for it
 */
export function loadInstalledAddon(folder: string): LoadedAddon {
  const file = join(
    folder,
    `${isMusl() ? addonTarget.replace('linux', 'linuxmusl') : addonTarget}.node`,
  )
  if (!existsSync(file)) throw new Error(`This build of Parley has no SQLite for ${addonTarget}.`)
  return { addon: openAddon(file), file }
}

/** Whether this is a Linux with musl, such as Alpine: its loader is part of the process then. */
export function isMusl(): boolean {
  return (
    process.platform === 'linux' && readFileSync('/proc/self/maps', 'utf8').includes('/ld-musl-')
  )
}

function loadOnce(packed: PackedAddon, refusal: string): LoadedAddon {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  try {
    return { addon: openAddon(unpackAddon(packed, folder)), file: undefined }
  } catch (error) {
    throw new Error(
      `SQLite can be loaded neither from ${refusal}; nor from ${folder}: ${reason(error)}. ` +
        'Set XDG_CACHE_HOME to a folder of your own from which programs can run.',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the addon, named by its hash, to a folder that only this user can write to, and returns
 * its path. An existing file is used only if this user owns it and it has the same bytes.
 *
 * @throws Error if the folder belongs to another user or is a link
 */
export function unpackAddon(packed: PackedAddon, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== ownUserId(found.uid)) {
    throw new Error('this folder belongs to another user')
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
    // Users with write permission could change the file after this check.
    const ours = found.uid === ownUserId(found.uid) && (found.mode & 0o022) === 0
    if (!found.isFile() || !ours) return false
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex') === sha256
  } finally {
    closeSync(descriptor)
  }
}

/** On systems without user IDs, which separate users' folders themselves, every file is ours. */
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
