// `node build.mjs [--release | --draft] [folder]` writes to dist/ or to the given folder: parley.cjs, the program as one
// file for Node, which is also the module to import for embedding; parley, a single executable that
// needs no Node; and parley.d.cts, the types for embedding. Both programs contain the SQLite addon
// compiled here, so they run only on the platform and the Node release that built them. With --release
// also what a release page has: see .ci/release.mjs. With --draft it compresses in a tenth of the time, for tests.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
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
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { licences, packagesOf } from './.ci/licences.mjs'
import { makeRelease } from './.ci/release.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isDraft = process.argv.includes('--draft')
const out = resolve(folder ?? join(root, 'dist'))
const require = createRequire(import.meta.url)
const assetName = 'better_sqlite3.node'
const wasmName = 'vips.wasm'
const vipsName = 'vips-node.js'

const programName = 'program.js'
const cacheName = 'program.cache'

const program = `import { run } from './src/program/cli/run.ts'`
const executable = `${program}
export { run }`
const embeddable = `#!/usr/bin/env node
${program}
export { createServer } from './src/program/server.ts'
if (require.main === module) run()`

/** Source code of the function that runs the code of a CommonJS module. */
const evaluation = `function evaluate(source, filename, cachedData) {
  const { Script } = require('node:vm')
  const script = new Script('(function(exports,require,module){' + source + '\\n})', { filename, cachedData })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module)
  return { script, exports: module.exports }
}`

/**
 * What the executable starts: the program with the code that was compiled while it was recorded.
 * Node's own cache has only what is compiled without running it.
 */
const starter = `${evaluation}
const { getRawAsset } = require('node:sea')
const source = Buffer.from(getRawAsset('${programName}')).latin1Slice()
const { exports: program } = evaluate(source, '${programName}', Buffer.from(getRawAsset('${cacheName}')))
program.run()`

/**
 * Starts the program on an empty data folder, asks it for a page, and writes the code that was
 * compiled for that; then it runs each part, so that none is missing something. Arguments: the folder
 * of the assets, and the addon.
 */
const recorder = `${evaluation}
const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { brotliDecompressSync } = require('node:zlib')
const [folder, addon] = process.argv.slice(2)
const sea = { getRawAsset: (name) => new Uint8Array(readFileSync(name === '${assetName}' ? addon : join(folder, name))).buffer }
const native = require
require = (name) => (name === 'node:sea' ? sea : native(name))
process.argv.splice(2, 2, 'serve', '--data', join(folder, 'recorded'), '--port', '0')
const source = readFileSync(join(folder, '${programName}'), 'latin1')
setTimeout(() => process.exit((console.error('It does not answer.'), 1)), 60_000)
const { script, exports: program } = evaluate(source, '${programName}')
process.stdout.write = (text) => {
  const url = /http:\\/\\/\\S+/.exec(text)?.[0]
  if (url) record(url).catch((error) => process.exit((console.error(error), 1)))
  return true
}
async function record(url) {
  for (const path of ['/api/v1/server_settings', '/']) await (await fetch(url + path)).text()
  writeFileSync(join(folder, '${cacheName}'), script.createCachedData())
  for (const name of readdirSync(folder).filter((name) => name.startsWith('part-'))) {
    evaluate(brotliDecompressSync(readFileSync(join(folder, name))).toString(), name)
  }
  process.exit(0)
}
program.run()`

/** Fails if V8 does not take the recorded code. Arguments: the program, and its code. */
const checker = `const { readFileSync } = require('node:fs')
${evaluation}
const [source, cached] = process.argv.slice(2)
const { script } = evaluate(readFileSync(source, 'latin1'), '${programName}', readFileSync(cached))
if (script.cachedDataRejected) throw new Error('V8 refuses the code that it has just compiled.')`

/** Stops the build. @param message what is wrong and how to fix it */
function fail(message) {
  throw new Error(message)
}

function notInstalled(name) {
  fail(`${name} is not installed. Run "npm ci" first, without --omit=dev.`)
}

/** Runs a program; shows its output only if it fails. */
function run(program, ...args) {
  runWith(process.env, program, ...args)
}

function runWith(env, program, ...args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env })
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
    return `[${key}, { type: typeOf(${key}), isPacked: ${isPacked}, get bytes() { return ${bytesOf(name, bytes)} } }]`
  })
  return `import { typeOf } from './asset-file.ts'
let assets
export async function loadClientAssets() {
  assets ??= { entries: ${JSON.stringify(entries)}, files: new Map([${members.join(',')}]) }
  return assets
}
export const findClientFile = async (name) => (await loadClientAssets()).files.get(name)`
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

/**
 * An esbuild plugin that makes parts of what the program loads only when it needs it: packages that
 * are imported dynamically, and what a CommonJS module of ours requires. To compile them and to keep
 * their source in memory would cost every start.
 *
 * @param sourceOf source code of an expression for the bytes of a part's source, by its name
 */
function splitting(sourceOf) {
  return {
    name: 'split',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === 'part' || !isPart(path, kind, importer)) return null
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: 'part' })
        return found.errors.length > 0 ? found : { path: found.path, namespace: 'part' }
      })
      build.onLoad({ filter: /./, namespace: 'part' }, async ({ path }) => {
        if (!parts.has(path)) addPart(path, await bundlePart(path))
        const { name, source, exports } = parts.get(path)
        const loaded = `${evaluation}\nconst part = evaluate(${sourceOf(name, source)}.toString(), '${name}').exports`
        return { contents: `${loaded}\n${exports}`, loader: 'js', resolveDir: root }
      })
    },
  }
}

function isPart(path, kind, importer) {
  if (isBuiltin(path)) return false
  if (kind === 'dynamic-import') return !/^[.#/]/.test(path)
  return (
    kind === 'require-call' && importer.startsWith(join(root, 'src')) && !path.endsWith('.node')
  )
}

/** The parts of the program, by the paths of their modules. */
const parts = new Map()

function addPart(path, part) {
  const others = [...parts.values()].map(({ name }) => name)
  if (others.includes(part.name)) fail(`There are two parts named ${part.name}.`)
  parts.set(path, part)
}

/** @returns a part's name, source, bundled files, and the source code that exports `part` */
async function bundlePart(path) {
  const esbuild = await loadEsbuild()
  const { outputFiles, metafile } = await esbuild.build({
    ...bundling,
    entryPoints: [path],
    outdir: out,
    format: 'esm',
    write: false,
    plugins: [replacing({})],
  })
  const { code } = await esbuild.transform(outputFiles[0].text, { ...minifying, format: 'cjs' })
  const [{ exports, entryPoint }] = Object.values(metafile.outputs)
  const named = exports.filter((name) => name !== 'default')
  const isModule = metafile.inputs[entryPoint].format === 'esm'
  return {
    name: partName(path),
    source: narrow(code),
    inputs: Object.keys(metafile.inputs),
    exports: isModule
      ? `export default part.default\nexport const { ${named.join(', ')} } = part`
      : 'module.exports = part.default',
  }
}

/** `part-katex.js` for the package, `part-highlighter.js` for a module of ours. */
function partName(path) {
  const name = /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? basename(path, extname(path))
  return `part-${name.replace(/\W+/g, '-')}.js`
}

/** V8 takes two bytes for each character of a source that has one beyond Latin-1. */
function narrow(source) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return source.replace(/[\u0100-\uffff]/g, escaped)
}

/** Identifiers stay readable for stack traces. */
const minifying = {
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
}

const bundling = { ...minifying, absWorkingDir: root, bundle: true, metafile: true }

/** @returns what is in it, and its source for V8 */
async function bundle(entry, { addon, pictures, assets, client, sourceOf }) {
  const esbuild = await loadEsbuild()
  const { outputFiles, metafile } = await esbuild.build({
    ...bundling,
    stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.js' },
    format: 'cjs',
    write: false,
    plugins: [
      splitting(sourceOf),
      replacing({
        'src/features/web-client/assets.ts': assets,
        'src/platform/images/library.ts': pictures,
        'src/platform/store/addon.ts': addon,
        'src/platform/store/integrity-library.ts': await integrityModule(),
        'src/platform/store/migrations.ts': migrationsModule(),
      }),
    ],
  })
  const own = Object.keys(metafile.inputs).filter((path) => !path.startsWith('part:'))
  const inputs = [own, ...[...parts.values()].map((part) => part.inputs)].flat()
  const contents = packagesOf(root, [...inputs, ...client.inputs, relative(root, vips)])
  return { contents, source: narrow(outputFiles[0].text) }
}

/** A comment with the licences of what a file contains. */
function licenceComment(contents) {
  return narrow(`/*\nThis file contains:\n\n${licences(contents).replaceAll('*/', '* /')}*/\n`)
}

function compress(bytes) {
  // Quality 11 saves a tenth more but takes ten times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: isDraft ? 1 : 9 }
  return brotliCompressSync(bytes, { params })
}

/** Source code of an expression for compressed bytes. */
const packed = (bytes) => `Buffer.from('${compress(bytes).toString('base64')}', 'base64')`

/** Source code of an expression for bytes. @param packed the same for the compressed ones */
const unpacked = (packed) => `require('node:zlib').brotliDecompressSync(${packed})`

/** Builds the single file for Node, which also exports `createServer`. */
async function buildFile(addonFile, sha256, client, outfile) {
  const bytes = unpacked(packed(readFileSync(addonFile)))
  // The worker thread unpacks it, off the main thread.
  const wasm = packed(readFileSync(join(vips, wasmName)))
  const source = JSON.stringify(readFileSync(join(vips, vipsName), 'utf8'))
  const base64 = (_name, bytes) => `Buffer.from('${bytes.toString('base64')}', 'base64')`
  const modules = {
    addon: addonModule(sha256, bytes),
    pictures: pictureModule(source, wasm, true),
    assets: clientModule(client, base64),
    sourceOf: (_name, source) => unpacked(packed(Buffer.from(source))),
    client,
  }
  const { contents, source: program } = await bundle(embeddable, modules)
  writeFileSync(outfile, program + licenceComment(contents))
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

/** Writes the code that V8 compiles for a start, so that the executable need not compile it. */
function recordProgram(work, addonFile) {
  // As a user starts it: options of Node change the code, and settings are those of whoever builds.
  const isOurs = ([name]) => name === 'NODE_OPTIONS' || name.startsWith('PARLEY_')
  const others = Object.entries(process.env).filter((each) => !isOurs(each))
  const env = { ...Object.fromEntries(others), XDG_CACHE_HOME: join(work, 'cache') }
  const script = join(work, 'recorder.cjs')
  writeFileSync(script, recorder)
  runWith(env, process.execPath, script, work, addonFile)
  writeFileSync(script, checker)
  runWith(env, process.execPath, script, join(work, programName), join(work, cacheName))
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
  const draft = join(work, 'parley')
  const asset = (name) => `new Uint8Array(require('node:sea').getRawAsset('${name}'))`
  const text = (name) => `require('node:sea').getAsset('${name}', 'utf8')`
  // Outside the source, what is seldom needed takes no memory until then.
  const modules = {
    addon: addonModule(sha256, asset(assetName)),
    pictures: pictureModule(text(vipsName), asset(wasmName), false),
    assets: clientModule(client, asset),
    sourceOf: (name) => unpacked(asset(name)),
    client,
  }
  const { source } = await bundle(executable, modules)
  const files = [
    ...[...client.files].map(([name, { bytes }]) => [name, bytes]),
    ...[...parts.values()].map((part) => [part.name, compress(Buffer.from(part.source))]),
    [programName, Buffer.from(source, 'latin1')],
  ]
  for (const [name, contents] of files) writeFileSync(join(work, name), contents)
  recordProgram(work, addonFile)
  writeFileSync(main, starter)
  writeFileSync(
    config,
    JSON.stringify({
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: {
        ...Object.fromEntries(
          [...files.map(([name]) => name), cacheName].map((name) => [name, join(work, name)]),
        ),
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
  // Of a file that was written at once, as by postject, Linux maps 14 MB more into a server's memory.
  const copy = join(work, 'parley-copy')
  copyFileSync(draft, copy)
  // Replaces an older file only once complete, and leaves a server that runs from it undisturbed.
  renameSync(copy, outfile)
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
