// Which packages a build contains, and under which licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** In SPDX's form. */
  readonly license: string | undefined
  readonly text: string
}

/**
 * The bundled packages, with Parley itself as the first.
 *
 * @param inputs paths of the bundled files, relative to the root
 */
export function packagesOf(root: string, inputs: readonly string[]): BundledPackage[] {
  const folders = new Set<string>()
  for (const path of inputs) {
    const folder = /^(.*node_modules\/(@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
    if (folder) folders.add(join(root, folder))
  }
  return [root, ...[...folders].sort()].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const own = file ? readFileSync(join(folder, file), 'utf8').trim() : license
    // Some packages bundle others themselves and list their licences here.
    const notices = join(folder, 'THIRD-PARTY-NOTICES.md')
    const others = existsSync(notices) ? `\n\n${readFileSync(notices, 'utf8').trim()}` : ''
    return { name, version, license, text: own + others }
  })
}

/** The licences of the bundled packages, which must be distributed with them. */
export function licences(contents: readonly BundledPackage[]): string {
  return contents.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`).join('\n')
}
