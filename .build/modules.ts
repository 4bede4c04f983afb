import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import type { ClientEntries } from '../src/features/web/web-client/bundle.ts'
import type { TextOf } from './bundle.ts'
import { root } from './repository.ts'

// Modules of the program that the build replaces, as source code.

/** The web client's files as they are kept, by name. */
export interface PackedClient {
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly isPacked: boolean }>
  readonly entries: ClientEntries
}

const quoted = (value: unknown) => JSON.stringify(value)

/** The migrations in order, as lists of statements: replaces src/platform/store/migrations.ts. */
export function migrationsModule(): string {
  const folder = join(root, 'drizzle')
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint'))
  return `export const listMigrations = () => ${quoted(migrations)}`
}

/** The catalogues of all languages: replaces src/platform/translation/shipped.ts. */
export function cataloguesModule(textOf: TextOf): string {
  const folder = join(root, 'src/translations')
  const members = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const json = JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      return `${quoted(file.slice(0, -5))}: () => ${textOf(`catalogue-${file}`, json)}`
    })
  return `const files = { ${members.join(', ')} }
export const shippedCatalogue = (language) => files[language]()`
}

/** What stands for the hash of an addon and for its platform, until they are known. */
export const addonPlaceholders = { sha256: 'ADDON_SHA256', target: 'ADDON_TARGET' } as const

const loadedAddon = `let loaded
export const loadAddon = () => (loaded ??= load()).addon
export const addonFile = () => (loaded ??= load()).file`

/**
 * Loads an addon that the program contains: replaces src/platform/store/addon.ts.
 *
 * @param bytes source code of an expression for its bytes
 */
export function packedAddonModule(bytes: string): string {
  const { sha256, target } = addonPlaceholders
  return `import { loadPackedAddon } from './unpack.ts'
const load = () =>
  loadPackedAddon({ sha256: '${sha256}', target: '${target}', bytes: () => ${bytes} })
${loadedAddon}`
}

/** Stands for the packed addon in the file for Node; nothing stands there in the npm package. */
export const packedAddonPlaceholder = 'PACKED_ADDON'

/**
 * The same in the file for Node, which has the addons beside it in the npm package.
 *
 * @param packed source code of an expression for the packed addon in base64; empty in the npm package
 */
export function fileAddonModule(packed: string): string {
  const { sha256, target } = addonPlaceholders
  return `import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { loadInstalledAddon, loadPackedAddon } from './unpack.ts'
const load = () => {
  const packed = ${packed}
  const bytes = () => brotliDecompressSync(Buffer.from(packed, 'base64'))
  return packed === ''
    ? loadInstalledAddon(join(__dirname, 'addons'))
    : loadPackedAddon({ sha256: '${sha256}', target: '${target}', bytes })
}
${loadedAddon}`
}

/**
 * The code of the picture worker thread: replaces src/platform/pictures/library.ts.
 *
 * @param source source code of an expression for that of wasm-vips
 * @param wasm source code of an expression for the WebAssembly's bytes
 * @param packed whether those bytes are brotli-compressed
 */
export function pictureModule(source: string, wasm: string, packed: boolean): string {
  const worker = readFileSync(join(root, 'src/platform/pictures/worker.cjs'), 'utf8')
  return `export const loadPictureLibrary = () => ({
    worker: ${quoted(worker)},
    source: ${source},
    wasm: ${wasm},
    packed: ${packed},
  })`
}

/**
 * The code of the thread that checks databases: replaces src/platform/store/integrity-library.ts.
 *
 * @param options how CommonJS is bundled here
 */
export async function integrityModule(options: BuildOptions, textOf: TextOf): Promise<string> {
  const { outputFiles = [] } = await build({
    ...options,
    stdin: { contents: `module.exports = require('better-sqlite3')`, resolveDir: root },
    format: 'cjs',
    minify: true,
    write: false,
  })
  const worker = readFileSync(join(root, 'src/platform/store/integrity-worker.cjs'), 'utf8')
  return `export const loadIntegrityLibrary = () => ({
    worker: ${quoted(worker)},
    source: ${textOf('integrity.js', outputFiles[0]?.text ?? '')},
  })`
}

/**
 * The web client's files, compressed: replaces src/features/web/web-client/assets.ts.
 *
 * @param bytesOf source code of an expression for the bytes of a file, by its name
 */
export function clientModule(
  { files, entries }: PackedClient,
  bytesOf: (name: string, bytes: Uint8Array) => string,
): string {
  const members = [...files].map(
    ([name, { bytes, isPacked }]) =>
      `[${quoted(name)}, ${isPacked}, () => ${bytesOf(name, bytes)}]`,
  )
  return `import { typeOf } from './asset-file.ts'
let assets
const asset = ([name, isPacked, bytes]) =>
  [name, { type: typeOf(name), isPacked, get bytes() { return bytes() } }]
export async function loadClientAssets() {
  assets ??= { entries: ${quoted(entries)}, files: new Map([${members.join(',')}].map(asset)) }
  return assets
}
export const findClientFile = async (name) => (await loadClientAssets()).files.get(name)`
}

/** The pages of the help centre: replaces src/features/web/help/library.ts. */
export async function helpModule(textOf: TextOf): Promise<string> {
  const { loadHelp, loadHelpText } = await import('../src/features/web/help/library.ts')
  const [pages, texts] = [JSON.stringify(await loadHelp()), JSON.stringify(await loadHelpText())]
  return `let pages
export const loadHelp = async () => (pages ??= JSON.parse(${textOf('help.json', pages)}))
export const loadHelpText = async () => JSON.parse(${textOf('help-texts.json', texts)})`
}
