import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'

const longestName = 1000
/** How many files an archive may have. */
export const mostEntries = 1_000_000

/**
 * The name of a file in an archive, with slashes between folders and without `.`.
 *
 * @returns undefined: a folder, or a file that an operating system added
 * @throws BAD_REQUEST a name that leads out of the archive, or none that a file can have
 */
export function safeName(name: string): string | undefined {
  const path = name.replaceAll('\\', '/')
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const leadsOut = /^(\/|[a-z]:)/i.test(path) || segments.includes('..')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (leadsOut || name.length > longestName || /[\x00-\x1f\x7f]/.test(name)) {
    const shown = JSON.stringify(name.slice(0, 100).toWellFormed())
    throw badRequest(
      sentence('The archive has a file with a forbidden name: {name}.', { name: shown }),
    )
  }
  const [first, ...inside] = segments
  if (first === undefined || path.endsWith('/')) return undefined
  const isNoise = first === '__MACOSX' || /^(\.DS_Store|\._.*)$/.test(segments.at(-1) ?? '')
  // Beside the folder of the export, these would hide it; further down they may be someone's.
  const isBeside = inside.length === 0 && /^(thumbs\.db|desktop\.ini)$/i.test(first)
  return isNoise || isBeside ? undefined : segments.join('/')
}

/** The length of the path of folders that contain everything, such as `export-2026/`. */
export function lengthOfRoot(paths: Iterable<string>): number {
  let root: string | undefined
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    root = root === undefined ? folder : shared(root, folder)
    if (root === '') return 0
  }
  return root?.length ?? 0
}

/** The folders that two paths, each with a slash at its end, begin with. */
function shared(a: string, b: string): string {
  if (b.startsWith(a)) return a
  const parts = a.split('/')
  for (let n = parts.length - 1; n > 0; n--) {
    const start = `${parts.slice(0, n).join('/')}/`
    if (b.startsWith(start)) return start
  }
  return ''
}
