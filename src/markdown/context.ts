import type { Lookups, MentionedGroup } from './types.ts'

/** What one rendering carries along and collects. */
export interface Context {
  lookups: Lookups
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
  /** Characters of math that may still be typeset. */
  mathBudget: number
  /** Characters of code that may still be highlighted. */
  highlightBudget: number
}

export interface Preview {
  html: string
  /** The link it is for. A block of nothing but this link is replaced by the preview. */
  replaces: string | undefined
}

export function newContext(lookups: Lookups): Context {
  return {
    lookups,
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
    mathBudget: 4000,
    highlightBudget: 10_000,
  }
}
