import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildResult, Plugin } from 'esbuild'

const folder = 'node_modules/lucide/dist/esm'
const importLines = /^import (type )?\{([^{}]*)\} from 'lucide'$/gm
const exportLines = /^export \{([^{}]*)\} from '\.\/(icons\/[\w-]+\.mjs)';$/gm

/**
 * Imports each icon from its own file. From the file that names all icons, esbuild would put the
 * icons of every part into the script that is loaded first, as that file is reached from there.
 */
export const singleIcons: Plugin = {
  name: 'icons',
  async setup(builder) {
    const { absWorkingDir: root = '.' } = builder.initialOptions
    const fileOf = iconFiles(await readFile(join(root, folder, 'lucide.mjs'), 'utf8'))
    builder.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!path.includes('/src/client/')) return undefined
      const source = await readFile(path, 'utf8')
      const contents = source.replace(
        importLines,
        (line, type: string | undefined, list: string) =>
          type
            ? line
            : named(list)
                .map(([name, local]) => `import ${local} from '${fileOf.get(name)}'`)
                .join(';'),
      )
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

type Output = NonNullable<BuildResult['metafile']>['outputs'][string]

/** Whether a file contains icons and nothing else. @param output undefined for other files */
export function hasIconsOnly(output: Output | undefined): boolean {
  const inputs = Object.keys(output?.inputs ?? {})
  return inputs.length > 0 && inputs.every((path) => path.includes(`${folder}/icons/`))
}

/** The file of each icon, by all names that it has. */
function iconFiles(source: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [, list = '', file = ''] of source.matchAll(exportLines)) {
    for (const [, name] of named(list)) files.set(name, `lucide/dist/esm/${file}`)
  }
  return files
}

/** What is imported or exported, and its name here. */
function named(list: string): (readonly [name: string, local: string])[] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', local = name] = each.split(' as ')
      return [name, local] as const
    })
}
