import { sentText } from '#translations/translate.ts'
import type { Delivery, Note } from './declaration.ts'
import type { Fields } from './fields.ts'
import { isWantedBranch } from './filters.ts'
import { code, inline, link, listed, quoting } from './format.ts'

/** A branch or tag, from a full Git ref name. */
export interface Ref {
  readonly kind: 'branch' | 'tag'
  readonly name: string
}

export function parseRef(ref: string): Ref {
  if (ref.startsWith('refs/tags/')) return { kind: 'tag', name: ref.slice('refs/tags/'.length) }
  return { kind: 'branch', name: ref.replace(/^refs\/heads\//, '') }
}

/** Whether this is the all-zero hash that Git uses for a missing ref. */
export function isZeroHash(hash: string): boolean {
  return /^0+$/.test(hash)
}

/** The part of a hash that is shown. */
function shortHash(hash: string): string {
  return hash.slice(0, 11)
}

/** `commit a1b2c3d4e5f`, as a link. */
export function commitLink(hash: string, url: string | undefined): string {
  return `commit ${link(shortHash(hash), url)}`
}

/** The URL option that selects branches. */
export const branchesOption = {
  key: 'branches',
  label: sentText('Only these branches (separated by commas; * stands for any text)'),
  validator: 'check_string',
} as const

/** The URL option that leaves private repositories out. */
export const privateOption = {
  key: 'ignore_private_repositories',
  label: sentText('Nothing from private repositories'),
  validator: 'check_bool',
} as const

/** Whether the webhook URL selects a branch. */
export function wantsBranch(delivery: Delivery, branch: string): boolean {
  return isWantedBranch(branch, delivery.option('branches'))
}

export interface Commit {
  readonly id: string
  readonly message: string
  readonly url: string | undefined
  /** The name of its author, to count committers. */
  readonly author: string | undefined
}

/**
 * The commits that a payload lists in the form that GitHub has made common.
 *
 * @param names members of a commit that can name its author, the best first
 */
export function commitsIn(payload: Fields, ...names: readonly string[]): Commit[] {
  return payload.maybeList('commits').map((commit) => ({
    id: commit.text('id'),
    message: commit.maybeText('message') ?? '',
    url: commit.maybeText('url'),
    author: commit.firstText(...names),
  }))
}

export interface Push {
  /** Markdown. */
  readonly who: string
  /** The name by which the pusher would be among the committers. */
  readonly pusher: string
  readonly repo: string
  readonly branch: string
  readonly commits: readonly Commit[]
  /** The number of commits if more than listed; unknown: the service cut them off. */
  readonly total?: number | 'unknown'
  readonly compare: string | undefined
  readonly change: 'new' | 'deleted' | 'forced' | 'updated'
  /** The new commit of a forced push, where the service does not list what it contains. */
  readonly head?: { readonly hash: string; readonly url: string | undefined } | undefined
}

/** A push to a branch, its creation or its deletion. */
export function pushed(push: Push): Note {
  return { topic: `${push.repo} / ${push.branch}`, content: pushText(push) }
}

function pushText({ who, pusher, branch, commits, total, compare, change, head }: Push): string {
  const where = `branch ${code(branch)}`
  if (change === 'deleted') return `${who} ${link('deleted', compare)} the ${where}.`
  const verb = link(change === 'forced' ? 'force pushed' : 'pushed', compare)
  if (head) {
    return `${who} ${verb} to ${where}. Its head is now ${commitLink(head.hash, head.url)}.`
  }
  const target = change === 'new' ? `the new ${where}` : where
  const count = typeof total === 'number' ? Math.max(total, commits.length) : commits.length
  if (count === 0) return `${who} ${verb} ${change === 'forced' ? 'to ' : ''}${target}.`
  const more = total === 'unknown' ? ' or more' : ''
  const amount = `${count}${more} ${count === 1 && !more ? 'commit' : 'commits'}`
  const sentence = `${who} ${verb} ${amount} to ${target}.${committersText(commits, pusher)}`
  return `${sentence}\n\n${commitList(commits, count, total === 'unknown')}`
}

const mostCommitters = 3

/** The authors of the commits, unless all are the pusher's own. */
function committersText(commits: readonly Commit[], pusher: string): string {
  const counts = new Map<string, number>()
  for (const { author } of commits) if (author) counts.set(author, (counts.get(author) ?? 0) + 1)
  if ([...counts.keys()].every((name) => name === pusher)) return ''
  const ranked = [...counts].sort(([, a], [, b]) => b - a)
  const shown = ranked.slice(0, mostCommitters).map(([name, n]) => `${inline(name, 60)} (${n})`)
  const rest = ranked.slice(mostCommitters).reduce((sum, [, n]) => sum + n, 0)
  const all = rest > 0 ? [...shown, `others (${rest})`] : shown
  const last = all.pop() ?? ''
  return ` Commits by ${all.length > 0 ? `${all.join(', ')} and ${last}` : last}.`
}

const mostCommits = 20

/** A list of commits with the first line of each message. */
function commitList(commits: readonly Commit[], count: number, isCutOff: boolean): string {
  const line = ({ id, message, url }: Commit) => {
    const [title = ''] = message.trimStart().split('\n', 1)
    return `* ${inline(title) || '(no message)'} (${link(shortHash(id), url)})`
  }
  const list = listed(commits.slice(0, mostCommits), line, mostCommits)
  const more = count - Math.min(commits.length, mostCommits)
  if (isCutOff) return `${list}\n* and more`
  return more > 0 ? `${list}\n* and ${more} more` : list
}

export function tagged(tag: {
  readonly who: string
  readonly repo: string
  readonly name: string
  readonly url?: string | undefined
  readonly isRemoved: boolean
}): Note {
  const name = tag.url === undefined ? code(tag.name) : link(tag.name, tag.url)
  return {
    topic: tag.repo,
    content: `${tag.who} ${tag.isRemoved ? 'removed' : 'pushed'} tag ${name}.`,
  }
}

/** An issue or a request to merge, as messages name it. */
export interface Ticket {
  readonly topic: string
  /** Markdown: `[PR #7](…)`. */
  readonly target: string
}

/** @param about the repository's short name, and a number and title if the service sends them */
export function ticket(
  { isElsewhere }: Pick<Delivery, 'isElsewhere'>,
  about: {
    readonly repo: string
    readonly kind: 'PR' | 'MR' | 'issue' | 'epic' | 'snippet'
    /** A closer name than the kind, which only the link has: comments do not tell it. */
    readonly word?: string | undefined
    readonly number: string
    readonly title: string | undefined
    readonly url: string | undefined
    /** Whether the link always has the title. */
    readonly isTitled?: boolean
    /** The number in the topic, if it differs. */
    readonly topicNumber?: string
  },
): Ticket {
  const { repo, kind, number, title, url, isTitled = isElsewhere, topicNumber = number } = about
  const plain = `${about.word ?? kind} #${number}`
  const name = title && isTitled ? `${plain} ${title}` : plain
  return {
    topic: `${repo} / ${kind} #${topicNumber}${title ? ` ${title}` : ''}`,
    target: link(name, url),
  }
}

/** An action on a ticket. @param act in Markdown, except for `body` */
export function acted(
  { topic, target }: Ticket,
  act: {
    readonly who: string
    readonly verb: string
    /** The branches of a request to merge. */
    readonly from?: string | undefined
    readonly to?: string | undefined
    /** Names of people. */
    readonly assignees?: readonly string[]
    /** The end of the sentence, such as `with the label …`. */
    readonly rest?: string
    readonly body?: string | undefined
  },
): Note {
  const { who, verb, from, to, assignees = [], rest = '', body } = act
  const branches = from && to ? ` from ${code(from)} to ${code(to)}` : ''
  const people = assignees.length > 0 ? ` (assigned to ${namesText(assignees)})` : ''
  const line = `${who} ${verb} ${target}${branches}${people}${rest && ` ${rest}`}`
  return { topic, content: quoting(line, body) }
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => inline(name, 60))
  const more = names.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** A comment on a ticket. */
export function commented(
  { topic, target }: Ticket,
  comment: {
    readonly who: string
    readonly change?: 'created' | 'edited' | 'deleted'
    readonly url: string | undefined
    readonly body?: string | undefined
  },
): Note {
  return { topic, content: commentText({ ...comment, target }) }
}

/** @param comment all in Markdown, except for `url` and `body` */
function commentText(comment: {
  readonly who: string
  readonly change?: 'created' | 'edited' | 'deleted'
  readonly url: string | undefined
  readonly target: string
  readonly body?: string | undefined
}): string {
  const { who, change = 'created', url, target, body } = comment
  if (change === 'created') return quoting(`${who} ${link('commented', url)} on ${target}`, body)
  const line = `${who} ${change} ${link('a comment', url)} on ${target}`
  if (change === 'edited') return quoting(line, body)
  return quoting(line, body && struck(body))
}

/** Each line of a text struck through. */
export function struck(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? line : `~~${line.trim()}~~`))
    .join('\n')
}

/** The verb for a closed request to merge. */
export function closingVerb(isMerged: boolean): string {
  return isMerged ? 'merged' : 'closed without merging'
}
