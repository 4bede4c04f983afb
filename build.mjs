// `node build.mjs [folder]` makes, in dist/ or the folder: parley.cjs, the program as one file for
// Node and the module that embedding imports; parley, a single executable that needs no Node; and
// parley.d.cts, the types for embedding. Both are for the platform and the release of Node that
// build them, for they carry the SQLite addon that was compiled here.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const root = dirname(fileURLToPath(import.meta.url))
const out = resolve(process.argv[2] ?? join(root, 'dist'))
const require = createRequire(import.meta.url)
const assetName = 'better_sqlite3.node'
const wasmName = 'vips.wasm'

const program = `import { run } from './src/cli/run.ts'`
const executable = `${program}
run()`
const embeddable = `#!/usr/bin/env node
${program}
export { createServer } from './src/server.ts'
if (require.main === module) run()`

/** Stops the build with what is wrong and what to do. */
function fail(message) {
  throw new Error(message)
}

function notInstalled(name) {
  fail(`${name} is not installed. Run "npm ci" first, without --omit=dev.`)
}

/** Runs a program, whose output counts only if it fails. */
function run(program, ...args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) fail(`${program} failed: ${error?.message ?? stdout + stderr}`)
}

const vips = join(root, 'node_modules/wasm-vips/lib')

function findAddon() {
  const file = join(root, 'node_modules/better-sqlite3/build/Release', assetName)
  if (!existsSync(file)) {
    fail(`${relative(root, file)} is missing. Run "npm rebuild better-sqlite3".`)
  }
  return file
}

/** Every migration in order, each as its statements, as src/store/migrations.ts reads them. */
function migrationsModule() {
  const folder = join(root, 'drizzle')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const migrations = files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint'))
  return `export const listMigrations = () => ${JSON.stringify(migrations)}`
}

/** @param bytes source of an expression for the addon's bytes */
function addonModule(sha256, bytes) {
  return `import { loadPackedAddon } from './unpack.ts'
let addon
export function loadAddon() {
  addon ??= loadPackedAddon({
    sha256: '${sha256}',
    target: '${process.platform}-${process.arch}-${process.versions.modules}',
    bytes: () => ${bytes},
  })
  return addon
}`
}

/**
 * What the thread for pictures runs, as src/images/library.ts has it.
 *
 * @param wasm source of an expression for the WebAssembly's bytes
 */
function pictureModule(wasm, packed) {
  const worker = readFileSync(join(root, 'src/images/worker.cjs'), 'utf8')
  const source = readFileSync(join(vips, 'vips-node.js'), 'utf8')
  return `export const loadPictureLibrary = () => ({
    worker: ${JSON.stringify(worker)},
    source: ${JSON.stringify(source)},
    wasm: ${wasm},
    packed: ${packed},
  })`
}

/** Modules that are different in the built program, by the path that they are imported from. */
function replacing(modules) {
  return {
    name: 'replace',
    setup(build) {
      for (const [path, contents] of Object.entries(modules)) {
        const file = join(root, path)
        build.onLoad({ filter: new RegExp(`${path.replaceAll('.', '\\.')}$`) }, (module) =>
          module.path === file ? { contents, loader: 'js', resolveDir: dirname(file) } : null,
        )
      }
      // Finds the addon among installed packages: never asked, because the addon is handed over.
      build.onResolve({ filter: /^bindings$/ }, ({ path }) => ({ path, namespace: 'absent' }))
      build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
        contents: `module.exports = () => { throw new Error('The addon must be handed over.') }`,
      }))
    },
  }
}

async function bundle(entry, { addon, pictures }, outfile) {
  const esbuild = await import('esbuild').catch(() => notInstalled('esbuild'))
  const { metafile } = await esbuild.build({
    stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.js' },
    outfile,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Names stay, for the sake of stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [
      replacing({
        'src/images/library.ts': pictures,
        'src/store/addon.ts': addon,
        'src/store/migrations.ts': migrationsModule(),
      }),
    ],
  })
  const inputs = [...Object.keys(metafile.inputs), relative(root, vips)]
  const comment = licences(inputs).replaceAll('*/', '* /')
  appendFileSync(outfile, `/*\nThis file contains:\n\n${comment}*/\n`)
}

/** The licences of the packages that went into a bundle, which ask to be kept with it. */
function licences(inputs) {
  const folders = new Set(
    inputs.map((path) => path.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1]),
  )
  folders.delete(undefined)
  return [root, ...[...folders].sort().map((folder) => join(root, folder))]
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      )
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      const own = file ? readFileSync(join(folder, file), 'utf8').trim() : license
      // What a package is itself made of, where it says so.
      const notices = join(folder, 'THIRD-PARTY-NOTICES.md')
      const others = existsSync(notices) ? `\n\n${readFileSync(notices, 'utf8').trim()}` : ''
      const text = own + others
      return `${name} ${version}\n\n${text}\n`
    })
    .join('\n')
}

/** Source of an expression for compressed bytes. */
function packed(bytes) {
  // Two levels higher saves a tenth, and takes ten times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return `Buffer.from('${brotliCompressSync(bytes, { params }).toString('base64')}', 'base64')`
}

/** One file for the Node that built it, which also exports `createServer`. */
async function buildFile(addonFile, sha256, outfile) {
  const bytes = `require('node:zlib').brotliDecompressSync(${packed(readFileSync(addonFile))})`
  // The thread unpacks it, so that nobody waits.
  const wasm = packed(readFileSync(join(vips, wasmName)))
  const modules = { addon: addonModule(sha256, bytes), pictures: pictureModule(wasm, true) }
  await bundle(embeddable, modules, outfile)
  chmodSync(outfile, 0o755)
}

function findPostject() {
  try {
    return require.resolve('postject/dist/cli.js')
  } catch {
    return notInstalled('postject')
  }
}

/** A copy of the running Node with the program and the addon inside. */
async function buildExecutable(addonFile, sha256, outfile, work) {
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  if (!readFileSync(process.execPath).includes(fuse)) {
    fail(
      `${process.execPath} cannot carry a program: it is older than 20.12, or links Node as a ` +
        'shared library. Build with a release from nodejs.org.',
    )
  }
  const main = join(work, 'main.cjs')
  const blob = join(work, 'blob')
  const config = join(work, 'sea.json')
  // Takes the place of an older file only when it is whole, and lets a server run on from that.
  const draft = join(work, 'parley')
  const asset = (name) => `new Uint8Array(require('node:sea').getRawAsset('${name}'))`
  const modules = {
    addon: addonModule(sha256, asset(assetName)),
    pictures: pictureModule(asset(wasmName), false),
  }
  await bundle(executable, modules, main)
  writeFileSync(
    config,
    JSON.stringify({
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { [assetName]: addonFile, [wasmName]: join(vips, wasmName) },
    }),
  )
  run(process.execPath, '--experimental-sea-config', config)
  copyFileSync(process.execPath, draft)
  chmodSync(draft, 0o755)
  const mac = process.platform === 'darwin'
  if (mac) run('codesign', '--remove-signature', draft)
  const segment = mac ? ['--macho-segment-name', 'NODE_SEA'] : []
  const postject = [findPostject(), draft, 'NODE_SEA_BLOB', blob]
  run(process.execPath, ...postject, '--sentinel-fuse', fuse, ...segment)
  if (mac) run('codesign', '--sign', '-', draft)
  renameSync(draft, outfile)
}

async function main() {
  const addonFile = findAddon()
  const sha256 = createHash('sha256').update(readFileSync(addonFile)).digest('hex')
  mkdirSync(out, { recursive: true })
  // Beside its result, which can then be renamed into place.
  const work = mkdtempSync(join(out, '.work-'))
  try {
    copyFileSync(join(root, 'src/parley.d.cts'), join(out, 'parley.d.cts'))
    await buildFile(addonFile, sha256, join(out, 'parley.cjs'))
    await buildExecutable(addonFile, sha256, join(out, 'parley'), work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  for (const name of ['parley.cjs', 'parley']) {
    const file = join(out, name)
    console.log(`${relative('', file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  }
}

main().catch((error) => {
  console.error(`build: ${error.message}`)
  process.exitCode = 1
})
