import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { isExecutableFor } from '../src/program/releases/platform.ts'
import { fail } from './repository.ts'
import { hasValidSignature } from './sign.ts'
import { addonOf, isHost, type Target } from './targets.ts'

/** How far an executable was tried, in the words of the release notes. */
export type Trial = 'started' | 'started in an emulator' | 'format checked, not started'

/**
 * Checks an executable's format, that it carries a program and the right addon, and its signature
 * if it has to have one; starts it where that is possible.
 *
 * @throws Error what is wrong with it
 */
export function verify(target: Target, file: string): Trial {
  const bytes = readFileSync(file)
  if (!isExecutableFor(target, bytes)) fail(`${file} is not for ${target.name}.`)
  // Set by whatever puts a program into it; Node looks for the program then.
  if (!bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')) {
    fail(`${file} carries no program.`)
  }
  if (!bytes.includes(readFileSync(addonOf(target)))) fail(`${file} has no addon.`)
  if (target.platform === 'darwin' && !hasValidSignature(bytes)) fail(`${file} is not signed.`)
  const emulator = isHost(target) ? [] : emulatorFor(target)
  if (!emulator) return 'format checked, not started'
  const [program = '', ...args] = [...emulator, file, '--version']
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  // SQLite's version comes from the addon.
  if (status !== 0 || !/^Parley \d[\s\S]*SQLite \d/.test(stdout)) {
    fail(`${basename(file)} for ${target.name} does not start: ${stdout}${stderr}`)
  }
  return emulator.length > 0 ? 'started in an emulator' : 'started'
}

/** The libraries of another processor, as Debian's libc6-arm64-cross installs them. */
const crossRoot = '/usr/aarch64-linux-gnu'

/** What runs Linux executables of another processor here: undefined if nothing is installed. */
export function emulatorFor({ platform, arch }: Target): readonly string[] | undefined {
  if (platform !== 'linux' || process.platform !== 'linux' || arch !== 'arm64') return undefined
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = ['qemu-aarch64-static', 'qemu-aarch64']
  const emulator = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
  return emulator && existsSync(crossRoot) ? [emulator, '-L', crossRoot] : undefined
}
