import { matchingLinkifiers } from './linkifiers.ts'
import type { Linkifier, Lookups, Rendered } from './types.ts'

/** What one rendering carries along and collects. */
export interface Context {
  lookups: Lookups
  /** Those that match anything in the source. */
  linkifiers: readonly Linkifier[]
  /** Inside a quote: mentions are silent there, and nothing is previewed. */
  quoted: boolean
  mentions: Rendered['mentions']
  links: Rendered['links']
  /** Visible text, piece by piece. */
  text: string[]
  /** Previews of the block that is being rendered, in order. */
  previews: Preview[]
  /** What has been previewed, by address. */
  previewed: string[]
  /** What may still be typeset: see math.ts for what a formula costs. */
  mathBudget: number
  /** Characters of code that may still be highlighted. */
  highlightBudget: number
}

export interface Preview {
  html: string
  /** The link it is for. A block of nothing but this link is replaced by the preview. */
  replaces: string | undefined
}

export function newContext(source: string, lookups: Lookups): Context {
  return {
    lookups,
    linkifiers: matchingLinkifiers(source, lookups.linkifiers),
    quoted: false,
    mentions: {
      userIds: [],
      groupIds: [],
      refusedGroups: [],
      channelWildcard: false,
      topicWildcard: false,
    },
    links: { hasLink: false, hasImage: false, uploads: [] },
    text: [],
    previews: [],
    previewed: [],
    mathBudget: 5000,
    highlightBudget: 4000,
  }
}

/** Adds to a list what it does not have yet. */
export function addOnce<T>(list: T[], value: T): void {
  if (!list.includes(value)) list.push(value)
}
