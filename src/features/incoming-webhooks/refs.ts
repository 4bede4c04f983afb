import { code, inline, link } from './markdown.ts'
import { matchesAnyPattern } from './note.ts'

/** A branch or tag, from a full Git ref name. */
export interface Ref {
  readonly kind: 'branch' | 'tag'
  readonly name: string
}

export function parseRef(ref: string): Ref {
  if (ref.startsWith('refs/tags/')) return { kind: 'tag', name: ref.slice('refs/tags/'.length) }
  return { kind: 'branch', name: ref.replace(/^refs\/heads\//, '') }
}

/**
 * Whether the webhook URL selects this branch.
 *
 * @param wanted names and patterns separated by commas; undefined: all branches
 */
export function isWantedBranch(name: string, wanted: string | undefined): boolean {
  const patterns = (wanted ?? '')
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean)
  return patterns.length === 0 || matchesAnyPattern(name, patterns)
}

/** Whether this is the all-zero hash that Git uses for a missing ref. */
export function isZeroHash(hash: string): boolean {
  return /^0+$/.test(hash)
}

export interface Commit {
  readonly id: string
  readonly message: string
  readonly url?: string | null | undefined
}

const mostCommits = 20

/** A list of commits with the first line of each message. */
function commitList(commits: readonly Commit[]): string {
  const lines = commits.slice(0, mostCommits).map(({ id, message, url }) => {
    const [title = ''] = message.trimStart().split('\n', 1)
    return `* ${inline(title) || '(no message)'} (${link(id.slice(0, 11), url)})`
  })
  const more = commits.length - mostCommits
  return [...lines, ...(more > 0 ? [`* and ${more} more`] : [])].join('\n')
}

/**
 * The text for a push to a branch.
 *
 * @param total the number of commits; may be more than listed
 */
export function pushText(push: {
  readonly who: string
  readonly branch: string
  readonly commits: readonly Commit[]
  readonly total: number
  readonly compare: string | null | undefined
  readonly isNew: boolean
  readonly isForced: boolean
}): string {
  const { who, branch, commits, total, compare, isNew, isForced } = push
  const where = `branch ${code(branch)}`
  if (isNew && total === 0) return `${who} created ${where}.`
  const pushed = isForced ? 'force pushed' : 'pushed'
  const count = link(total === 1 ? '1 commit' : `${total} commits`, compare)
  const target = isNew ? `the new ${where}` : where
  if (total === 0) return `${who} ${pushed} to ${target}.`
  return `${who} ${pushed} ${count} to ${target}.\n\n${commitList(commits)}`
}
