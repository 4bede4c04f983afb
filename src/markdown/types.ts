/** A user as a mention needs one. Deactivated users are shown, but only silently. */
export interface MentionedUser {
  id: number
  fullName: string
  isActive: boolean
}

export interface MentionedGroup {
  id: number
  /** What the source calls it: `crew`, `role:members`. */
  name: string
  /** What is shown; differs from `name` for system groups. */
  displayName: string
  isSystem: boolean
  /** Whether the author may mention it (`can_mention_group`). Silent mentions need no permission. */
  mentionable: boolean
  deactivated: boolean
}

/** What is known of an uploaded file, to show a preview of it. */
export interface KnownUpload {
  contentType: string
  name: string
  /** Size of the picture in pixels, when known. */
  width?: number
  height?: number
  animated?: boolean
  /**
   * Only of a picture that is shown: false while its thumbnails are being made, and a placeholder
   * stands for it.
   */
  thumbnailed?: boolean
}

/**
 * Everything the renderer asks of the outside, as plain functions, so that it stays pure.
 * Each answers for the author of the text: what the author may not know of is undefined.
 * None is called unless the text has the construct that needs it.
 */
export interface Lookups {
  /** Active and deactivated users whose full name is exactly this, case-insensitively. */
  usersByName(name: string): readonly MentionedUser[]
  userById(id: number): MentionedUser | undefined
  groupByName(name: string): MentionedGroup | undefined
  channelByName(name: string): { id: number; name: string } | undefined
  /** Newest message of the topic that the author can access; undefined when there is none. */
  newestInTopic(channelId: number, topic: string): number | undefined
  /** The active custom emoji of this name. */
  customEmoji(name: string): { name: string; sourceUrl: string } | undefined
  /** In the organization's order: where two match the same text, the earlier one wins. */
  linkifiers: readonly Linkifier[]
  emptyTopicDisplayName: string
  /** Language of fenced code that names none; empty for none. */
  defaultCodeLanguage: string
  /** Origin of this server, without a trailing slash; its own absolute links become relative. */
  realmUrl: string
  /** By path id (`2/ab/Kq/cat.png`). Undefined: unknown, so it gets no preview. */
  upload?(pathId: string): KnownUpload | undefined
  /**
   * Where clients fetch a foreign picture or video from (a proxy). Without this function its own
   * address is used; undefined suppresses the preview.
   */
  externalContent?(url: string): string | undefined
  translateEmoticons: boolean
  /** Whether links to pictures and videos get a preview. */
  previewsEnabled: boolean
}

export interface Linkifier {
  id: number
  /** In RE2 syntax, with named groups `(?P<id>…)`. */
  pattern: string
  /** RFC 6570, with the names of the groups. */
  urlTemplate: string
}

export interface Rendered {
  html: string
  /** Who is notified: no silent mention and nothing in a quote counts. Ids occur once each. */
  mentions: {
    userIds: number[]
    groupIds: number[]
    /** Groups that the author named without permission; shown as plain text. */
    refusedGroups: MentionedGroup[]
    channelWildcard: boolean
    topicWildcard: boolean
  }
  links: {
    hasLink: boolean
    /** A picture is shown: an upload or a foreign one. */
    hasImage: boolean
    /** Path ids (`2/ab/Kq/cat.png`) of the uploads linked to, decoded, once each. */
    uploads: string[]
  }
  /** What people read, without code and math: in it alert words are looked for. */
  text: string
  /** A status message: it begins with `/me ` and shows as paragraphs. */
  isMe: boolean
}
