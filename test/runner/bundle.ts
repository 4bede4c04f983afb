import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { programs } from '#test/support/programs.ts'
import { writeClientAssets } from './client-assets.ts'

export interface Bundle {
  /** Holds a `.js` file for each test file, program and worker, at the path that its source has. */
  readonly folder: string
  remove(): void
}

/** Packages that read files beside their own modules: Node loads them from where they are. */
const external = [
  'better-sqlite3',
  'esbuild',
  'playwright-core',
  'wasm-vips',
  '@seriousme/openapi-schema-validator',
]

/** The program of a worker, and the file by which it is tested. */
const own = ['test/runner/worker.ts', 'test/runner/sample.ts']

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

/**
 * Bundles test files together with what they test, so that a process reads a few large files
 * instead of hundreds of small ones. What several of them import goes into shared chunks.
 *
 * @param root the top of the repository
 * @param files paths of test files from there
 * @param changes none if it tests what the checkout has
 */
export async function bundleTests(
  root: string,
  files: readonly string[],
  changes?: Changes,
): Promise<Bundle> {
  // Inside the repository, where packages are found; a folder a process, because several may run.
  const parent = join(root, 'node_modules/.cache/parley-tests')
  const folder = join(parent, String(process.pid))
  mkdirSync(folder, { recursive: true })
  removeLeftovers(parent)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const inBrowser = files.some((file) => usesBrowser(join(root, file)))
  try {
    const testsBuild = build({
      entryPoints: [...files, ...programs, ...own],
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
      external,
      banner: { js: `${banner}\n${changes?.preamble ?? ''}` },
      plugins: [
        selectTests(root),
        ...(inBrowser ? [takeClientFrom(folder, root)] : []),
        readSources(root, changes?.sources),
      ],
      logLevel: 'warning',
    })
    await Promise.all([testsBuild, inBrowser && writeClientAssets(root, folder)])
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

function usesBrowser(file: string): boolean {
  return /support\/(browser-page|chromium)\.ts'/.test(readFileSync(file, 'utf8'))
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

/** Removes the bundles of runs that were killed. */
function removeLeftovers(parent: string): void {
  for (const entry of readdirSync(parent)) {
    if (!isRunning(Number(entry))) rmSync(join(parent, entry), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
