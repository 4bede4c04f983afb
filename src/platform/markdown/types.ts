/** A user to mention. Mentions of deactivated users are silent. */
export interface MentionedUser {
  id: number
  fullName: string
  isActive: boolean
}

export interface MentionedGroup {
  id: number
  /** The name in the source: `crew`, `role:members`. */
  name: string
  /** The name to show; differs from `name` for system groups. */
  displayName: string
  isSystem: boolean
  /** Whether the author may mention it (`can_mention_group`). Silent mentions need no permission. */
  mentionable: boolean
  deactivated: boolean
}

/** An uploaded file, with what its preview needs. */
export interface KnownUpload {
  contentType: string
  name: string
  /** The size of an image in pixels, if known. */
  width?: number
  height?: number
  animated?: boolean
  /**
   * Only for images that can be shown: false while the thumbnails are being made and a placeholder
   * is shown instead.
   */
  thumbnailed?: boolean
}

/**
 * The data that the renderer needs, as functions, so that it stays pure. They answer for the author
 * of the text: they return undefined for anything the author cannot see. Each is called only if
 * the text contains a construct that needs it.
 */
export interface Lookups {
  /** Active and deactivated users with exactly this full name, case-insensitively. */
  usersByName(name: string): readonly MentionedUser[]
  userById(id: number): MentionedUser | undefined
  groupByName(name: string): MentionedGroup | undefined
  channelByName(name: string): { id: number; name: string } | undefined
  /** The newest message of the topic that the author can access; undefined if there is none. */
  newestInTopic(channelId: number, topic: string): number | undefined
  /** The active custom emoji with this name. */
  customEmoji(name: string): { name: string; sourceUrl: string } | undefined
  /** In the organization's order: if two match the same text, the earlier one wins. */
  linkifiers: readonly Linkifier[]
  emptyTopicDisplayName: string
  /** The language of fenced code without one; empty for none. */
  defaultCodeLanguage: string
  /** The origin of this server, without a trailing slash; absolute links to it become relative. */
  realmUrl: string
  /** An upload by path ID (`2/ab/Kq/cat.png`); undefined if unknown: it gets no preview. */
  upload?(pathId: string): KnownUpload | undefined
  /**
   * The proxy URL from which clients fetch an external image or video; undefined: no preview.
   * Without this function, clients use the original URL.
   */
  externalContent?(url: string, kind: 'picture' | 'video'): string | undefined
  /** A web page; undefined: nothing is known about it, so its link gets no card. */
  card?: ((url: string) => PageCard | undefined) | undefined
  translateEmoticons: boolean
  /** Whether links to images and videos get a preview. */
  previewsEnabled: boolean
}

/** What is known about a web page. */
export interface PageCard {
  readonly title: string
  /** Empty: none. */
  readonly description: string
  /** The URL from which clients load its picture; undefined: it has none. */
  readonly picture: string | undefined
}

export interface Linkifier {
  id: number
  /** In RE2 syntax, with named groups `(?P<id>…)`. */
  pattern: string
  /** An RFC 6570 template with the names of the groups. */
  urlTemplate: string
}

export interface RenderedMarkdown {
  html: string
  /** The users and groups to notify, without silent mentions and mentions in quotes; IDs unique. */
  mentions: {
    userIds: number[]
    groupIds: number[]
    /** Groups that the author has no permission to mention; shown as plain text. */
    refusedGroups: MentionedGroup[]
    channelWildcard: boolean
    topicWildcard: boolean
  }
  links: {
    hasLink: boolean
    /** Whether an image is shown, uploaded or external. */
    hasImage: boolean
    /** The unescaped path IDs (`2/ab/Kq/cat.png`) of the linked uploads, unique. */
    uploads: string[]
    /** The first external web pages that are linked outside quotes: their links may get cards. */
    pages: string[]
  }
  /** The visible text without code blocks and math, in which alert words are searched. */
  text: string
  /** Whether it is a status message: it starts with `/me ` and consists of paragraphs. */
  isMe: boolean
}
