import { isBuiltin } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { type BuildOptions, build, type OnResolveArgs, type Plugin, transform } from 'esbuild'
import { bundleClient } from '../src/features/web/web-client/bundle.ts'
import { type BundledPackage, packagesOf } from './licences.ts'
import {
  cataloguesModule,
  helpModule,
  integrityModule,
  migrationsModule,
  type PackedClient,
} from './modules.ts'
import { wrap } from './programs/evaluate.ts'
import { fail, root } from './repository.ts'
import { publicReleaseKey } from './signing.ts'

/** The folder of wasm-vips, whose files go in as they are. */
export const vips = join(root, 'node_modules/wasm-vips/lib')

/** What runs a part. */
const evaluation = join(root, '.build/programs/evaluate.ts')

/** How a program gets at what is not in its source. */
export interface Packing {
  /** Source code of the modules that load the addon, the picture library and the web client. */
  readonly addon: string
  readonly pictures: string
  readonly assets: string
  /** Source code of an expression for bytes that are seldom needed, by their name. */
  bytesOf(name: string, bytes: Uint8Array): string
}

/** Identifiers stay readable for stack traces. */
const minifying = {
  platform: 'node',
  target: 'node22',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

const bundling = { ...minifying, absWorkingDir: root, bundle: true } satisfies BuildOptions

/** One of the parts of the program that it loads only when it needs them. */
export interface Part {
  readonly name: string
  /** As `evaluate` takes it. */
  readonly source: string
  /** Bundled files, by their paths from the root. */
  readonly inputs: readonly string[]
  /** Whether it is an ECMAScript module, and what it exports besides a default then. */
  readonly isModule: boolean
  readonly names: readonly string[]
}

/** Bundles the programs. Parts and the client are made once for all of them. */
export class Bundler {
  readonly parts = new Map<string, Part>()
  /** What a program reads when it needs it, compressed: its parts and texts, by their names. */
  readonly packed = new Map<string, Buffer>()
  readonly #isDraft: boolean
  #inputs = new Set<string>()

  /** @param isDraft compresses in a tenth of the time */
  constructor(isDraft: boolean) {
    this.#isDraft = isDraft
  }

  /** The packages in what was bundled, with Parley itself as the first. */
  contents(): BundledPackage[] {
    const parts = [...this.parts.values()].flatMap(({ inputs }) => inputs)
    return packagesOf(root, [...this.#inputs, ...parts, relative(root, vips)])
  }

  /** Bundles the web client. Fonts and pictures are compressed in themselves. */
  async client(): Promise<PackedClient> {
    const { files, entries, inputs } = await bundleClient(build, root)
    for (const input of inputs) this.#inputs.add(input)
    const kept = [...files].map(([name, bytes]) => {
      const isPacked = !/\.(?:woff2|webp)$/.test(name)
      return [name, { bytes: isPacked ? this.compress(bytes, 11) : bytes, isPacked }] as const
    })
    return { entries, files: new Map(kept) }
  }

  /** Bundles a program. @param entry its source @returns its source for V8 */
  async program(entry: string, { addon, pictures, assets, bytesOf }: Packing): Promise<string> {
    const textOf = (name: string, text: string) => this.#textOf(name, text, bytesOf)
    const { outputFiles, metafile } = await build({
      ...bundling,
      stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.js' },
      define: { PARLEY_RELEASE_KEY: JSON.stringify(publicReleaseKey()) },
      format: 'cjs',
      write: false,
      metafile: true,
      plugins: [
        this.#splitting(textOf),
        replacing({
          'src/features/web/help/library.ts': await helpModule(textOf),
          'src/features/web/web-client/assets.ts': assets,
          'src/platform/pictures/library.ts': pictures,
          'src/platform/store/addon.ts': addon,
          'src/platform/store/integrity-library.ts': await integrityModule({
            ...bundling,
            plugins: [replacing({})],
          }),
          'src/platform/store/migrations.ts': migrationsModule(),
          'src/platform/translation/shipped.ts': cataloguesModule(textOf),
        }),
      ],
    })
    for (const path of Object.keys(metafile.inputs)) {
      if (!path.startsWith('part:')) this.#inputs.add(path)
    }
    return narrow(outputFiles[0]?.text ?? '')
  }

  /** Source code of an expression for a text that is seldom needed. */
  #textOf(name: string, text: string, bytesOf: Packing['bytesOf']): string {
    const bytes = this.packed.get(name) ?? this.compress(Buffer.from(text), 11)
    this.packed.set(name, bytes)
    return `require('node:zlib').brotliDecompressSync(${bytesOf(name, bytes)}).toString()`
  }

  /** Quality 11 saves a tenth more than 9, but takes ten times as long. */
  compress(bytes: Uint8Array, quality = 9): Buffer {
    const params = { [constants.BROTLI_PARAM_QUALITY]: this.#isDraft ? 1 : quality }
    return brotliCompressSync(bytes, { params })
  }

  /**
   * Makes parts of packages that are imported dynamically, and of what a CommonJS module of ours
   * requires. To compile them and to keep their source in memory would cost every start.
   */
  #splitting(textOf: (name: string, text: string) => string): Plugin {
    const evaluate = JSON.stringify(evaluation)
    return {
      name: 'split',
      setup: (builder) => {
        builder.onResolve({ filter: /./ }, async (asked) => {
          const { kind, importer, resolveDir } = asked
          if (asked.pluginData === 'part' || !isPart(asked)) return null
          const options = { kind, importer, resolveDir, pluginData: 'part' }
          const found = await builder.resolve(asked.path, options)
          // The path is in the program, where that of whoever builds it has no place.
          const path = relative(root, found.path).replaceAll('\\', '/')
          return found.errors.length > 0 ? found : { path, namespace: 'part' }
        })
        builder.onLoad({ filter: /./, namespace: 'part' }, async ({ path }) => {
          if (!this.parts.has(path)) this.#addPart(path, await bundlePart(join(root, path)))
          const { name, source, names, isModule } =
            this.parts.get(path) ?? fail(`No part of ${path}.`)
          const part = `const part = evaluate(${textOf(name, source)}, ${JSON.stringify(name)}, require).exports`
          const contents = isModule
            ? `import { evaluate } from ${evaluate}\n${part}\n${exportsOf(names)}`
            : `const { evaluate } = require(${evaluate})\n${part}\nmodule.exports = part.default`
          return { contents, loader: 'js', resolveDir: root }
        })
      },
    }
  }

  #addPart(path: string, part: Part): void {
    const others = [...this.parts.values()].map(({ name }) => name)
    if (others.includes(part.name)) fail(`There are two parts named ${part.name}.`)
    this.parts.set(path, part)
  }
}

/** A program of the build itself, as one CommonJS file. @param name of a file in programs/ */
export async function bundleTool(name: string): Promise<string> {
  const { outputFiles } = await build({
    ...bundling,
    entryPoints: [join(root, '.build/programs', `${name}.ts`)],
    format: 'cjs',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

function isPart({ path, kind, importer }: OnResolveArgs): boolean {
  if (isBuiltin(path) || path === evaluation) return false
  if (kind === 'dynamic-import') return !/^[.#/]/.test(path)
  return (
    kind === 'require-call' && importer.startsWith(join(root, 'src')) && !path.endsWith('.node')
  )
}

async function bundlePart(path: string): Promise<Part> {
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: [path],
    outdir: root,
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [replacing({})],
  })
  const { code } = await transform(outputFiles[0]?.text ?? '', { ...minifying, format: 'cjs' })
  const [{ exports = [], entryPoint = '' } = {}] = Object.values(metafile.outputs)
  return {
    name: partName(path),
    source: wrap(narrow(code)),
    inputs: Object.keys(metafile.inputs),
    isModule: metafile.inputs[entryPoint]?.format === 'esm',
    names: exports.filter((name) => name !== 'default'),
  }
}

const exportsOf = (names: readonly string[]) =>
  `export default part.default\nexport const { ${names.join(', ')} } = part`

/** `part-katex.js` for the package, `part-highlighter.js` for a module of ours. */
function partName(path: string): string {
  const name = /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? basename(path, extname(path))
  return `part-${name.replace(/\W+/g, '-')}.js`
}

/** An esbuild plugin that replaces modules in the built program. @param modules code by path */
function replacing(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replace',
    setup(builder) {
      for (const [path, contents] of Object.entries(modules)) {
        const file = join(root, path)
        const filter = new RegExp(`${path.replaceAll('.', '\\.')}$`)
        builder.onLoad({ filter }, (module) =>
          module.path === file ? { contents, loader: 'js', resolveDir: dirname(file) } : null,
        )
      }
      // Only for output for developers, and not installed.
      builder.onResolve({ filter: /^supports-color$/ }, ({ path }) => ({
        path,
        namespace: 'absent',
      }))
      builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
        contents: 'module.exports = false',
      }))
    },
  }
}

/** V8 takes two bytes for each character of a source that has one beyond Latin-1. */
export function narrow(source: string): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return source.replace(/[\u0100-\uffff]/g, escaped)
}
