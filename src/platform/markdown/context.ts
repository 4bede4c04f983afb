import { limitedLookups, namingLimits } from './naming.ts'
import type { Linkifier, Lookups, RenderedMarkdown } from './types.ts'

/** The state and the collected results of one rendering. */
export interface Context {
  lookups: Lookups
  /** The linkifiers that may match in the source. */
  linkifiers: readonly Linkifier[]
  /** Inside a quote, where mentions are silent and links have no previews. */
  quoted: boolean
  mentions: RenderedMarkdown['mentions']
  links: RenderedMarkdown['links']
  /** The visible text, in pieces. */
  text: string[]
  /** The previews for the current block, in order. */
  previews: Preview[]
  /** The URLs that have a preview. */
  previewed: string[]
  /** The number of mentions and links to channels and topics that may still come. */
  namesLeft: number
  /** The remaining budget for formulas: see `costOf` in math.ts. */
  mathBudget: number
  /** The number of characters of HTML that formulas may still have. */
  mathMarkupBudget: number
  /** The number of characters of code that may still be highlighted. */
  highlightBudget: number
  /** The number of characters of HTML that emoji and linkifiers may still have. */
  markupBudget: number
}

/** Takes `html` from a budget; false: it has no room for that. */
export function afford(
  context: Context,
  budget: 'markupBudget' | 'mathMarkupBudget',
  html: string,
): boolean {
  if (html.length > context[budget]) return false
  context[budget] -= html.length
  return true
}

/** Counts one more mention or link to a channel; false: the text has had as many as it may. */
export function mayName(context: Context): boolean {
  if (context.namesLeft === 0) return false
  context.namesLeft--
  return true
}

export interface Preview {
  html: string
  /** The link's HTML. The preview replaces a block that contains nothing but this link. */
  replaces: string | undefined
}

/** The number of characters of HTML that formulas may have in a message, and emoji and linkifiers. */
export const markupBudgets = { math: 60_000, others: 50_000 } as const

/** @param linkifiers those that may match in the source */
export function newContext(lookups: Lookups, linkifiers: readonly Linkifier[]): Context {
  return {
    lookups: limitedLookups(lookups),
    linkifiers,
    quoted: false,
    mentions: {
      userIds: [],
      groupIds: [],
      refusedGroups: [],
      channelWildcard: false,
      topicWildcard: false,
    },
    links: { hasLink: false, hasImage: false, uploads: [], pages: [] },
    text: [],
    previews: [],
    previewed: [],
    namesLeft: namingLimits.all,
    mathBudget: 5000,
    mathMarkupBudget: markupBudgets.math,
    highlightBudget: 4000,
    markupBudget: markupBudgets.others,
  }
}

/** Adds a value to a list unless it is there already. */
export function addOnce<T>(list: T[], value: T): void {
  if (!list.includes(value)) list.push(value)
}
