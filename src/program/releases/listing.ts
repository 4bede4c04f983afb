import * as v from 'valibot'
import type { Context } from '#platform/context.ts'
import type { NewerRelease } from '#platform/health/newer-release.ts'
import { fetchOutside, OutsideError } from '#platform/outgoing/fetch.ts'
import { parleyVersion } from '#platform/version.ts'
import { sentence } from '#translations/translate.ts'

const web = v.pipe(v.string(), v.maxLength(500), v.regex(/^https?:\/\//))

/**
 * The supported formats for the newest release: our own `release.json`, or the reply of GitHub,
 * GitLab, Gitea and Forgejo about the latest one.
 */
const listing = v.object({
  version: v.optional(v.string()),
  tag_name: v.optional(v.string()),
  url: v.optional(v.unknown()),
  html_url: v.optional(v.unknown()),
})

/** The numbers of a version such as `0.2.0` or `v0.2.0`; undefined for anything else, such as a preview. */
function numbersOf(version: string): readonly number[] | undefined {
  return /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/.exec(version)?.slice(1).map(Number)
}

/** Below zero if `a` is older than `b`, zero if they are the same; undefined: they cannot be compared. */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  if (!left || !right) return undefined
  for (const [i, number] of left.entries()) {
    const difference = number - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Reads the list of releases, whose address only the operator chooses.
 *
 * @param own the version of this program
 * @returns the newest release, if it is newer than this program
 * @throws OutsideError it could not be asked; Error the answer names no version
 */
export async function findNewerRelease(
  server: Pick<Context, 'config' | 'clock'>,
  address: string,
  signal?: AbortSignal,
  own = parleyVersion,
): Promise<NewerRelease | null> {
  const { status, body } = await fetchOutside(server, address, {
    headers: { Accept: 'application/json' },
    limit: 256 * 1024,
    ...(signal && { signal }),
  })
  if (status !== 200)
    throw new OutsideError(sentence('The server answered with {status}.', { status }))
  const { version, tag_name, url, html_url } = v.parse(listing, JSON.parse(body.toString()))
  const newest = version ?? tag_name ?? ''
  const difference = compareVersions(newest, own)
  if (difference === undefined) throw new Error('The answer does not contain a version.')
  if (difference <= 0) return null
  const page = [html_url, url].find((each) => v.is(web, each))
  return { version: newest.replace(/^v/, ''), url: typeof page === 'string' ? page : null }
}
