// Which packages a build contains, and under which licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The bundled packages, with Parley itself as the first.
 *
 * @param inputs paths of the bundled files, relative to the root
 */
export function packagesOf(root, inputs) {
  const folders = new Set(
    inputs.map((path) => path.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1]),
  )
  folders.delete(undefined)
  return [root, ...[...folders].sort().map((folder) => join(root, folder))].map((folder) => {
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
export function licences(contents) {
  return contents.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`).join('\n')
}
