/**
 * The neutral stream: every source converts its files to it, and the writer knows nothing else
 * about them.
 *
 * Things have keys: the source's own IDs as text, unique among things of their kind. They refer to
 * each other by keys. Items may come in any order, as long as everything to which a message, a
 * membership or a file refers comes first. Only references to messages may lead to later ones.
 */

/** The key of a thing in the source, unique among things of its kind. At most 200 characters. */
export type Key = string

/** Bytes of a file, read when the importer wants them: immediately, or not at all in a trial. */
export interface Body {
  (): AsyncIterable<Uint8Array>
  /** Whether the other system has them: a trial only tries the first one of a kind. */
  readonly isElsewhere?: boolean
}

/**
 * Text in Markdown. Names of people, channels and messages are references, because only the writer
 * knows their names and IDs: never write a mention or a link to a message yourself.
 */
export type Content = string | readonly (string | Reference)[]

export type Reference =
  /** A mention of a person; silent: it notifies nobody. `text` stands for an unknown user. */
  | { readonly person: Key; readonly silent?: boolean; readonly text?: string }
  /** A mention of a group. */
  | { readonly group: Key; readonly silent?: boolean; readonly text?: string }
  /** A mention of all subscribers. */
  | { readonly everyone: true }
  /** A link to a channel. */
  | { readonly channel: Key; readonly text?: string }
  /** A link to a message; `url` is where the source had it, for a message that is not imported. */
  | { readonly message: Key; readonly text: string; readonly url?: string }
  /** A link to a topic of the item `thread`. */
  | { readonly thread: Key; readonly text: string }
  /** An address of this server, without the host. */
  | { readonly path: string }
  /** A link to a file of the item `file`; a picture is shown. */
  | { readonly file: Key; readonly text?: string }

/**
 * Who is allowed something: the key of a group. `role:owners`, `role:administrators`, `role:moderators`,
 * `role:fullmembers`, `role:members`, `role:everyone`, `role:internet` and `role:nobody` always exist.
 */
export type GroupKey = Key

export const personRoles = ['owner', 'admin', 'moderator', 'member', 'guest'] as const

/** The organization itself: at most one item, before all others. */
export interface OrganizationItem {
  readonly type: 'organization'
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** In seconds since the epoch. */
  readonly created?: number | undefined
  /**
   * By the names of organization settings; values that no setting allows are left out and reported.
   */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Group settings of the organization, by their names. */
  readonly permissions?: Readonly<Record<string, GroupKey>>
  /** Channels that settings name, by the settings' names. */
  readonly channelSettings?: Readonly<Record<string, Key | null>>
  /** Defaults of user settings, by their names. */
  readonly userDefaults?: Readonly<Record<string, unknown>>
  readonly pictures?: Readonly<Partial<Record<'icon' | 'logo' | 'night_logo', Body>>>
  /** The domain of addresses such as `user7@domain`, which stand for hidden ones. */
  readonly placeholderDomain?: string | undefined
  /** IDs to keep for system groups and the server's bots, all by name. */
  readonly systemIds?:
    | {
        readonly groups: Readonly<Record<string, number>>
        readonly bots: Readonly<Record<string, number>>
      }
    | undefined
}

/** A person, or a bot. */
export interface PersonItem {
  readonly type: 'person'
  readonly key: Key
  /** The ID to keep; either all people of a source have one or none has. */
  readonly id?: number
  /** Empty: unknown. */
  readonly name: string
  /** Undefined: the source does not have it, and the importer makes a placeholder. */
  readonly email?: string | undefined
  /** The address that the API showed instead, if that is another. */
  readonly apiEmail?: string | undefined
  readonly role: (typeof personRoles)[number]
  readonly isActive: boolean
  /** The name of a bot of the server, such as `notification-bot`. */
  readonly systemBot?: string | undefined
  readonly bot?:
    | {
        readonly kind: 'generic' | 'incomingWebhook' | 'outgoingWebhook' | 'embedded'
        readonly owner?: Key | undefined
        /** Where an outgoing webhook posts to. */
        readonly service?: { readonly url: string; readonly format: 'zulip' | 'slack' } | undefined
        readonly options?: Readonly<Record<string, string>> | undefined
        readonly storage?: Readonly<Record<string, string>> | undefined
        readonly sendsTo?: Key | undefined
        readonly hearsFrom?: Key | undefined
      }
    | undefined
  readonly timezone?: string | undefined
  /** In seconds since the epoch. */
  readonly joined?: number | undefined
  readonly avatar?: Body | undefined
  /** By the names of user settings; only what differs from the organization's defaults counts. */
  readonly settings?: Readonly<Record<string, unknown>>
}

export interface GroupItem {
  readonly type: 'group'
  readonly key: Key
  readonly id?: number
  /** Null: an anonymous group, the value of one setting. */
  readonly name: string | null
  readonly description?: string | undefined
  /** The name of the system group that it is, such as `role:members`; it has no members here. */
  readonly system?: string | undefined
  readonly creator?: Key | undefined
  readonly created?: number | undefined
  readonly isActive?: boolean
  readonly members?: readonly Key[]
  readonly subgroups?: readonly GroupKey[]
  /** Group settings of the group, by their names. */
  readonly permissions?: Readonly<Record<string, GroupKey>>
}

/** A folder of channels; folders come in the order in which they are shown. */
export interface FolderItem {
  readonly type: 'folder'
  readonly key: Key
  readonly id?: number
  readonly name: string
  readonly description?: string | undefined
  readonly creator?: Key | undefined
  readonly created?: number | undefined
  readonly isArchived?: boolean
}

export interface ChannelItem {
  readonly type: 'channel'
  readonly key: Key
  readonly id?: number
  /** Cut to 60 characters and made unique. */
  readonly name: string
  readonly description?: Content | undefined
  readonly creator?: Key | undefined
  readonly created?: number | undefined
  readonly folder?: Key | undefined
  readonly isPrivate?: boolean
  readonly isWebPublic?: boolean
  /** Whether subscribers see earlier messages. Default: true. */
  readonly hasPublicHistory?: boolean
  readonly isArchived?: boolean
  /** Whether new people are subscribed. */
  readonly isDefault?: boolean
  /** Null: the organization's; -1: for ever. */
  readonly retentionDays?: number | null
  readonly topicsPolicy?:
    | 'inherit'
    | 'allow_empty_topic'
    | 'disable_empty_topic'
    | 'empty_topic_only'
  /** Group settings of the channel, by their names. */
  readonly permissions?: Readonly<Record<string, GroupKey>>
}

/** A current or former subscription of a person to a channel. */
export interface MembershipItem {
  readonly type: 'membership'
  readonly channel: Key
  readonly person: Key
  /** Default: true. */
  readonly isActive?: boolean
  readonly isMuted?: boolean
  readonly isPinned?: boolean
  /** As `#76ce90`; chosen by default. */
  readonly color?: string | undefined
  /** True or false for some notifications; the others are the person's. */
  readonly notifications?: Readonly<
    Partial<Record<'desktop' | 'audible' | 'push' | 'email' | 'wildcardMentions', boolean | null>>
  >
  /**
   * The moment up to which they have read everything; later messages are unread. Default: all are
   * read.
   */
  readonly readUpTo?: Moment
}

/** A moment between messages: after the message with a kept ID, or after all of a time in seconds. */
export type Moment =
  | { readonly messageId: number; readonly time?: number }
  | { readonly time: number }

/**
 * A period in which a person was subscribed to a channel. Without any, a person counts as
 * subscribed from the first message on, until the last or until now.
 */
export interface SpanItem {
  readonly type: 'span'
  readonly channel: Key
  readonly person: Key
  /** Undefined: from the first message on. */
  readonly from?: Moment
  /** Undefined: still. */
  readonly until?: Moment
}

/** Custom emoji. */
export interface EmojiItem {
  readonly type: 'emoji'
  readonly key: Key
  readonly id?: number
  readonly name: string
  readonly author?: Key | undefined
  readonly isActive?: boolean
  readonly picture: Body
}

/** Files that were uploaded. */
export interface FileItem {
  readonly type: 'file'
  readonly key: Key
  readonly name: string
  readonly contentType?: string | undefined
  readonly owner?: Key | undefined
  /** In seconds since the epoch. */
  readonly created?: number | undefined
  readonly body: Body
  /** In bytes, if it is known: then a trial does not read it. */
  readonly size?: number | undefined
  /** The part after `/user_uploads/` in texts, if it is to be kept. */
  readonly path?: string | undefined
  /** The messages that show it, if their content does not refer to it. */
  readonly messages?: readonly Key[]
}

/** A direct conversation: of one person with themselves, of two, or of a group. */
export interface ConversationItem {
  readonly type: 'conversation'
  readonly key: Key
  readonly members: readonly Key[]
}

/** A topic with a name to be found: cut to 60 characters and made unique in its channel. */
export interface ThreadItem {
  readonly type: 'thread'
  readonly key: Key
  readonly channel: Key
  readonly title: string
}

export type MessageLocation =
  | { readonly channel: Key; readonly topic: string }
  | { readonly thread: Key }
  | { readonly conversation: Key }

export interface MessageItem {
  readonly type: 'message'
  readonly key: Key
  /** The ID to keep; either all messages of a source have one or none has. */
  readonly id?: number
  /** In seconds since the epoch; a fraction orders messages of one second. */
  readonly time: number
  /** Someone unknown becomes a deactivated placeholder. */
  readonly sender: Key
  readonly place: MessageLocation
  readonly content: Content
  /** The name of the program that sent it. Default: the source's name. */
  readonly client?: string | undefined
  /** The part after the host in old links to it, such as `archives/C1/p1600000000000100`. */
  readonly link?: string | undefined
  /** Oldest first. */
  readonly edits?: readonly Edit[]
  /** When it was last changed, if the source has no `edits`: in seconds since the epoch. */
  readonly edited?: number | undefined
  readonly reactions?: readonly Reaction[]
  /** The people who starred it. */
  readonly starredBy?: readonly Key[]
  /** People by the names that its mentions have and that they no longer bear. */
  readonly formerNames?: Readonly<Record<string, Key>>
  /** Whether it mentions all subscribers; found in the content by default. */
  readonly mentionsChannel?: boolean
}

/** A change of a message. */
export interface Edit {
  /** In seconds since the epoch. */
  readonly time: number
  readonly by?: Key | undefined
  /** The earlier text. */
  readonly content?: Content
  readonly topic?: { readonly from: string; readonly to: string }
  readonly channel?: { readonly from: Key; readonly to: Key }
}

/** An emoji: by its code points such as `1f44d` or `1f1e9-1f1ea`, by its name, or a custom one. */
export type EmojiRef =
  | { readonly code: string; readonly name?: string }
  | { readonly name: string }
  | { readonly custom: Key }

export interface Reaction {
  readonly person: Key
  readonly emoji: EmojiRef
}

/** A reaction that comes separately from its message. */
export interface ReactionItem extends Reaction {
  readonly type: 'reaction'
  readonly message: Key
}

/** The flags of a message for one person. */
export interface FlagsItem {
  readonly type: 'flags'
  readonly message: Key
  readonly person: Key
  readonly isUnread?: boolean
  readonly isStarred?: boolean
  readonly isCollapsed?: boolean
  /** These three are found in the content, unless the source says `statesMentions`. */
  readonly isMentioned?: boolean
  readonly hasTopicWildcard?: boolean
  readonly hasAlertWord?: boolean
}

/** A step of a poll or a to-do list. */
export interface SubmessageItem {
  readonly type: 'submessage'
  readonly message: Key
  readonly person: Key
  /** JSON text. */
  readonly content: string
}

export interface LinkifierItem {
  readonly type: 'linkifier'
  readonly pattern: string
  readonly urlTemplate: string
}

export interface PlaygroundItem {
  readonly type: 'playground'
  readonly name: string
  readonly language: string
  readonly urlTemplate: string
}

export interface DomainItem {
  readonly type: 'domain'
  readonly domain: string
  readonly allowSubdomains: boolean
}

export interface ProfileFieldItem {
  readonly type: 'profileField'
  readonly key: Key
  readonly id?: number
  readonly name: string
  readonly hint?: string
  /** 1 to 8. @source Zulip API, "Create a custom profile field" */
  readonly kind: number
  readonly data?: Readonly<Record<string, unknown>>
  readonly isInSummary?: boolean
  readonly isRequired?: boolean
  readonly isEditable?: boolean
}

/** The value of a person's profile field; for a field of people the keys of these people. */
export interface ProfileValueItem {
  readonly type: 'profileValue'
  readonly person: Key
  readonly field: Key
  readonly value: string | readonly Key[]
}

export interface TopicPolicyItem {
  readonly type: 'topicPolicy'
  readonly person: Key
  readonly channel: Key
  readonly topic: string
  readonly policy: 'muted' | 'unmuted' | 'followed'
  readonly changed?: number | undefined
}

export interface MutedPersonItem {
  readonly type: 'mutedPerson'
  readonly person: Key
  readonly muted: Key
  readonly since?: number | undefined
}

export interface AlertWordItem {
  readonly type: 'alertWord'
  readonly person: Key
  readonly word: string
}

export interface PresenceItem {
  readonly type: 'presence'
  readonly person: Key
  /** When they were last active and last connected, in seconds since the epoch. */
  readonly active?: number | undefined
  readonly connected?: number | undefined
}

export interface StatusItem {
  readonly type: 'status'
  readonly person: Key
  readonly text: string
  readonly emoji?: EmojiRef | undefined
}

export interface SnippetItem {
  readonly type: 'snippet'
  readonly person: Key
  readonly title: string
  readonly content: string
  readonly created?: number | undefined
}

export interface NavigationViewItem {
  readonly type: 'navigationView'
  readonly person: Key
  readonly fragment: string
  readonly isPinned: boolean
  readonly name: string | null
}

/** A message to be sent later. */
export interface ScheduledItem {
  readonly type: 'scheduled'
  readonly person: Key
  readonly to:
    | { readonly channel: Key; readonly topic: string }
    | { readonly people: readonly Key[] }
  readonly content: string
  /** In seconds since the epoch. */
  readonly due: number
  readonly failed?: boolean
}

export interface ReminderItem {
  readonly type: 'reminder'
  readonly person: Key
  readonly message: Key
  readonly note: string
  readonly due: number
}

/** One thing of an organization, from a source. */
export type Item =
  | OrganizationItem
  | PersonItem
  | GroupItem
  | FolderItem
  | ChannelItem
  | MembershipItem
  | SpanItem
  | EmojiItem
  | FileItem
  | ConversationItem
  | ThreadItem
  | MessageItem
  | ReactionItem
  | FlagsItem
  | SubmessageItem
  | LinkifierItem
  | PlaygroundItem
  | DomainItem
  | ProfileFieldItem
  | ProfileValueItem
  | TopicPolicyItem
  | MutedPersonItem
  | AlertWordItem
  | PresenceItem
  | StatusItem
  | SnippetItem
  | NavigationViewItem
  | ScheduledItem
  | ReminderItem
