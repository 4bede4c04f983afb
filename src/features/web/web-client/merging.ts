import type { BuildOptions, BuildResult, OutputFile, Plugin } from 'esbuild'
import { hasIconsOnly } from './single-icons.ts'

/** esbuild's own, which only a checkout has. */
export type Build = (options: BuildOptions) => Promise<BuildResult>

/**
 * What every page loads without being asked, in this order: the program, the side bar, which is there
 * before the first messages, the box to write in, and what else a page at rest has; and at last what is loaded once
 * someone is about to do something. Each has the modules that the ones before do not have, and is one file: esbuild makes a
 * file of everything that two parts share, so some ninety small files would be loaded, each with a
 * request of its own. One file is also compressed better.
 */
const stages: Readonly<Record<string, readonly string[]>> = {
  main: ['main'],
  bar: ['left-side-bar'],
  box: ['compose-box'],
  rest: [
    'announcer',
    'bottom-bar',
    'connection-bar',
    'day-pills',
    'follow-days',
    'head-about',
    'head-actions',
    'keeping',
    'listen',
    'message-buttons',
    'offers',
    'panes',
    'right-side-bar',
    'search-box',
    'streams',
    'typing-line',
    'unread-above',
    'watch',
  ],
  keys: ['commands'],
  write: ['edit-box', 'editing-kit', 'menu', 'outbox-rows'],
  act: [
    'copy-messages',
    'descriptions',
    'follow-sent',
    'getting-started',
    'hovered-pictures',
    'quick-buttons',
    'quick-switcher',
    'sound',
    'suggestions',
    'topic-actions',
    'user-card',
    'widgets',
  ],
}

/**
 * Lets Chromium compile all functions of a file beside the page while it arrives, instead of each one
 * when the page first calls it: the first screen waits for most of them.
 *
 * @source https://v8.dev/blog/explicit-compile-hints
 */
const compiledAhead = { js: '//# allFunctionsCalledOnLoad' }

/** The stage that a page waits for before it draws anything. */
export const program = 'main'

/** The name of the file of a stage. */
export const stageScript = (stage: string, version: string) => `${stage}-${version}.js`

/** The name of the file that the page runs before the program, before the version is known, and after. */
export const firstPlaceholder = './first.js'
export const firstScript = (version: string) => `first-${version}.js`

type Parts = ReadonlyMap<string, NonNullable<BuildResult['metafile']>['outputs'][string]>

interface Stage {
  readonly name: string
  readonly file: string
  /** The parts that others name when they load it. */
  readonly entries: readonly string[]
  /** These and all that they import statically, without what earlier stages have. */
  readonly members: ReadonlySet<string>
}

/**
 * Merges the parts of each stage into one file. Parts that are loaded later import from these. They
 * name each other, so they all have the version in their names, not a hash of their own.
 */
export async function mergeStages(
  build: Build,
  common: BuildOptions,
  { outputFiles = [], metafile }: BuildResult,
  { version, loadPart }: Names,
): Promise<readonly OutputFile[]> {
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]))
  const parts = new Map(
    Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [nameOf(path), output]),
  )
  const merged = stagesOf(parts, version)
  const stageOf = new Map(
    merged.flatMap((stage) => [...stage.members].map((part) => [part, stage] as const)),
  )
  const exports = shortExports(merged, parts)
  const merging = { texts, parts, exports, merged, stageOf, version, loadPart }
  const bundled = async (names: readonly (readonly [as: string, part: string])[], own?: Stage) => {
    const { outputFiles: made = [] } = await build({
      ...common,
      entryPoints: Object.fromEntries(names.map(([as, part]) => [as.slice(0, -3), part])),
      entryNames: '[name]',
      chunkNames: '[name]-[hash]',
      splitting: true,
      minify: true,
      ...(own?.name === program && { banner: compiledAhead }),
      plugins: [partsPlugin(merging, own)],
    })
    return made
  }
  const later = [...parts].filter(([name, { entryPoint }]) => entryPoint && !stageOf.has(name))
  const made = await Promise.all([
    ...merged.map((stage) => bundled([[stage.file, stage.file]], stage)),
    bundled(later.map(([name]) => [laterName(name, version), name])),
  ])
  return made.flat()
}

/** The name of the file of a part that belongs to no stage. */
const laterName = (part: string, version: string) =>
  part.replace(/-[A-Z0-9]{8}\.js$/, () => `-${version}.js`)

/** What each part exports, and how the file of its stage names that. */
type Exports = ReadonlyMap<string, readonly (readonly [name: string, short: string])[]>

interface Names {
  readonly version: string
  /** What `loadPart` is to those that import it from the first file (`client/start/load-part.ts`). */
  readonly loadPart: string
}

interface Merging extends Names {
  /** The text of each part by its name. */
  readonly texts: ReadonlyMap<string, string>
  readonly parts: Parts
  readonly exports: Exports
  readonly merged: readonly Stage[]
  readonly stageOf: ReadonlyMap<string, Stage>
}

/**
 * Makes parts import from the file of the stage that has what they need.
 *
 * @param own the stage that is made; undefined: the parts that belong to none
 */
function partsPlugin(merging: Merging, own: Stage | undefined): Plugin {
  const { parts, exports, merged, stageOf, version, loadPart } = merging
  const { textOf, taken } = joinedTexts(merging, own)

  /** All of a stage, as others see it. */
  const whole = ({ name, entries, members }: Stage) =>
    [
      // Nobody loads the program again to take something from it.
      ...entries.map((part) =>
        name === program ? `import './${part}'` : `export * from './${part}'`,
      ),
      ...[...members].map((part) => `export ${listed(exports.get(part) ?? [])} from './${part}'`),
    ].join('\n')

  const files = new Map(merged.map((stage) => [stage.file, stage]))
  return {
    name: 'parts',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, kind, importer, namespace }) => {
        const name = nameOf(path)
        if (path === loader) return { path, namespace: loader, suffix: own ? '' : `?${importer}` }
        if (kind !== 'entry-point' && files.has(name)) {
          // Through one module, so that the file of a stage has one statement for each other file.
          const isThrough = own !== undefined && namespace !== 'taken'
          return isThrough ? { path: name, namespace: 'taken' } : { path, external: true }
        }
        if (path === firstPlaceholder) return { path: `./${firstScript(version)}`, external: true }
        // A copy for each part that uses them: an icon is smaller than a request for it.
        const suffix = !stageOf.has(name) && hasIconsOnly(parts.get(name)) ? `?${importer}` : ''
        return { path: name, namespace: 'part', suffix }
      })
      builder.onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => {
        const stage = files.get(path)
        return { contents: stage ? whole(stage) : textOf(path) }
      })
      builder.onLoad({ filter: /.*/, namespace: loader }, () => ({
        contents: `export { ${loadPart} as $loadPart } from '${firstPlaceholder}'`,
      }))
      builder.onLoad({ filter: /.*/, namespace: 'taken' }, ({ path }) => ({
        contents: `export { ${[...(taken.get(path) ?? [])].join(', ')} } from './${path}'`,
      }))
    },
  }
}

/** The module by which parts get what loads others. */
const loader = 'loader'

/**
 * The texts of parts, which import from the files of other stages instead of their parts, and load
 * those that come later by `loadPart`.
 */
function joinedTexts({ texts, exports, stageOf, version }: Merging, own: Stage | undefined) {
  /** What this stage takes of each other file. */
  const taken = new Map<string, Set<string>>()
  const loading = (text = '') => {
    const all = text.replace(/\bimport\("\.\/([^"]+)"\)/g, (_, part: string) => {
      const file = stageOf.get(part)?.file ?? laterName(part, version)
      return `$loadPart("./${file}")`
    })
    return all === text ? text : `import { $loadPart } from "${loader}";\n${all}`
  }
  const joined = (text?: string) =>
    loading(text).replace(
      /^import (?:\{([^{}]*)\} from )?"\.\/([^"]+)";$/gm,
      (statement, names: string | undefined, part: string) => {
        const stage = stageOf.get(part)
        if (!stage || stage === own) return statement
        const ofStage = taken.get(stage.file) ?? new Set()
        taken.set(stage.file, ofStage)
        if (names === undefined) return `import "./${stage.file}";`
        const short = new Map(exports.get(part))
        const pairs = names.split(',').map((each) => {
          const [name = '', as = name] = each.trim().split(' as ')
          return [short.get(name) ?? name, as] as const
        })
        for (const [name] of pairs) ofStage.add(name)
        return `import ${listed(pairs)} from "./${stage.file}";`
      },
    )
  const members = new Map([...(own?.members ?? [])].map((part) => [part, joined(texts.get(part))]))
  return { textOf: (part: string) => members.get(part) ?? joined(texts.get(part)), taken }
}

function stagesOf(parts: Parts, version: string): readonly Stage[] {
  const done = new Set<string>()
  return Object.entries(stages).map(([name, partNames]) => {
    const entries = partNames.map((partName) => {
      const isNamed = (part: string) => part.replace(/-[A-Z0-9]{8}\.js$/, '') === partName
      const found = [...parts.keys()].find(isNamed)
      if (found === undefined) throw new Error(`Nothing loads ${partName} dynamically.`)
      return found
    })
    // The merged file would have neither of two parts with the same name.
    const exported = entries.flatMap((part) => parts.get(part)?.exports ?? [])
    const [twice] = exported.filter((each, at) => exported.indexOf(each) < at)
    if (twice !== undefined) throw new Error(`Two parts of ${name} export ${twice}.`)
    const members = loadedWith(entries, parts, done)
    for (const part of members) done.add(part)
    return { name, file: stageScript(name, version), entries, members }
  })
}

/** The names of exports, in a part and in the merged file: short, as many parts name them. */
function shortExports(merged: readonly Stage[], parts: Parts): Exports {
  return new Map(
    merged.flatMap(({ members }) => {
      let count = 0
      const short = () => `$${(count++).toString(36)}`
      return [...members].map((part) => {
        const names = parts.get(part)?.exports ?? []
        return [part, names.map((name) => [name, short()] as const)] as const
      })
    }),
  )
}

const listed = (names: readonly (readonly [string, string])[]) =>
  `{ ${names.map(([from, to]) => `${from} as ${to}`).join(', ')} }`

/** The names of parts and of those that they import statically, and they in turn. */
function loadedWith(
  entries: readonly string[],
  parts: Parts,
  without: ReadonlySet<string>,
): ReadonlySet<string> {
  const members = new Set(entries)
  // A set is walked over what is added on the way too.
  for (const name of members) {
    for (const { kind, path, external } of parts.get(name)?.imports ?? []) {
      const isStatic = kind === 'import-statement' && !external
      if (isStatic && !without.has(nameOf(path))) members.add(nameOf(path))
    }
  }
  return members
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
