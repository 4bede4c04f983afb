import { matchingLinkifiers } from './linkifiers.ts'
import type { Linkifier, Lookups, MentionedGroup } from './types.ts'

/** What one rendering carries along and collects. */
export interface Context {
  lookups: Lookups
  /** Those that match anything in the source. */
  linkifiers: readonly Linkifier[]
  /** Inside a quote: mentions are silent there, and nothing is previewed. */
  quoted: boolean
  userIds: Set<number>
  groupIds: Set<number>
  refusedGroups: Map<number, MentionedGroup>
  channelWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  uploads: Set<string>
  /** Visible text, piece by piece. */
  text: string[]
  /** Previews of the block that is being rendered, in order. */
  previews: Preview[]
  /** What has been previewed, by address. */
  previewed: Set<string>
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
    userIds: new Set(),
    groupIds: new Set(),
    refusedGroups: new Map(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    uploads: new Set(),
    text: [],
    previews: [],
    previewed: new Set(),
    mathBudget: 5000,
    highlightBudget: 4000,
  }
}
