import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type {
  ChannelFolder,
  Draft,
  FeatureEvent,
  NavigationView,
  PinnedMessage,
  RegisterReply,
  Reminder,
  SavedSnippet,
  ScheduledMessage,
  UserSettings,
} from '#client/api/wire.ts'
import type {
  Channel,
  Conversation,
  Group,
  Message,
  Presence,
  Subscription,
  TopicPolicy,
  User,
  UserStatus,
} from './model.ts'
import type { Table } from './table.ts'

/**
 * The client's data: always a consistent snapshot of the server's. Events and optimistic changes
 * are applied by the same functions, synchronously, one batch a poll.
 */
export interface Store {
  readonly selfId: number
  /** The organization and the server: members of the register reply by their wire names. */
  readonly realm: ReadonlySignal<Realm>
  readonly settings: ReadonlySignal<UserSettings>
  readonly users: Table<number, User>
  readonly groups: Table<number, Group>
  readonly channels: Table<number, Channel>
  readonly subscriptions: Table<number, Subscription>
  /** The ids of subscribers by channel, as far as known; complete if `all` is true. */
  readonly subscribers: Table<number, { readonly ids: ReadonlySet<number>; readonly all: boolean }>
  readonly folders: Table<number, ChannelFolder>
  readonly messages: Table<number, Message>
  /** The newest message that is known to exist. It goes back with a server that was restored. */
  readonly newestId: number
  /** Tells the server's data from those of a backup of them; null: the server does not say. */
  readonly dataId: string | null
  /** Whether `realm_bots` is what the server has: their keys are not stored for the next page. */
  readonly areBotsKnown: boolean
  readonly unreads: Unreads
  /** Ids of starred messages. */
  readonly starred: ReadonlySignal<ReadonlySet<number>>
  /** By `conversationKey`. */
  readonly topicPolicies: Table<string, TopicPolicy>
  readonly mutedUsers: ReadonlySignal<ReadonlySet<number>>
  readonly presences: Table<number, Presence>
  readonly statuses: Table<number, UserStatus>
  /**
   * People who are typing, by `conversationKey`, with the time at which that ends, in milliseconds.
   */
  readonly typing: Table<string, ReadonlyMap<number, number>>
  /** Messages that their sender is editing, with the time at which that ends, in milliseconds. */
  readonly editTyping: Table<number, number>
  readonly recent: RecentConversations
  readonly alertWords: ReadonlySignal<readonly string[]>
  readonly drafts: Table<number, Draft>
  readonly snippets: Table<number, SavedSnippet>
  readonly scheduled: Table<number, ScheduledMessage>
  readonly reminders: Table<number, Reminder>
  readonly navigationViews: Table<string, NavigationView>
  /** Pinned messages by place (`commands/pins.ts`), as last fetched. */
  readonly pins: Table<string, readonly PinnedMessage[]>
  /** The number of changes of a list that only settings fetch: views of it fetch it again. */
  readonly revisions: Table<FetchedList, number>

  /** Applies the events of one poll. */
  apply(events: readonly FeatureEvent[]): void
  /** Adds fetched messages, keeping the stored copy of those that are known. */
  addMessages(messages: readonly Message[]): void
  /**
   * Keeps messages in memory for as long as `ids` names them. Only the newest of the others stay.
   *
   * @param ids called when others are about to be forgotten: it may let go of some first
   * @returns a function that ends it
   */
  holdMessages(ids: () => Iterable<number>): () => void
  /** Called after events or fetches were applied, with the changes of messages. */
  onMessages(listener: (change: MessageChange) => void): () => void
  /** Loads all subscribers of a channel, if only some were known. */
  takeSubscribers(channelId: number, ids: readonly number[]): void
  /** Applies the answer to a presence report. */
  takePresences(presences: readonly (readonly [number, Presence])[]): void
  /** Loads the user's bots, if they were not known. */
  takeBots(bots: Realm['realm_bots']): void
  /** Starts again from another registration, keeping unchanged parts. */
  restart(reply: RegisterReply): void
}

/** Lists that are fetched when they are opened. */
export type FetchedList =
  | 'attachments'
  | 'invites'
  | 'exports'
  | 'export-consents'
  | 'pins'
  | 'server'

/** The changes of messages, for lists that show them. */
export type MessageChange =
  | { readonly kind: 'new'; readonly message: Message; readonly localId: string | undefined }
  | {
      readonly kind: 'changed'
      readonly ids: readonly number[]
      /** The message before someone edited it. */
      readonly before?: Message
    }
  | { readonly kind: 'deleted'; readonly ids: readonly number[] }
  | {
      readonly kind: 'moved'
      readonly ids: readonly number[]
      readonly from: Conversation
      readonly to: Conversation
      /** Whether the complete conversation moved, so that open views and drafts should follow. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'restart' }

/**
 * Members of the register reply that start with `realm_`, `server_`, `zulip_` or `max_`, and the
 * user's own account and rights, updated by events. `realm_emoji` has deactivated ones as well.
 */
export type Realm = Readonly<Omit<RegisterReply, KeptElsewhere>>

/** Members of the register reply that other members of the store have. */
export type KeptElsewhere =
  | 'queue_id'
  | 'last_event_id'
  | 'realm_users'
  | 'realm_non_active_users'
  | 'cross_realm_bots'
  | 'user_settings'
  | 'subscriptions'
  | 'unsubscribed'
  | 'never_subscribed'
  | 'channel_folders'
  | 'realm_user_groups'
  | 'recent_private_conversations'
  | 'max_message_id'
  | 'unread_msgs'
  | 'starred_messages'
  | 'user_topics'
  | 'muted_users'
  | 'user_status'
  | 'presences'
  | 'presence_last_update_id'
  | 'server_timestamp'
  | 'alert_words'
  | 'drafts'
  | 'saved_snippets'
  | 'scheduled_messages'
  | 'reminders'
  | 'navigation_views'

/** Unread messages by conversation. */
export interface Unreads {
  /** Ids of unread messages, ascending. */
  idsOf(conversation: Conversation): readonly number[]
  countOf(conversation: Conversation): number
  /** Unread messages that count: without muted topics and channels, by the policies. */
  readonly counts: ReadonlySignal<UnreadCounts>
  /** Every conversation with unread messages, muted ones too. */
  readonly conversations: ReadonlySignal<readonly UnreadConversation[]>
  /** The conversation of an unread message. */
  find(messageId: number): Conversation | undefined
  readonly mentions: ReadonlySignal<ReadonlySet<number>>
  /** Whether there are older ones that the server did not list. */
  readonly isIncomplete: ReadonlySignal<boolean>
}

export interface UnreadCounts {
  /** The count for the title and the icon: direct messages and channels that are not muted. */
  readonly total: number
  readonly mentions: number
  readonly direct: number
  readonly channels: ReadonlyMap<number, number>
}

export interface UnreadConversation {
  readonly conversation: Conversation
  readonly count: number
  readonly newestId: number
  readonly hasMention: boolean
  /** Whether its messages count, by the policies of topic and channel. */
  readonly isMuted: boolean
}

/** Conversations by their newest known message. */
export interface RecentConversations {
  readonly direct: ReadonlySignal<readonly RecentConversation[]>
  /** Topics whose messages the client has seen, or that the server reported. */
  readonly topics: ReadonlySignal<readonly RecentConversation[]>
  /** Those of one channel, the newest first. Reading it subscribes. */
  topicsOf(channelId: number): readonly RecentConversation[]
  /** Loads the answer of `GET /users/me/{stream_id}/topics`. */
  learnTopics(
    channelId: number,
    topics: readonly { readonly name: string; readonly max_id: number }[],
  ): void
}

export interface RecentConversation {
  readonly conversation: Conversation
  readonly newestId: number
  /** The known ones, newest first. */
  readonly senderIds: readonly number[]
}

/** The state of the connection to the server. */
export type Connection =
  | { readonly state: 'connected' }
  /** `since` and `nextTry` in milliseconds since the epoch. */
  | { readonly state: 'reconnecting'; readonly since: number; readonly nextTry: number }
  | { readonly state: 'offline' }
  | { readonly state: 'logged-out' }

/** How far a client has followed its queue. */
export interface QueuePosition {
  readonly queueId: string
  readonly lastEventId: number
  /** The newest presence that the store has, for the next report. */
  readonly presenceUpdateId: number
}

/**
 * Follows a queue by a stream that brings its events immediately.
 *
 * @param take gets them; false: it wants no more
 * @returns whether the stream ended in good order, so that another one may begin immediately; otherwise
 *   a poll finds the problem, if there is one
 */
export type FollowQueue = (
  after: Pick<QueuePosition, 'queueId' | 'lastEventId'>,
  take: (events: readonly FeatureEvent[]) => boolean,
  signal: AbortSignal,
) => Promise<boolean>

/** @param after the newest event before these, of the same queue */
export type EventsListener = (events: readonly FeatureEvent[], after: number) => void

/** Registers, polls and applies events until stopped. */
export interface UpdateMachine {
  readonly connection: Signal<Connection>
  readonly store: Store
  /** The queue of the events, which sent messages name so that their events are recognised. */
  readonly queueId: string
  readonly position: QueuePosition
  /** Whether all events from before the page was opened are applied. */
  readonly isCaughtUp: ReadonlySignal<boolean>
  /** Calls it after the events of a poll were applied. */
  onEvents(listener: EventsListener): () => void
  /** Gets events by streams from now on, and by polls if streams do not get through. */
  useStreams(follow: FollowQueue): void
  /** Tries immediately: the network or the window came back. */
  wake(): void
  stop(): void
}
