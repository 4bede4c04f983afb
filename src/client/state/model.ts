/**
 * The client's model of the data, in its own terms. The wire's names (`stream_id`, `subject`) end
 * where replies and events are read: in `from-wire.ts` and in the event handlers.
 */

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
export type Role = 100 | 200 | 300 | 400 | 600

export interface User {
  readonly id: number
  readonly name: string
  /** The API address, which can also be used for direct messages. */
  readonly email: string
  /** The real address; null: it may not be seen. */
  readonly deliveryEmail: string | null
  readonly role: Role
  readonly isBot: boolean
  readonly isSystemBot: boolean
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people. */
  readonly botType: number | null
  readonly isActive: boolean
  readonly ownerId: number | null
  readonly avatarUrl: string
  /** An IANA name, or empty. */
  readonly timezone: string
  readonly dateJoined: string
  /** By the id of the custom profile field. */
  readonly profile: Readonly<Record<string, { value: string; rendered?: string }>>
}

export interface GroupSetting {
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
}

/** The holders of a permission: a group, or people and groups. */
export type Permissions = Readonly<Record<string, number | GroupSetting>>

export interface Group {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly isSystem: boolean
  readonly isDeactivated: boolean
  readonly memberIds: ReadonlySet<number>
  readonly subgroupIds: ReadonlySet<number>
  readonly creatorId: number | null
  /** Seconds since the epoch; null for groups as old as the organization. */
  readonly dateCreated: number | null
  /** Permission settings by their name on the wire, such as `can_mention_group`. */
  readonly permissions: Permissions
}

export interface Channel {
  readonly id: number
  readonly name: string
  /** The Markdown source. */
  readonly description: string
  readonly descriptionHtml: string
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  readonly isArchived: boolean
  readonly historyIsPublic: boolean
  readonly folderId: number | null
  readonly topicsPolicy:
    | 'inherit'
    | 'allow_empty_topic'
    | 'disable_empty_topic'
    | 'empty_topic_only'
  readonly creatorId: number | null
  readonly dateCreated: number
  readonly firstMessageId: number | null
  readonly isRecentlyActive: boolean
  readonly subscriberCount: number
  readonly weeklyTraffic: number | null
  /** Null: as in the organization; -1: messages are kept forever. */
  readonly retentionDays: number | null
  /** Whether phones of new subscribers are notified of every message. */
  readonly defaultPushNotifications: boolean
  /** Permission settings by their name on the wire, such as `can_send_message_group`. */
  readonly permissions: Permissions
}

/** The user's own settings of a channel that they are subscribed to. */
export interface Subscription {
  readonly channelId: number
  /** As `#rrggbb`. */
  readonly color: string
  readonly isMuted: boolean
  readonly isPinned: boolean
  readonly desktopNotifications: boolean | null
  readonly audibleNotifications: boolean | null
  readonly pushNotifications: boolean | null
  readonly emailNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
}

export interface Reaction {
  readonly name: string
  readonly code: string
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji'
  readonly userId: number
}

export interface Submessage {
  readonly id: number
  readonly senderId: number
  /** JSON text. */
  readonly content: string
}

export type MessageFlag =
  | 'read'
  | 'starred'
  | 'collapsed'
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  | 'wildcard_mentioned'
  | 'has_alert_word'
  | 'hide_link_previews'
  | 'historical'

export interface TopicLink {
  readonly text: string
  readonly url: string
}

/** A message that the server has. It never changes: an event puts a new one in its place. */
export interface Message {
  readonly id: number
  readonly senderId: number
  /** The sender as of when the message was fetched, for senders that the client does not know. */
  readonly senderName: string
  readonly senderAvatarUrl: string
  readonly conversation: Conversation
  /** HTML that the server rendered. */
  readonly html: string
  readonly isMe: boolean
  /** Seconds since the epoch, as all times here. */
  readonly timestamp: number
  readonly editedAt: number | undefined
  readonly movedAt: number | undefined
  readonly flags: ReadonlySet<MessageFlag>
  readonly reactions: readonly Reaction[]
  readonly submessages: readonly Submessage[]
  readonly topicLinks: readonly TopicLink[]
  /** The name of the program that sent it. */
  readonly client: string
}

/** The conversation of a message. */
export type Conversation =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | {
      readonly kind: 'direct'
      /** The others, ascending; the user's own id alone for messages to oneself. */
      readonly userIds: readonly number[]
    }

/** Identifies a conversation; topics that differ in case only are the same. */
export function conversationKey(conversation: Conversation): string {
  return conversation.kind === 'topic'
    ? `${conversation.channelId}:${conversation.topic.toLowerCase()}`
    : `dm:${conversation.userIds.join(',')}`
}

export function sameConversation(a: Conversation, b: Conversation): boolean {
  return conversationKey(a) === conversationKey(b)
}

/** 0 inherit, 1 muted, 2 unmuted, 3 followed. */
export type VisibilityPolicy = 0 | 1 | 2 | 3

/** The user's policy for a topic. */
export interface TopicPolicy {
  readonly channelId: number
  readonly topic: string
  readonly policy: VisibilityPolicy
  /** Seconds since the epoch. */
  readonly changedAt: number
}

export interface Presence {
  /** Seconds since the epoch; 0 for never. */
  readonly activeAt: number
  readonly idleAt: number
}

export interface UserStatus {
  readonly text: string
  readonly emojiName: string
  readonly emojiCode: string
  readonly reactionType: Reaction['type']
  /** When it clears itself, in seconds since the epoch; null: never. */
  readonly endsAt: number | null
}

/** An emoji that can be used in messages and reactions. */
export interface Emoji {
  readonly name: string
  readonly code: string
  readonly type: Reaction['type']
  /** The characters of a Unicode emoji. */
  readonly text?: string
  /** The picture of a custom one. */
  readonly url?: string
}
