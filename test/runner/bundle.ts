import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { programs } from '#test/support/programs.ts'
import { writeClientAssets } from './client-assets.ts'

export interface Bundle {
  /** Holds a `.js` file for each test file, program and worker, at the path that its source has. */
  readonly folder: string
  /** To be called when nothing runs from it anymore. */
  release(): void
}

/** Packages that read files beside their own modules: Node loads them from where they are. */
const external = [
  'better-sqlite3',
  'esbuild',
  'playwright-core',
  'wasm-vips',
  '@seriousme/openapi-schema-validator',
]

/** The program of a worker, and the files by which it is tested. */
const own = [
  'test/runner/worker.ts',
  'test/runner/sample.ts',
  'test/runner/sample-failing.ts',
  'test/runner/sample-killed.ts',
  'test/runner/sample-once.ts',
]

/** CommonJS packages ask for Node's own modules through `require`. */
const banner = `import { createRequire as bannerRequire } from 'node:module'
const require = bannerRequire(import.meta.url)`

/** Sources that a bundle has changed, and what runs before any of its modules. */
export interface Changes {
  /** By path from the top of the repository. */
  readonly sources: ReadonlyMap<string, string>
  /** One statement in each file of the bundle, which Node may run several times. */
  readonly preamble: string
}

/** How many bundles are kept for later runs. */
const mostKept = 12

/** How old a bundle has to be to be removed, in milliseconds: nothing runs that long. */
const keptMs = 4 * 3600 * 1000

/**
 * Bundles test files together with what they test, so that a process reads a few large files
 * instead of hundreds of small ones. What several of them import goes into shared chunks. A bundle
 * is kept, and serves again until one of the sources in it changes.
 *
 * @param root the top of the repository
 * @param files paths of test files from there
 * @param changes none if it tests what the checkout has; with some, the bundle is not kept
 */
export async function bundleTests(
  root: string,
  files: readonly string[],
  changes?: Changes,
): Promise<Bundle> {
  // Inside the repository, where packages are found.
  const cache = join(root, 'node_modules/.cache/parley-test-bundles')
  mkdirSync(cache, { recursive: true })
  // As errors name it where the packages of several checkouts are in one place.
  const parent = realpathSync(cache)
  const key = keyOf(root, files)
  const kept = changes ? undefined : findKept(root, parent, key)
  if (kept) return { folder: kept, release: () => {} }
  removeOld(parent)
  const folder = mkdtempSync(join(parent, changes ? 'changed-' : `${key}-`))
  try {
    const inputs = await write(root, files, folder, changes)
    // Written last: only a whole bundle has it.
    if (!changes) writeFileSync(join(folder, inputsName), JSON.stringify(hashesOf(root, inputs)))
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  } finally {
    stop()
  }
  return { folder, release: () => changes && rmSync(folder, { recursive: true, force: true }) }
}

/** Writes a bundle. @returns the sources in it, by path from the top of the repository */
async function write(
  root: string,
  files: readonly string[],
  folder: string,
  changes: Changes | undefined,
): Promise<string[]> {
  const inBrowser = files.some((file) => usesBrowser(join(root, file)))
  const testsBuild = build({
    // One file starts its programs from their sources, if it starts any.
    entryPoints: [...files, ...(files.length > 1 ? programs : []), ...own],
    absWorkingDir: root,
    outbase: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    external,
    banner: { js: `${banner}\n${changes?.preamble ?? ''}` },
    plugins: [
      selectTests(root),
      ...(inBrowser ? [takeClientFrom(folder, root)] : []),
      readSources(root, changes?.sources),
    ],
    logLevel: 'warning',
  })
  const [{ metafile }] = await Promise.all([
    testsBuild,
    inBrowser && writeClientAssets(root, folder),
  ])
  const bundled = Object.keys(metafile.inputs).filter((path) => /^(src|test)\//.test(path))
  // What the client is made of is not told.
  return inBrowser ? [...new Set([...bundled, ...filesIn(root, 'src')])] : bundled
}

const inputsName = 'inputs.json'

/** Names a bundle by all that decides about it besides the sources in it. */
function keyOf(root: string, files: readonly string[]): string {
  const own = filesIn(root, 'test/runner').map((path) => hashOf(root, path))
  const parts = [root, process.version, hashOf(root, 'package-lock.json'), ...own, ...files]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
}

/** The folder of a bundle whose sources have not changed since. */
function findKept(root: string, parent: string, key: string): string | undefined {
  const folder = readdirSync(parent)
    .filter((name) => name.startsWith(`${key}-`))
    .map((name) => join(parent, name))
    .find((path) => isCurrent(root, path))
  // Used now, which counts when old ones are removed.
  if (folder) utimesSync(folder, new Date(), new Date())
  return folder
}

function isCurrent(root: string, folder: string): boolean {
  try {
    const hashes: Record<string, string> = JSON.parse(
      readFileSync(join(folder, inputsName), 'utf8'),
    )
    return Object.entries(hashes).every(([path, hash]) => hashOf(root, path) === hash)
  } catch {
    return false
  }
}

function hashesOf(root: string, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, hashOf(root, path)]))
}

function hashOf(root: string, path: string): string {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('base64')
}

/** The files below a folder, by path from the top of the repository. */
function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Removes all but the bundles that were used last, and what nothing can run from anymore. */
function removeOld(parent: string): void {
  const usedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const paths = readdirSync(parent).map((name) => join(parent, name))
  const old = paths.sort((a, b) => usedMs(b) - usedMs(a)).slice(mostKept)
  for (const path of old) {
    if (usedMs(path) < Date.now() - keptMs) rmSync(path, { recursive: true, force: true })
  }
}

function usesBrowser(file: string): boolean {
  return /support\/(browser-page|chromium|engine-window)\.ts'/.test(readFileSync(file, 'utf8'))
}

/** Has what declares tests take `node-test.ts` instead of Node's own module. */
function selectTests(root: string): Plugin {
  const path = join(root, 'test/runner/node-test.ts')
  const others = [path, join(root, 'test/runner/worker.ts')]
  return {
    name: 'select tests',
    setup(bundler) {
      bundler.onResolve({ filter: /^node:test$/ }, ({ importer }) =>
        others.includes(importer) ? undefined : { path },
      )
    },
  }
}

/** Has servers take the client from the bundle, instead of bundling it themselves. */
function takeClientFrom(folder: string, root: string): Plugin {
  const replaced = join(root, 'src/features/web/web-client/assets.ts')
  const contents = `import { clientAssetsIn } from '#test/runner/client-assets.ts'
export const { loadClientAssets, findClientFile } = clientAssetsIn(${JSON.stringify(folder)})`
  return {
    name: 'take client',
    setup(bundler) {
      bundler.onLoad({ filter: /\/assets\.ts$/ }, ({ path }) =>
        path === replaced ? { contents, resolveDir: dirname(path) } : undefined,
      )
    },
  }
}

/**
 * Reads the changed sources where there are some. Lets modules find files beside themselves:
 * `import.meta.url` stays the address of the source.
 */
function readSources(root: string, changed: Changes['sources'] = new Map()): Plugin {
  const folders = [join(root, 'src/'), join(root, 'test/')]
  return {
    name: 'read sources',
    setup(bundler) {
      bundler.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!folders.some((folder) => path.startsWith(folder))) return undefined
        const url = JSON.stringify(pathToFileURL(path).href)
        const source = changed.get(relative(root, path)) ?? readFileSync(path, 'utf8')
        const loader = path.endsWith('x') ? 'tsx' : 'ts'
        return { loader, contents: source.replaceAll('import.meta.url', url) }
      })
    },
  }
}
