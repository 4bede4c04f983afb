import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { type BuildOptions, build, type OnResolveArgs, type Plugin } from 'esbuild'
import { bundleClient } from '../src/features/web/web-client/bundle.ts'
import { type BundledPackage, packagesOf } from './licences.ts'
import {
  cataloguesModule,
  helpModule,
  integrityModule,
  migrationsModule,
  type PackedClient,
} from './modules.ts'
import {
  bundleOwn,
  bundlePackage,
  loaderDeclaration,
  type OwnParts,
  type Part,
  partsModule,
  standIn,
} from './parts.ts'
import { fail, root } from './repository.ts'
import { publicReleaseKey } from './signing.ts'

/** The folder of wasm-vips, whose files go in as they are. */
export const vips = join(root, 'node_modules/wasm-vips/lib')

/** Makes source code of an expression for a text that is seldom needed, by its name. */
export type TextOf = (name: string, text: string) => string

/** How a program gets at what is not in its source. */
export interface Packing {
  /** Source code of the modules that load the addon, the picture library and the web client. */
  readonly addon: string
  readonly pictures: string
  readonly assets: string
  /** Source code of an expression for bytes that are seldom needed, by their name. */
  bytesOf(name: string, bytes: Uint8Array): string
}

/** What a start compiles and evaluates. */
export interface BundledProgram {
  /** Its source for V8. */
  readonly source: string
  /** How many modules are in it, all of which are evaluated. */
  readonly modules: number
}

/** Identifiers stay readable for stack traces. */
export const minifying = {
  platform: 'node',
  target: 'node22',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

const bundling = { ...minifying, absWorkingDir: root, bundle: true } satisfies BuildOptions

/** Bundles the programs. Parts and the client are made once for all of them. */
export class Bundler {
  readonly parts = new Map<string, Part>()
  /** What a program reads when it needs it, compressed: its parts and texts, by their names. */
  readonly packed = new Map<string, Buffer>()
  readonly #isDraft: boolean
  #inputs = new Set<string>()
  /** Those of modules of ours, once it is known what the program has itself. */
  #own: OwnParts | undefined

  /** @param isDraft compresses in a tenth of the time */
  constructor(isDraft: boolean) {
    this.#isDraft = isDraft
  }

  /** The packages in what was bundled, with Parley itself as the first. */
  contents(): BundledPackage[] {
    const parts = this.#allParts().flatMap(({ inputs }) => inputs)
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

  /** Bundles a program. @param entry its source */
  async program(entry: string, packing: Packing): Promise<BundledProgram> {
    const textOf: TextOf = (name, text) => this.#textOf(name, text, packing.bytesOf)
    if (!this.#own) {
      const asked = new Set<string>()
      const { metafile } = await this.#bundle(entry, packing, this.#splitting(asked), '')
      const core = new Set(Object.keys(metafile.inputs))
      const options = { ...bundling, plugins: [this.#referring(), replacing({})] }
      this.#own = await bundleOwn(options, [...asked].sort(), core)
    }
    const loading = partsModule(this.#allParts(), this.#own.used, textOf)
    const { outputFiles, metafile } = await this.#bundle(entry, packing, this.#splitting(), loading)
    for (const path of Object.keys(metafile.inputs)) {
      if (!path.startsWith('part:')) this.#inputs.add(path)
    }
    const [output] = Object.values(metafile.outputs)
    const modules = Object.values(output?.inputs ?? {}).filter((each) => each.bytesInOutput > 0)
    return { source: narrow(outputFiles[0]?.text ?? ''), modules: modules.length }
  }

  #allParts(): Part[] {
    const all = [...this.parts.values(), ...(this.#own?.parts.values() ?? [])]
    return all.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** @param loading source code of the module that loads parts */
  async #bundle(
    entry: string,
    { addon, pictures, assets, bytesOf }: Packing,
    splitting: Plugin,
    loading: string,
  ) {
    const textOf: TextOf = (name, text) => this.#textOf(name, text, bytesOf)
    return await build({
      ...bundling,
      stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.js' },
      define: { PARLEY_RELEASE_KEY: JSON.stringify(publicReleaseKey()) },
      footer: { js: loaderDeclaration },
      format: 'cjs',
      write: false,
      metafile: true,
      plugins: [
        splitting,
        replacing({
          '.build/programs/loading.ts': loading,
          'src/features/web/help/library.ts': await helpModule(textOf),
          'src/features/web/web-client/assets.ts': assets,
          'src/platform/pictures/library.ts': pictures,
          'src/platform/store/addon.ts': addon,
          'src/platform/store/integrity-library.ts': await integrityModule(
            { ...bundling, plugins: [replacing({})] },
            textOf,
          ),
          'src/platform/store/migrations.ts': migrationsModule(),
          'src/platform/translation/shipped.ts': cataloguesModule(textOf),
        }),
      ],
    })
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
   * Makes parts of what is imported dynamically, and of what a CommonJS module of ours requires. To
   * compile them and to keep their source in memory would cost every start.
   *
   * @param asked takes the paths of our modules, while it is not known what the program has itself
   */
  #splitting(asked?: Set<string>): Plugin {
    return this.#finding((path) => {
      if (!isOwn(path)) return undefined
      asked?.add(path)
      if (asked) return 'module.exports = {}'
      const part = this.#own?.parts.get(path)
      return standIn(part ?? fail(`${path} is imported dynamically, and not.`))
    })
  }

  /** The same within parts of modules of ours, which esbuild splits. */
  #referring(): Plugin {
    return this.#finding()
  }

  #finding(own?: (path: string) => string | undefined): Plugin {
    return {
      name: 'split',
      setup: (builder) => {
        builder.onResolve({ filter: /./ }, async (asked) => {
          const { kind, importer, resolveDir } = asked
          if (asked.pluginData !== undefined || !isPart(asked)) return null
          const options = { kind, importer, resolveDir, pluginData: 'part' }
          const found = await builder.resolve(asked.path, options)
          if (found.errors.length > 0) return found
          // The path is in the program, where that of whoever builds it has no place.
          const path = relative(root, found.path).replaceAll('\\', '/')
          if (own) return { path, namespace: 'part' }
          if (isOwn(path)) return null
          return { path: `./${(await this.#packagePart(path)).name}`, external: true }
        })
        builder.onLoad({ filter: /./, namespace: 'part' }, async ({ path }) => ({
          contents: own?.(path) ?? standIn(await this.#packagePart(path)),
          loader: 'js',
          resolveDir: root,
        }))
      },
    }
  }

  async #packagePart(path: string): Promise<Part> {
    const known = this.parts.get(path)
    if (known) return known
    const part = await bundlePackage({ ...bundling, plugins: [replacing({})] }, join(root, path))
    const others = [...this.parts].filter(([other]) => other !== path)
    if (others.some(([, { name }]) => name === part.name)) fail(`Two parts are ${part.name}.`)
    this.parts.set(path, part)
    return part
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
  if (isBuiltin(path)) return false
  if (kind === 'dynamic-import') return true
  return (
    kind === 'require-call' && importer.startsWith(join(root, 'src')) && !path.endsWith('.node')
  )
}

/** Whether a dynamic import is of a module of ours, which shares others with the program. */
const isOwn = (path: string) => path.startsWith('src/') && path.endsWith('.ts')

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
      // The first is for output for developers, and not installed; the second for logs that a thread
      // of their own writes.
      builder.onResolve({ filter: /^(?:supports-color|thread-stream)$/ }, ({ path }) => ({
        path,
        namespace: 'absent',
      }))
      // Only for commands in files of their own, which Parley has none of; it takes 5 ms to load.
      builder.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
        importer.includes('/commander/') ? { path, namespace: 'absent' } : null,
      )
      builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
        contents: 'module.exports = false',
      }))
    },
  }
}

/**
 * Escapes characters. V8 takes two bytes for each character of a source that has one beyond Latin-1,
 * and is slow to decode a file from its first one beyond ASCII on.
 */
export function narrow(source: string, to: 'ascii' | 'latin1' = 'ascii'): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return source.replace(to === 'ascii' ? /[\u0080-\uffff]/g : /[\u0100-\uffff]/g, escaped)
}
