import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { faceStyles, tokens } from '#shared/tokens.ts'
import {
  type Build,
  firstPlaceholder,
  firstScript,
  mergeStages,
  nameOf,
  program,
  stageScript,
} from './merging.ts'
import { singleIcons } from './single-icons.ts'

/**
 * The files that the browser loads, made by esbuild: for a checkout, and for the built programs.
 */
export interface ClientBundle {
  /** The bytes of each file by its name, such as `main-89ABCDEF.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly entries: ClientEntries
  /** The paths of all source files, from the root of the repository. */
  readonly inputs: readonly string[]
}

/** Names of the files that the page names. */
export interface ClientEntries {
  /** The source of the script in the page itself. */
  readonly inline: string
  /** The script that makes the first calls, and the program. */
  readonly first: string
  readonly script: string
  readonly style: string
  /** The styles of formulas, which a page loads when it first shows one. */
  readonly formulaStyle: string
  /** The styles of settings, which a page loads when they are first opened. */
  readonly settingsStyle: string
  /** The styles of dialogs and pickers, which a page loads once its first screen is drawn. */
  readonly surfacesStyle: string
  /** The script of the page for people without an account, and what only that page looks like. */
  readonly spectatorScript: string
  readonly spectatorStyle: string
  /** Not served by its hashed name: a browser finds a new worker at the same address. */
  readonly worker: string
  /** The typeface, which pages outside the client use as well. */
  readonly typeface: string
  /** Pictures of the client, which browsers show to people who install it. */
  readonly screenshots: readonly Screenshot[]
  /** Changes with any file that the page loads. */
  readonly version: string
}

interface Screenshot {
  /** The name of the file. */
  readonly name: string
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly isWide: boolean
}

/** Below this path the files are served; styles name fonts by it. */
export const assetPath = '/static/client/'

/**
 * Bundles the client, in a checkout and for the built programs.
 *
 * @param build esbuild's, which only a checkout has
 * @param root the top of the repository
 */
export async function bundleClient(build: Build, root: string): Promise<ClientBundle> {
  const common: BuildOptions = {
    absWorkingDir: root,
    outdir: join(root, assetPath),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    entryNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
  }
  const inline = await bundleInline(build, common)
  const first = await bundleFirst(build, common, inline)
  const { scripts, spectator, others } = await bundleParts(build, common, [first, inline])
  const alone = [...(spectator.outputFiles ?? []), ...(others.outputFiles ?? [])]
  const files = new Map(alone.map(({ path, contents }) => [nameOf(path), contents]))
  const named = (pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name)) ?? ''
  const [style, formulaStyle, settingsStyle, surfacesStyle, spectatorStyle] = [
    named(/^style-.*css$/),
    named(/^formulas-.*css$/),
    named(/^settings-.*css$/),
    named(/^surfaces-.*css$/),
    named(/^spectator-.*css$/),
  ]
  const worker = named(/^worker-.*js$/)
  const spectatorScript = named(/^spectator-.*js$/)
  const version = hash([
    ...[inline, first].map(({ name }) => name),
    ...(scripts.outputFiles ?? []).map(({ path }) => nameOf(path)),
    style,
    settingsStyle,
    surfacesStyle,
  ])
  const merged = await mergeStages(build, common, scripts, { version, loadPart: first.loadPart })
  for (const { path, contents } of merged) files.set(nameOf(path), contents)
  const firstName = firstScript(version)
  files.set(firstName, Buffer.from(first.text))
  return {
    files,
    entries: {
      inline: inline.text,
      first: firstName,
      script: stageScript(program, version),
      style,
      formulaStyle,
      settingsStyle,
      surfacesStyle,
      spectatorScript,
      spectatorStyle,
      worker,
      typeface: named(/^inter-latin-wght-normal-.*woff2$/),
      screenshots: [/^narrow-.*webp$/, /^wide-.*webp$/].map((pattern, at) => {
        const name = named(pattern)
        return { name, ...webpSize(files.get(name)), isWide: at === 1 }
      }),
      version,
    },
    inputs: [
      ...inline.inputs,
      ...first.inputs,
      ...[scripts, spectator, others].flatMap(({ metafile }) =>
        Object.keys(metafile?.inputs ?? {})
          .filter((path) => !path.startsWith('ahead-'))
          .map((path) => path.replace(/^tokens:/, '')),
      ),
    ],
  }
}

/** Bundles the program, the page for people without an account, and styles and other files. */
async function bundleParts(build: Build, common: BuildOptions, ahead: readonly Ahead[]) {
  const scriptsBuild = build({
    ...common,
    entryPoints: { main: 'src/client/main.tsx' },
    splitting: true,
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [...ahead.map(takeFrom), singleIcons],
  })
  const othersBuild = build({
    ...common,
    entryPoints: {
      style: 'src/client/styles/main.css',
      formulas: 'node_modules/katex/dist/katex.css',
      settings: 'src/client/styles/settings.css',
      surfaces: 'src/client/styles/surfaces.css',
      spectator: 'src/client/styles/spectator.css',
      worker: 'src/client/sw.ts',
      narrow: 'src/client/screenshots/narrow.webp',
      wide: 'src/client/screenshots/wide.webp',
    },
    minify: true,
    plugins: [sharedTokens],
    assetNames: '[name]-[hash]',
    publicPath: assetPath.slice(0, -1),
    // Every browser that runs the client has woff2.
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty', '.webp': 'copy' },
  })
  // Separately, because it shares nothing with the client for people with an account.
  const spectatorBuild = build({
    ...common,
    entryPoints: { spectator: 'src/client/spectator/main.tsx' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    plugins: [singleIcons],
  })
  const [scripts, spectator, others] = await Promise.all([
    scriptsBuild,
    spectatorBuild,
    othersBuild,
  ])
  return { scripts, spectator, others }
}

const tokensPath = 'src/shared/tokens.ts'

/** Lets styles import the tokens that the pages of the server have, and the gradients of avatars. */
const sharedTokens: Plugin = {
  name: 'tokens',
  setup(builder) {
    const namespace = 'tokens'
    builder.onResolve({ filter: /^#shared\/tokens\.ts$/ }, () => ({
      path: tokensPath,
      namespace,
    }))
    builder.onLoad({ filter: /./, namespace }, () => ({
      contents: tokens + faceStyles,
      loader: 'css',
    }))
  },
}

/** A script that runs before the program, which takes modules from it. */
interface Ahead {
  /** The name of its file, which changes with what is in it. */
  readonly name: string
  readonly text: string
  /** The paths of its modules. */
  readonly inputs: readonly string[]
  /** The source of a module with all that they export. */
  readonly taken: string
}

/** Where the script in the page leaves what others take. */
export const inlineGlobal = 'parleyStart'

/** Bundles the script in the page itself. */
async function bundleInline(build: Build, common: BuildOptions): Promise<Ahead> {
  const { exports, code, ...rest } = await bundleAhead(build, 'inline', common)
  const names = exports.map(([name]) => name)
  const end = exports.find(([name]) => name === 'reachEnd')?.[1]
  const locals = exports.map(([, local]) => local)
  return {
    ...rest,
    text: `var ${inlineGlobal}=(()=>{${code}return{reachEnd:${end},taken:[${locals}]}})()`,
    taken: `export const [${names}] = ${inlineGlobal}.taken`,
  }
}

/** Bundles the script that makes the first calls. @returns also how it names what loads parts */
async function bundleFirst(
  build: Build,
  common: BuildOptions,
  inline: Ahead,
): Promise<Ahead & { readonly loadPart: string }> {
  const options = { ...common, plugins: [takeFrom(inline)] }
  const { exports, code, ...rest } = await bundleAhead(build, 'first-calls', options)
  // Short names, as every part names them again.
  const short = exports.map(([name, local], at) => ({ name, local, as: `$${at.toString(36)}` }))
  const loadPart = short.find(({ name }) => name === 'loadPart')?.as
  if (loadPart === undefined) throw new Error('Nothing loads parts.')
  return {
    ...rest,
    loadPart,
    text: `${code}export{${short.map(({ local, as }) => `${local} as ${as}`)}};`,
    taken: `export { ${short.map(({ name, as }) => `${as} as ${name}`)} } from '${firstPlaceholder}'`,
  }
}

/** Bundles a script with all that its modules export. @param entry one of `start/` */
async function bundleAhead(build: Build, entry: string, options: BuildOptions) {
  const main = `./src/client/start/${entry}.ts`
  const bundled = async (contents: string) =>
    await build({
      ...options,
      stdin: { contents, resolveDir: options.absWorkingDir ?? '.', sourcefile: `${entry}.js` },
      entryNames: `${entry}-[hash]`,
      minify: true,
    })
  const { metafile } = await bundled(`import '${main}'`)
  const inputs = Object.keys(metafile?.inputs ?? {}).filter((path) => path.startsWith('src/'))
  const all = inputs.map((path) => `export * from './${path}'`)
  const { outputFiles: [file] = [] } = await bundled([`import '${main}'`, ...all].join('\n'))
  const [statement = '', list = ''] = /export\{([^{}]*)\};\s*$/.exec(file?.text ?? '') ?? []
  if (!file || statement === '') throw new Error(`${entry} exports nothing.`)
  const exports = list.split(',').map((each) => {
    const [local = '', name = local] = each.split(' as ')
    return [name, local] as const
  })
  return { name: nameOf(file.path), inputs, exports, code: file.text.slice(0, -statement.length) }
}

/** Lets other scripts take modules from one that runs before, instead of containing them again. */
function takeFrom({ name, inputs, taken }: Ahead): Plugin {
  const names = inputs.map((path) => nameOf(path).replaceAll('.', '\\.'))
  const isAsked = { isAsked: true }
  const namespace = `ahead-${name}`
  return {
    name: namespace,
    setup(builder) {
      const { absWorkingDir: root = '.' } = builder.initialOptions
      const within = new Set(inputs.map((path) => join(root, path)))
      const filter = new RegExp(`/(?:${names.join('|')})$`)
      builder.onResolve({ filter }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === isAsked) return undefined
        const options = { importer, resolveDir, kind, pluginData: isAsked }
        const resolved = await builder.resolve(path, options)
        return within.has(resolved.path) ? { path: namespace, namespace } : undefined
      })
      builder.onResolve({ filter: /./, namespace }, ({ path }) => ({ path, external: true }))
      builder.onLoad({ filter: /./, namespace }, () => ({ contents: taken }))
    },
  }
}

/** As esbuild writes them: eight capital letters and digits. */
function hash(names: readonly string[]): string {
  const sorted = [...names].sort().join()
  return createHash('sha256').update(sorted).digest('hex').slice(0, 8).toUpperCase()
}

/**
 * The size of a picture, as its header says it.
 *
 * @source RFC 9649, "Extended File Format": width and height less one, in 24 bits each
 */
function webpSize(bytes: Uint8Array | undefined): { width: number; height: number } {
  const view = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // "VP8X"
  if (view?.getUint32(12) !== 0x56503858) throw new Error('A screenshot is no extended WebP.')
  const bits24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
  return { width: bits24(24) + 1, height: bits24(27) + 1 }
}
