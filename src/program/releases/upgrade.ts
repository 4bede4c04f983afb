import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { badRequest } from '#platform/errors.ts'
import { explain } from '#platform/store/refusals.ts'
import { parleyVersion } from '#platform/version.ts'
import { compareVersions } from './listing.ts'

export interface Upgrade {
  /** The archive of a release for this platform, or an executable. */
  readonly file: string
  /** The SHA-256 that it must have, in hex; undefined: the one in SHA256SUMS beside it. */
  readonly sum: string | undefined
  /** The executable to replace. */
  readonly executable: string
  /** Called before it is replaced. @throws to cancel the upgrade */
  backUp(): Promise<void>
}

const largestArchive = 1024 ** 3
const patienceMs = 30_000

/**
 * Replaces an executable with that of a newer release atomically. A server that runs from it is not
 * affected.
 *
 * @returns the new version
 * @throws BAD_REQUEST the sum differs, it does not run here, or it is not newer; nothing was
 *   changed
 */
export async function upgrade({ file, sum, executable, backUp }: Upgrade): Promise<string> {
  await access(dirname(executable), constants.W_OK)
  const bytes = await readFile(file)
  await requireSum(file, bytes, sum)
  const draft = join(dirname(executable), `.parley-${randomUUID()}${extension(executable)}`)
  try {
    await writeFile(draft, await programIn(file, bytes), { flag: 'wx', mode: 0o755 })
    const version = await versionOf(draft)
    const difference = compareVersions(version, parleyVersion)
    if (difference === 0) throw badRequest(`This is already version ${version}.`)
    if (difference === undefined || difference < 0) {
      throw badRequest(
        `${version} is not newer than ${parleyVersion}. An older version refuses a migrated data ` +
          'folder: restore a backup with it, as /help/operators/upgrading says.',
      )
    }
    await backUp()
    await replace(executable, draft)
    return version
  } finally {
    await rm(draft, { force: true })
  }
}

const extension = (executable: string) => (executable.endsWith('.exe') ? '.exe' : '')

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
  if (file.endsWith('.zip'))
    throw badRequest(`Unpack ${file}, and give the parley.exe in it with --sum.`)
  if (!/\.(tar\.gz|tgz)$/.test(file)) return bytes
  try {
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
