// `node build.mjs [--release | --draft] [folder]` writes to dist/ or to the given folder: parley.cjs, the program as one
// file for Node, which is also the module to import for embedding; parley, a single executable that
// needs no Node; and parley.d.cts, the types for embedding. Both programs contain the SQLite addon
// compiled here, so they run only on the platform and the Node release that built them. With --release
// also what a release page has: see .ci/release.mjs. With --draft it compresses in a tenth of the time, for tests.
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
import { makeRelease } from './.ci/release.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isDraft = process.argv.includes('--draft')
const out = resolve(folder ?? join(root, 'dist'))
const require = createRequire(import.meta.url)
const assetName = 'better_sqlite3.node'
const wasmName = 'vips.wasm'
const vipsName = 'vips-node.js'

const program = `import { run } from './src/program/cli/run.ts'`
const executable = `${program}
run()`
const embeddable = `#!/usr/bin/env node
${program}
export { createServer } from './src/program/server.ts'
if (require.main === module) run()`

/** Stops the build. @param message what is wrong and how to fix it */
function fail(message) {
  throw new Error(message)
}

function notInstalled(name) {
  fail(`${name} is not installed. Run "npm ci" first, without --omit=dev.`)
}

/** Runs a program; shows its output only if it fails. */
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

/** The migrations in order, as lists of statements: replaces src/platform/store/migrations.ts. */
function migrationsModule() {
  const folder = join(root, 'drizzle')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const migrations = files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint'))
  return `export const listMigrations = () => ${JSON.stringify(migrations)}`
}

/** @param bytes source code of an expression for the addon's bytes */
function addonModule(sha256, bytes) {
  return `import { loadPackedAddon } from './unpack.ts'
let loaded
function load() {
  loaded ??= loadPackedAddon({
    sha256: '${sha256}',
    target: '${process.platform}-${process.arch}-${process.versions.modules}',
    bytes: () => ${bytes},
  })
  return loaded
}
export const loadAddon = () => load().addon
export const addonFile = () => load().file`
}

/**
 * The code of the image worker thread: replaces src/platform/images/library.ts.
 *
 * @param source source code of an expression for that of wasm-vips
 * @param wasm source code of an expression for the WebAssembly's bytes
 * @param packed whether those bytes are brotli-compressed
 */
function pictureModule(source, wasm, packed) {
  const worker = readFileSync(join(root, 'src/platform/images/worker.cjs'), 'utf8')
  return `export const loadPictureLibrary = () => ({
    worker: ${JSON.stringify(worker)},
    source: ${source},
    wasm: ${wasm},
    packed: ${packed},
  })`
}

/** The code of the thread that checks databases: replaces src/platform/store/integrity-library.ts. */
async function integrityModule() {
  const esbuild = await loadEsbuild()
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `module.exports = require('better-sqlite3')`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    write: false,
    logLevel: 'warning',
    plugins: [replacing({})],
  })
  const worker = readFileSync(join(root, 'src/platform/store/integrity-worker.cjs'), 'utf8')
  return `export const loadIntegrityLibrary = () => ({
    worker: ${JSON.stringify(worker)},
    source: ${JSON.stringify(outputFiles[0].text)},
  })`
}

/** Bundles the web client: see src/features/web-client/bundle.ts, which a checkout uses, too. */
async function bundleClient() {
  const esbuild = await loadEsbuild()
  const source = readFileSync(join(root, 'src/features/web-client/bundle.ts'), 'utf8')
  const { code } = await esbuild.transform(source, { loader: 'ts' })
  const bundler = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  )
  return await bundler.bundleClient(esbuild.build, root)
}

/**
 * The web client's files, compressed: replaces src/features/web-client/assets.ts.
 *
 * @param bytesOf source code of an expression for the bytes of a file, by its name
 */
function clientModule({ files, entries }, bytesOf) {
  const members = [...files].map(([name, { bytes, isPacked }]) => {
    const key = JSON.stringify(name)
    return `[${key}, { type: typeOf(${key}), isPacked: ${isPacked}, bytes: ${bytesOf(name, bytes)} }]`
  })
  return `import { typeOf } from './asset-file.ts'
let assets
export async function loadClientAssets() {
  assets ??= { entries: ${JSON.stringify(entries)}, files: new Map([${members.join(',')}]) }
  return assets
}`
}

/** The web client's files as they are kept: fonts are compressed in themselves. */
function packClient({ files, ...client }) {
  const kept = [...files].map(([name, bytes]) => {
    const isPacked = !name.endsWith('.woff2')
    const params = { [constants.BROTLI_PARAM_QUALITY]: isDraft ? 1 : 11 }
    const packed = isPacked ? brotliCompressSync(bytes, { params }) : Buffer.from(bytes)
    return [name, { bytes: packed, isPacked }]
  })
  return { ...client, files: new Map(kept) }
}

/** An esbuild plugin that replaces modules in the built program. @param modules code by path */
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
      // `bindings` looks for an installed addon; it is never called, because we pass the addon in.
      // `supports-color` is only for output for developers, and not installed.
      build.onResolve({ filter: /^(bindings|supports-color)$/ }, ({ path }) => ({
        path,
        namespace: 'absent',
      }))
      build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
        contents: `module.exports = () => { throw new Error('The addon must be handed over.') }`,
      }))
    },
  }
}

async function loadEsbuild() {
  return await import('esbuild').catch(() => notInstalled('esbuild'))
}

/** V8 takes two bytes for each character of a source that has one beyond Latin-1. */
function narrow(file) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, source.replace(/[\u0100-\uffff]/g, escaped))
}

async function bundle(entry, { addon, pictures, assets, client }, outfile) {
  const esbuild = await loadEsbuild()
  const { metafile } = await esbuild.build({
    stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.js' },
    outfile,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Identifiers stay readable for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [
      replacing({
        'src/features/web-client/assets.ts': assets,
        'src/platform/images/library.ts': pictures,
        'src/platform/store/addon.ts': addon,
        'src/platform/store/integrity-library.ts': await integrityModule(),
        'src/platform/store/migrations.ts': migrationsModule(),
      }),
    ],
  })
  const inputs = [...Object.keys(metafile.inputs), ...client.inputs, relative(root, vips)]
  const contents = packagesOf(inputs)
  const comment = licences(contents).replaceAll('*/', '* /')
  appendFileSync(outfile, `/*\nThis file contains:\n\n${comment}*/\n`)
  narrow(outfile)
  return contents
}

/** The bundled packages, with Parley itself as the first. */
function packagesOf(inputs) {
  const folders = new Set(
    inputs.map((path) => path.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1]),
  )
  folders.delete(undefined)
  return [root, ...[...folders].sort().map((folder) => join(root, folder))].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const own = file ? readFileSync(join(folder, file), 'utf8').trim() : license
    // Some packages bundle others themselves and list their licences here.
    const notices = join(folder, 'THIRD-PARTY-NOTICES.md')
    const others = existsSync(notices) ? `\n\n${readFileSync(notices, 'utf8').trim()}` : ''
    return { name, version, license, text: own + others }
  })
}

/** The licences of the bundled packages, which must be distributed with them. */
function licences(contents) {
  return contents.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`).join('\n')
}

/** Source code of an expression for brotli-compressed bytes. */
function packed(bytes) {
  // Quality 11 saves a tenth more but takes ten times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: isDraft ? 1 : 9 }
  return `Buffer.from('${brotliCompressSync(bytes, { params }).toString('base64')}', 'base64')`
}

/** Builds the single file for Node, which also exports `createServer`. */
async function buildFile(addonFile, sha256, client, outfile) {
  const bytes = `require('node:zlib').brotliDecompressSync(${packed(readFileSync(addonFile))})`
  // The worker thread unpacks it, off the main thread.
  const wasm = packed(readFileSync(join(vips, wasmName)))
  const source = JSON.stringify(readFileSync(join(vips, vipsName), 'utf8'))
  const base64 = (_name, bytes) => `Buffer.from('${bytes.toString('base64')}', 'base64')`
  const modules = {
    addon: addonModule(sha256, bytes),
    pictures: pictureModule(source, wasm, true),
    assets: clientModule(client, base64),
    client,
  }
  const contents = await bundle(embeddable, modules, outfile)
  chmodSync(outfile, 0o755)
  return contents
}

function findPostject() {
  try {
    return require.resolve('postject/dist/cli.js')
  } catch {
    return notInstalled('postject')
  }
}

/** Builds the single executable: a copy of the running Node with program and addon inside. */
async function buildExecutable(addonFile, sha256, client, outfile, work) {
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  if (!readFileSync(process.execPath).includes(fuse)) {
    fail(
      `${process.execPath} cannot carry a program: it is older than 20.15, or links Node as a ` +
        'shared library. Build with a release from nodejs.org.',
    )
  }
  const main = join(work, 'main.cjs')
  const blob = join(work, 'blob')
  const config = join(work, 'sea.json')
  // Replaces an older file only once complete, and leaves a server that runs from it undisturbed.
  const draft = join(work, 'parley')
  const asset = (name) => `new Uint8Array(require('node:sea').getRawAsset('${name}'))`
  const text = (name) => `require('node:sea').getAsset('${name}', 'utf8')`
  // Outside the source, what is seldom needed takes no memory until then.
  const modules = {
    addon: addonModule(sha256, asset(assetName)),
    pictures: pictureModule(text(vipsName), asset(wasmName), false),
    assets: clientModule(client, asset),
    client,
  }
  for (const [name, { bytes }] of client.files) writeFileSync(join(work, name), bytes)
  const clientFiles = [...client.files.keys()].map((name) => [name, join(work, name)])
  await bundle(executable, modules, main)
  writeFileSync(
    config,
    JSON.stringify({
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: {
        ...Object.fromEntries(clientFiles),
        [assetName]: addonFile,
        [wasmName]: join(vips, wasmName),
        [vipsName]: join(vips, vipsName),
      },
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
  // On the same file system as the result, so that it can be renamed into place.
  const work = mkdtempSync(join(out, '.work-'))
  try {
    copyFileSync(join(root, 'src/program/parley.d.cts'), join(out, 'parley.d.cts'))
    const client = packClient(await bundleClient())
    const contents = await buildFile(addonFile, sha256, client, join(out, 'parley.cjs'))
    await buildExecutable(addonFile, sha256, client, join(out, 'parley'), work)
    if (process.argv.includes('--release')) {
      await makeRelease({ root, out, work, contents, licences: licences(contents) })
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const { lts } = process.release
  console.log(
    `Node ${process.version}${lts ? ` (long-term release ${lts})` : ', no long-term release'}`,
  )
  for (const name of ['parley.cjs', 'parley']) {
    const file = join(out, name)
    console.log(`${relative('', file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  }
}

main().catch((error) => {
  console.error(`build: ${error.message}`)
  process.exitCode = 1
})
