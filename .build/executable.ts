import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Bundler, bundleTool, vips } from './bundle.ts'
import {
  addonPlaceholders,
  clientModule,
  type PackedClient,
  packedAddonModule,
  pictureModule,
} from './modules.ts'
import { loaderName } from './parts.ts'
import { wrap } from './programs/evaluate.ts'
import { assetNames, fixedSeeds, oneThread } from './programs/names.ts'
import { fail } from './repository.ts'
import { sign } from './sign.ts'
import { addonOf, isHost, type Target, writeNode } from './targets.ts'

const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The starter and what Node makes a blob of, by their names in the folder for drafts. */
const mainName = 'main.cjs'
const configName = 'sea.json'

const entry = `import './.build/programs/loading.ts'
import { run } from './src/program/cli/run.ts'
export { run }
export const loadPart = (name) => ${loaderName}(name)`

/** What executables for every platform have in common. */
export interface ExecutableParts {
  /** The program, without the addon's hash and platform. */
  readonly source: string
  /** How many modules are in it. */
  readonly modules: number
  /** Assets by name. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly starter: string
}

/** Bundles what is in executables. Outside the source, what is seldom needed takes no memory until then. */
export async function bundleExecutable(
  bundler: Bundler,
  client: PackedClient,
): Promise<ExecutableParts> {
  const asset = (name: string) => `new Uint8Array(require('node:sea').getRawAsset('${name}'))`
  const { source, modules } = await bundler.program(entry, {
    addon: packedAddonModule(asset(assetNames.addon)),
    pictures: pictureModule(
      `require('node:sea').getAsset('${assetNames.vips}', 'utf8')`,
      asset(assetNames.vipsWasm),
      false,
    ),
    assets: clientModule(client, asset),
    bytesOf: asset,
  })
  const files = new Map<string, Uint8Array>(bundler.packed)
  for (const [name, { bytes }] of client.files) files.set(name, bytes)
  files.set(assetNames.vips, readFileSync(join(vips, 'vips-node.js')))
  files.set(assetNames.vipsWasm, readFileSync(join(vips, 'vips.wasm')))
  return { source, modules, files, starter: await bundleTool('starter') }
}

/**
 * Makes a platform's executable: a copy of its Node with the program and the addon inside. The
 * running Node prepares what goes in, which Node 22.20 to 24 read alike.
 *
 * @param outfile replaced only once complete, which leaves a server that runs from it undisturbed
 * @param folder an empty one for drafts, on the same file system
 */
export async function buildExecutable(
  target: Target,
  { source, files, starter }: ExecutableParts,
  outfile: string,
  folder: string,
): Promise<void> {
  const addon = addonOf(target)
  const assets = new Map(files)
  const own = source
    .replace(addonPlaceholders.sha256, sha256(readFileSync(addon)))
    .replace(addonPlaceholders.target, `${target.platform}-${target.arch}`)
  assets.set(assetNames.program, Buffer.from(wrap(own), 'latin1'))
  assets.set(assetNames.cache, new Uint8Array())
  const work = join(folder, 'assets')
  mkdirSync(work)
  for (const [name, bytes] of assets) writeFileSync(join(work, name), bytes)
  copyFileSync(addon, join(work, assetNames.addon))
  if (isHost(target)) await recordProgram(folder, work)
  const [blob, draft] = [join(folder, 'blob'), join(folder, 'draft')]
  writeFileSync(join(folder, mainName), starter)
  // In one order, as the bundler's depends on which file it finishes first.
  const names = [...assets.keys(), assetNames.addon].sort()
  writeFileSync(
    join(folder, configName),
    JSON.stringify({
      main: mainName,
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: Object.fromEntries(names.map((name) => [name, join(work, name)])),
    }),
  )
  // From within the folder, as the name of the starter is in the executable as it is given.
  run({ cwd: folder }, process.execPath, '--experimental-sea-config', configName)
  await writeNode(target, draft, folder)
  if (!readFileSync(draft).includes(fuse)) {
    fail(`The Node for ${target.name} cannot carry a program: it links Node as a shared library.`)
  }
  inject(draft, blob, target)
  if (target.platform === 'darwin') writeFileSync(draft, sign(readFileSync(draft), 'parley'))
  // Linux maps 14 MB more of a file that was written in one go, as by postject, into a server's
  // memory.
  const copy = join(folder, 'copy')
  copyFileSync(draft, copy)
  chmodSync(copy, 0o755)
  renameSync(copy, outfile)
}

/** Puts a blob into a copy of Node. The only place that knows postject. */
function inject(file: string, blob: string, { platform }: Target): void {
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')
  const segment = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  const options = ['--sentinel-fuse', fuse, ...segment]
  run({}, process.execPath, postject, file, 'NODE_SEA_BLOB', blob, ...options)
}

/** Writes the code that V8 compiles for a start, so that the executable need not compile it. */
async function recordProgram(folder: string, work: string): Promise<void> {
  // As a user starts it: options of Node change the code, and settings are those of whoever builds.
  const isOurs = (name: string) => name === 'NODE_OPTIONS' || name.startsWith('PARLEY_')
  const others = Object.entries(process.env).filter(([name]) => !isOurs(name))
  const env = { ...Object.fromEntries(others), XDG_CACHE_HOME: join(folder, 'cache') }
  const [recorder, checker] = [join(folder, 'recorder.cjs'), join(folder, 'checker.cjs')]
  writeFileSync(recorder, await bundleTool('recorder'))
  writeFileSync(checker, await bundleTool('checker'))
  const fixedOptions = [...fixedSeeds, ...oneThread]
  run({ env }, process.execPath, ...fixedOptions, recorder, work, join(work, assetNames.addon))
  const [program, cache] = [join(work, assetNames.program), join(work, assetNames.cache)]
  run({ env }, process.execPath, checker, program, cache)
}

/** Runs a program; shows its output only if it fails. */
function run(
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
  program: string,
  ...args: readonly string[]
): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
  })
  if (status !== 0) fail(`${program} ${args[0]} failed: ${error?.message ?? stdout + stderr}`)
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
