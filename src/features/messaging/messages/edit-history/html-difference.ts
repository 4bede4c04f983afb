import { type DiffBudget, differences } from './differences.ts'
import { type Leaf, type Leaves, leafReader, type Path } from './leaves.ts'

/**
 * The difference between two rendered messages, word by word: the later one with what is new in
 * `<span class="highlight_text_inserted">` and what is gone in `<span
 * class="highlight_text_deleted">`. What is gone keeps its formatting; its blocks become lines.
 *
 * @source Zulip API, "Get a message's edit history", `content_html_diff`
 */
export function htmlDifference(before: string, after: string, budget: DiffBudget): string {
  const read = leafReader()
  const [old, now] = [read(before), read(after)]
  const numbers = ({ leaves }: Leaves) => leaves.map(({ number }) => number)
  const runs = differences(numbers(old), numbers(now), budget)
  let html = ''
  /** How many leaves are done, and how much of what is before the next. */
  const done = { old: 0, now: 0, between: 0 }
  for (const [at, { change, count }] of runs.entries()) {
    if (change === 'deleted') {
      const isReplaced = runs[at + 1]?.change === 'inserted'
      const place = placeFor(old.leaves, now, done, isReplaced)
      html += place.between + deletion(old.leaves, done.old, count, place, isReplaced)
      done.old += count
      done.between += place.between.length
      continue
    }
    const leaves = now.leaves.slice(done.now, done.now + count)
    html += change === 'none' ? plain(leaves, done.between) : insertion(leaves, done.between)
    done.now += count
    done.between = 0
    if (change === 'none') done.old += count
  }
  return `<div>${html}${now.tail.slice(done.between)}</div>`
}

function plain(leaves: readonly Leaf[], from: number): string {
  return leaves
    .map(({ before, html }) => before + html)
    .join('')
    .slice(from)
}

function insertion(leaves: readonly Leaf[], from: number): string {
  let html = ''
  for (const [i, leaf] of leaves.entries()) {
    const tags = i === 0 ? leaf.before.slice(from) : leaf.before
    if (i === 0 || tags !== '') html += `${i === 0 ? '' : '</span>'}${tags}${opening('inserted')}`
    html += leaf.html
  }
  return `${html}</span>`
}

/** Where in the later document a deletion is shown. */
interface Place {
  /** What comes first of the tags between two leaves. */
  readonly between: string
  readonly path: Path | undefined
  /** Whether it is at the beginning of a block, rather than at the end of one. */
  readonly isBeginning: boolean
}

/** After the leaf before it; in a block of its own, if that is what replaces its block. */
function placeFor(
  old: readonly Leaf[],
  { leaves, tail }: Leaves,
  done: { readonly old: number; readonly now: number; readonly between: number },
  isReplaced: boolean,
): Place {
  const [last, next] = [leaves[done.now - 1], leaves[done.now]]
  const between = (next?.before ?? tail).slice(done.between)
  const isBlock =
    isReplaced && next?.block !== last?.block && old[done.old]?.block !== old[done.old - 1]?.block
  if (last && !isBlock) {
    let length = 0
    let path: Path | undefined = last.path
    while (path?.isInline && between.startsWith(`</${path.name}>`, length)) {
      length += path.name.length + 3
      path = path.parent
    }
    return { between: between.slice(0, length), path, isBeginning: false }
  }
  let { length } = between
  let path = next?.path
  while (path?.isInline && between.endsWith(path.tag, length)) {
    length -= path.tag.length
    path = path.parent
  }
  return { between: between.slice(0, length), path, isBeginning: true }
}

function deletion(
  old: readonly Leaf[],
  from: number,
  count: number,
  place: Place,
  isReplaced: boolean,
): string {
  const to = from + count
  const isBorder = (at: number) =>
    at > 0 && at < old.length && old[at - 1]?.block !== old[at]?.block
  const open = openTags(place.path)
  let html = ''
  let tags: string[] = []
  for (let at = from; at < to; at++) {
    const leaf = old[at] as Leaf
    const isLine = isBorder(at) && !(at === from && place.isBeginning)
    if (at === from || isLine || leaf.path !== old[at - 1]?.path) {
      html += endsOf(tags)
      if (isLine) html += '<br>'
      tags = formatting(leaf.path, open)
      html += tags.join('')
    }
    html += leaf.html
  }
  html += endsOf(tags)
  if (place.isBeginning && !isReplaced && isBorder(to)) html += '<br>'
  return `${opening('deleted')}${html}</span>`
}

/** The most nested formatting that a deleted word keeps. */
const mostFormatting = 10

/** The inline tags of a path, without those that are open already. */
function formatting(path: Path, open: ReadonlySet<string>): string[] {
  const tags: string[] = []
  for (let at: Path | undefined = path; at?.isInline; at = at.parent) {
    const isLinkInLink = at.name === 'a' && open.has('a')
    if (!isLinkInLink && !open.has(at.tag)) tags.unshift(at.tag)
    if (tags.length === mostFormatting) break
  }
  return tags
}

/** The inline tags that are open at a place, and whether `a` is among them. */
function openTags(path: Path | undefined): Set<string> {
  const open = new Set<string>()
  let left = mostFormatting
  for (let at = path; at?.isInline && left > 0; at = at.parent, left--) {
    open.add(at.tag)
    open.add(at.name)
  }
  return open
}

function endsOf(tags: readonly string[]): string {
  return tags
    .toReversed()
    .map((tag) => `</${/^<(\w+)/.exec(tag)?.[1]}>`)
    .join('')
}

function opening(change: 'inserted' | 'deleted'): string {
  return `<span class="highlight_text_${change}">`
}
