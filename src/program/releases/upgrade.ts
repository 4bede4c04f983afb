import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { badRequest } from '#platform/errors.ts'
import { modernTar } from '#platform/files/lazy.cjs'
import { explain } from '#platform/store/refusals.ts'
import { parleyVersion } from '#platform/version.ts'
import { newDraft, removeLeftDrafts } from '#program/drafts.ts'
import { compareVersions } from './listing.ts'
import { isExecutableFor } from './platform.ts'
import { isSignedBy, releaseKey } from './signature.ts'

export interface Upgrade {
  /** The archive of a release for this platform, or an executable. */
  readonly file: string
  /** The SHA-256 that it must have, in hex; undefined: the one in SHA256SUMS beside it. */
  readonly sum: string | undefined
  /** The executable to replace. */
  readonly executable: string
  /** The key that signs releases; default: the one in this program; empty: they are not signed. */
  readonly key?: string
  /** Called before it is replaced. @throws to cancel the upgrade */
  backUp(): Promise<void>
}

const largestArchive = 1024 ** 3
const patienceMs = 30_000

/**
 * Replaces an executable with that of a newer release atomically. A server that runs from it is not
 * affected. Nothing of the release is run before it is known to be signed, newer and for this platform.
 *
 * @returns the new version
 * @throws BAD_REQUEST it is not signed, the sum differs, it does not run here, or it is not newer;
 *   nothing was changed
 */
export async function upgrade(asked: Upgrade): Promise<string> {
  const { file, sum, executable, key = releaseKey, backUp } = asked
  await access(dirname(executable), constants.W_OK)
  await removeLeftDrafts(dirname(executable))
  const bytes = await readFile(file)
  if (key !== '') await requireSignature(file, key)
  // A signature is that of the list of sums, so that the sum has to be in it.
  await requireSum(file, bytes, key === '' ? sum : undefined)
  if (sum !== undefined) await requireSum(file, bytes, sum)
  const named = releaseNamed(basename(file))
  if (named) requireNewer(named.version)
  const draft = newDraft(executable, executable.endsWith('.exe') ? '.exe' : '')
  try {
    const program = await programIn(file, bytes)
    requirePlatform(file, program)
    await writeFile(draft, program, { flag: 'wx', mode: 0o755 })
    const version = await versionOf(draft)
    requireNewer(version)
    await backUp()
    await replace(executable, draft)
    return version
  } finally {
    await rm(draft, { force: true })
  }
}

/** What the name of an archive says; undefined for another name. @throws BAD_REQUEST another platform */
function releaseNamed(name: string): { readonly version: string } | undefined {
  const [, version, system, arch] =
    /^parley-(\d[\w.-]*?)-(linux|macos|windows)-(\w+)\.(?:tar\.gz|zip)$/.exec(name) ?? []
  if (version === undefined || system === undefined) return undefined
  if (systems[system] !== process.platform || arch !== process.arch) {
    throw badRequest(
      `${name} is for another platform: this one needs the archive for ${ownSystem()}-${process.arch}.`,
    )
  }
  return { version }
}

/** The systems in the names of archives, as Node calls them. */
const systems: Readonly<Record<string, string>> = {
  linux: 'linux',
  macos: 'darwin',
  windows: 'win32',
}

const ownSystem = () =>
  Object.keys(systems).find((name) => systems[name] === process.platform) ?? process.platform

/** @throws BAD_REQUEST */
function requireNewer(version: string): void {
  const difference = compareVersions(version, parleyVersion)
  if (difference === 0) throw badRequest(`This is already version ${version}.`)
  if (difference !== undefined && difference > 0) return
  throw badRequest(
    `${version} is not newer than ${parleyVersion}. An older version refuses a migrated data ` +
      'folder: restore a backup with it, as /help/operators/upgrading says.',
  )
}

/** A script can be one, whose interpreter the system finds. @throws BAD_REQUEST */
function requirePlatform(file: string, program: Uint8Array): void {
  if (isExecutableFor(process, program)) return
  if (process.platform !== 'win32' && Buffer.from(program.subarray(0, 2)).toString() === '#!')
    return
  throw badRequest(
    `The executable in ${basename(file)} is not for this platform, which is ${ownSystem()}-${process.arch}.`,
  )
}

/** Checks that the list of sums beside a file is signed. @throws BAD_REQUEST */
async function requireSignature(file: string, key: string): Promise<void> {
  const sums = join(dirname(resolve(file)), 'SHA256SUMS')
  const signature = `${sums}.sig`
  if (!existsSync(sums) || !existsSync(signature)) {
    throw badRequest(
      `There is no SHA256SUMS with SHA256SUMS.sig beside ${file}. Download both files of the release as well: they ` +
        'prove who made it.',
    )
  }
  if (isSignedBy(key, await readFile(sums), await readFile(signature))) return
  throw badRequest(
    `SHA256SUMS beside ${file} is not signed with the key of this program's releases: whoever made it is someone ` +
      'else, or a file was changed.',
  )
}

async function requireSum(file: string, bytes: Buffer, sum: string | undefined): Promise<void> {
  const wanted = sum ?? (await sumBeside(file))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === wanted.toLowerCase()) return
  throw badRequest(
    `${file} is damaged or a different file: its SHA-256 is ${found}, not ${wanted}.`,
  )
}

/** @throws BAD_REQUEST there is none */
async function sumBeside(file: string): Promise<string> {
  const sums = join(dirname(resolve(file)), 'SHA256SUMS')
  const text = existsSync(sums) ? await readFile(sums, 'utf8') : ''
  for (const line of text.split('\n')) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+?)\r?$/i.exec(line) ?? []
    if (sum && name === basename(file)) return sum
  }
  throw badRequest(
    `There is no SHA256SUMS beside ${file} that lists it. Download that file of the release as well, or give the sum ` +
      'with --sum.',
  )
}

/** The executable in an archive; the file itself if it is none. */
async function programIn(file: string, bytes: Buffer): Promise<Uint8Array> {
  if (file.endsWith('.zip')) return await programInZip(file, bytes)
  if (!/\.(tar\.gz|tgz)$/.test(file)) return bytes
  try {
    const { unpackTar } = modernTar()
    const entries = await unpackTar(gunzipSync(bytes, { maxOutputLength: largestArchive }), {
      filter: ({ name, type }) => type === 'file' && /^[^/]+\/parley$/.test(name),
    })
    const [program] = entries
    if (program?.data) return program.data
  } catch (error) {
    throw badRequest(`${file} cannot be unpacked: ${explain(error)}`)
  }
  throw badRequest(`${file} has no executable in it: it is not the archive of a release.`)
}

/** The executable in an archive for Windows. @throws BAD_REQUEST */
async function programInZip(file: string, bytes: Buffer): Promise<Uint8Array> {
  const { fromBufferPromise } = await import('yauzl')
  try {
    const zip = await fromBufferPromise(bytes)
    for await (const entry of zip.eachEntry()) {
      if (!/^[^/]+\/parley\.exe$/.test(entry.fileName)) continue
      if (entry.uncompressedSize > largestArchive) break
      return await buffer(await zip.openReadStreamPromise(entry))
    }
  } catch (error) {
    throw badRequest(`${file} cannot be unpacked: ${explain(error)}`)
  }
  throw badRequest(`${file} has no executable in it: it is not the archive of a release.`)
}

/** @throws BAD_REQUEST it does not run here */
async function versionOf(program: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: patienceMs })
    const [, version] = /^Parley (\S+)/.exec(stdout) ?? []
    if (version !== undefined) return version
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw badRequest(`This executable does not run here: ${stderr?.trim() || explain(error)}`)
  }
  throw badRequest('This executable is a different program.')
}

async function replace(executable: string, draft: string): Promise<void> {
  // Windows does not allow overwriting a running program, only renaming it.
  if (process.platform === 'win32') {
    await rm(`${executable}.old`, { force: true })
    await rename(executable, `${executable}.old`)
  }
  await rename(draft, executable)
}
