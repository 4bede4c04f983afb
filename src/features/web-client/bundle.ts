import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { BuildOptions, BuildResult, Metafile } from 'esbuild'

/** What the browser loads, as esbuild makes it: for a checkout, and for the built programs. */
export interface ClientBundle {
  /** The bytes of each file by its name, such as `main-ABCDEFGH.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly entries: ClientEntries
  /** Paths from the root of the repository of all that went in. */
  readonly metafile: Metafile
}

/** Names of the files that the page names. */
export interface ClientEntries {
  readonly script: string
  /** What the script imports at once, so that browsers load it in the same breath. */
  readonly chunks: readonly string[]
  readonly style: string
  /** The styles of formulas, which a page loads when it first shows one. */
  readonly formulaStyle: string
  /** Not served by its hashed name: a browser finds a new worker at the same address. */
  readonly worker: string
  /** Changes with whatever the page loads. */
  readonly version: string
}

type Build = (options: BuildOptions) => Promise<BuildResult>

const script = 'src/client/main.tsx'
const style = 'src/client/styles/main.css'
const formulaStyle = 'node_modules/katex/dist/katex.css'
const worker = 'src/client/sw.ts'

/** Below this path the files are served; styles name fonts by it. */
export const assetPath = '/static/client/'

/**
 * Bundles the client. `build.mjs` runs this file by itself, so it imports nothing but Node's modules
 * and gets esbuild handed in.
 *
 * @param root the top of the repository
 */
export async function bundleClient(build: Build, root: string): Promise<ClientBundle> {
  const { outputFiles = [], metafile = { inputs: {}, outputs: {} } } = await build({
    entryPoints: { main: script, style, formulas: formulaStyle, worker },
    absWorkingDir: root,
    outdir: join(root, assetPath),
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: assetPath.slice(0, -1),
    legalComments: 'none',
    logLevel: 'warning',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Every browser that runs the client has woff2.
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
  })
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const outputs = Object.entries(metafile.outputs)
  // A package may be somewhere else, behind a symbolic link.
  const made = (source: string) => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(source))
    if (!found) throw new Error(`esbuild made nothing of ${source}.`)
    return found
  }
  const [scriptFile] = made(script)
  const loaded = new Set([scriptFile])
  // A set is walked over what is added on the way too.
  for (const path of loaded) {
    for (const next of metafile.outputs[path]?.imports ?? []) {
      if (next.kind === 'import-statement' && !next.external) loaded.add(next.path)
    }
  }
  const chunks = [...loaded].slice(1)
  const [styleFile] = made(style)
  const [formulaFile] = made(formulaStyle)
  const [workerFile] = made(worker)
  const names = [scriptFile, styleFile, formulaFile, workerFile].map(nameOf)
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [nameOf(path), contents])),
    entries: {
      script: nameOf(scriptFile),
      chunks: chunks.map(nameOf),
      style: nameOf(styleFile),
      formulaStyle: nameOf(formulaFile),
      worker: nameOf(workerFile),
      version: createHash('sha256').update(names.join()).digest('hex').slice(0, 16),
    },
    metafile,
  }
}
