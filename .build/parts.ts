import { isBuiltin } from 'node:module'
import { basename, extname, join, relative } from 'node:path'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'
import { minifying, narrow } from './bundle.ts'
import { wrap } from './programs/evaluate.ts'
import { fail, root } from './repository.ts'
import { type Node, nodesIn, parseSource, walk } from './syntax-tree.ts'

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

/** The variable in which the program has what loads its parts. */
const loader = 'parleyParts'

/** The source of the module that stands for a part in the program. */
export function standIn({ name, names, isModule }: Part): string {
  const part = `${loader}(${JSON.stringify(name)})`
  if (!isModule) return `module.exports = ${part}`
  return `const part = ${part}\nexport default part.default\nexport const { ${names.join(', ')} } = part`
}

/** A package, or a CommonJS module of ours, with all that it uses. */
export async function bundlePackage(options: BuildOptions, path: string): Promise<Part> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [path],
    outdir: root,
    format: 'esm',
    write: false,
    metafile: true,
  })
  const { code } = await transform(outputFiles?.[0]?.text ?? '', { ...minifying, format: 'cjs' })
  const [{ exports = [], entryPoint = '' } = {}] = Object.values(metafile?.outputs ?? {})
  const isModule = metafile?.inputs[entryPoint]?.format === 'esm'
  return {
    name: packageName(path),
    source: wrap(narrow(isModule ? code : `${code}\nmodule.exports=module.exports.default`)),
    inputs: Object.keys(metafile?.inputs ?? {}),
    isModule,
    names: exports.filter((name) => name !== 'default'),
  }
}

/** `part-katex.js` for the package, `part-highlighter.js` for a module of ours. */
function packageName(path: string): string {
  const name = /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? basename(path, extname(path))
  return `part-${name.replace(/\W+/g, '-')}.js`
}

/** Modules of ours that the program imports dynamically, and what they use of the program. */
export interface OwnParts {
  /** The parts by the path of their module; those that several have in common by their name. */
  readonly parts: ReadonlyMap<string, Part>
  /** What parts import of the program's modules, by path; `*`: all. */
  readonly used: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Bundles modules of ours that the program imports dynamically. What the program has itself they take
 * from it; what several of them use becomes a part of its own.
 *
 * @param paths theirs, from the root
 * @param core the paths of the program's modules
 */
export async function bundleOwn(
  options: BuildOptions,
  paths: readonly string[],
  core: ReadonlySet<string>,
): Promise<OwnParts> {
  const parts = new Map<string, Part>()
  const used = new Map<string, Set<string>>()
  if (paths.length === 0) return { parts, used }
  const { outputFiles = [], metafile } = await build({
    ...options,
    entryPoints: paths.map((path) => ({ in: join(root, path), out: ownName(path) })),
    chunkNames: 'part-[hash]',
    outdir: root,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [sharing(core), ...(options.plugins ?? [])],
  })
  for (const { path: file, text } of outputFiles) {
    const name = relative(root, file)
    const output = metafile?.outputs[name] ?? fail(`There is no ${name}.`)
    noteImports(name, text, used)
    const { code } = await transform(text, {
      ...minifying,
      format: 'cjs',
      supported: { 'dynamic-import': false },
    })
    parts.set(output.entryPoint ?? name, {
      name,
      source: wrap(narrow(code)),
      inputs: Object.keys(output.inputs),
      isModule: true,
      names: output.exports.filter((each) => each !== 'default'),
    })
  }
  return { parts, used }
}

/** `part-integrations-assistants-serving-actions` for a file in that feature. */
const ownName = (path: string) =>
  `part-${path.replace(/^src\/(?:features\/)?|\.ts$/g, '').replace(/\W+/g, '-')}`

/** An esbuild plugin that leaves to the program what it has. */
function sharing(core: ReadonlySet<string>): Plugin {
  return {
    name: 'share',
    setup: (builder) => {
      builder.onResolve(
        { filter: /./ },
        async ({ path, kind, importer, resolveDir, pluginData }) => {
          const isImport = kind === 'import-statement' || kind === 'dynamic-import'
          if (!isImport || isBuiltin(path) || pluginData !== undefined) return null
          const options = { kind, importer, resolveDir, pluginData: 'share' }
          const found = await builder.resolve(path, options)
          const own = relative(root, found.path).replaceAll('\\', '/')
          return core.has(own) ? { path: corePrefix + own, external: true } : null
        },
      )
    },
  }
}

/** Stands before the path of a module of the program in what a part imports. */
const corePrefix = 'core:'

/** Notes which names a part imports of the program's modules. */
function noteImports(file: string, source: string, used: Map<string, Set<string>>): void {
  const tree = parseSource(file, source)
  for (const { type, source: from, specifiers } of nodesIn(tree.body)) {
    const path = String(nodesIn(from)[0]?.value ?? '')
    if (!path.startsWith(corePrefix)) continue
    if (type !== 'ImportDeclaration') fail(`${file} exports ${path} again.`)
    const names = used.get(path) ?? new Set()
    used.set(path, names)
    for (const specifier of nodesIn(specifiers)) {
      for (const name of importedBy(specifier, tree)) names.add(name)
    }
  }
}

/** The names of what a part of an import takes; `*`: all. @param tree that of the whole file */
function importedBy(specifier: Node, tree: Node): string[] {
  if (specifier.type === 'ImportDefaultSpecifier') return ['default']
  if (specifier.type === 'ImportSpecifier') return nodesIn(specifier.imported).map(nameOf)
  // From a module that is imported as a whole, only the names after its dot are needed.
  const [local] = nodesIn(specifier.local).map(nameOf)
  const all = [...walk(tree)]
  const isLocal = (node?: Node) => node?.type === 'Identifier' && nameOf(node) === local
  const members = all.filter((node) => isLocal(nodesIn(node.object)[0]) && !node.computed)
  const keys = all.filter((node) => isLocal(nodesIn(node.key)[0]) && !node.computed)
  const isOnlyNamed = all.filter(isLocal).length === members.length + keys.length + 1
  return isOnlyNamed ? members.flatMap((node) => nodesIn(node.property).map(nameOf)) : ['*']
}

const nameOf = (node: Node) => String(node.name)

/**
 * Source code that creates what loads the parts.
 *
 * @param textOf source code of an expression for the source of a part
 * @param used what parts import of the program, by `core:` and path
 */
export function partsModule(
  parts: Iterable<Part>,
  used: ReadonlyMap<string, ReadonlySet<string>>,
  textOf: (name: string, text: string) => string,
): string {
  const sources = [...parts].map(
    ({ name, source }) => `${JSON.stringify(name)}: () => ${textOf(name, source)}`,
  )
  const modules = [...used].map(([id, names], index) => {
    const module = `core${index}`
    const members = [...names].map((name) => `get ${name}() { return ${module}.${name} }`)
    const value = names.has('*') ? module : `({ __esModule: true, ${members.join(', ')} })`
    return {
      line: `import * as ${module} from ${JSON.stringify(`../../${id.slice(corePrefix.length)}`)}`,
      member: `${JSON.stringify(id)}: () => ${value}`,
    }
  })
  return `import { createParts } from './parts.ts'
${modules.map(({ line }) => line).join('\n')}
${loader} = createParts({ ${sources.join(',\n')} }, { ${modules.map(({ member }) => member).join(',\n')} }, require)
`
}

/** Declares the variable of the loader in the program. */
export const loaderDeclaration = `var ${loader}`
/** Source code of the loader. */
export const loaderName = loader
