import type {
  NewWireMessage,
  WireChannel,
  WireGroup,
  WireGroupSetting,
  WireMessage,
  WireSubscription,
  WireUser,
} from '#client/api/wire.ts'
import type {
  Channel,
  Conversation,
  Group,
  GroupSetting,
  Message,
  MessageFlag,
  Permissions,
  Presence,
  Reaction,
  Subscription,
  TopicPolicy,
  User,
  UserStatus,
  VisibilityPolicy,
} from './model.ts'

/** The conversation of these people, as one of them sees it. */
export function directConversation(userIds: readonly number[], selfId: number): Conversation {
  const others = [...new Set(userIds)].filter((id) => id !== selfId).sort((a, b) => a - b)
  return { kind: 'direct', userIds: others.length > 0 ? others : [selfId] }
}

export function topicConversation(channelId: number, topic: string): Conversation {
  return { kind: 'topic', channelId, topic }
}

/** @param flags of a message in an event, which has them beside it */
export function messageFromWire(
  wire: WireMessage | NewWireMessage,
  selfId: number,
  flags: readonly MessageFlag[] = 'flags' in wire ? wire.flags : [],
): Message {
  return {
    id: wire.id,
    senderId: wire.sender_id,
    senderName: wire.sender_full_name,
    senderAvatarUrl: wire.avatar_url,
    conversation: conversationOf(wire, selfId),
    html: wire.content,
    isMe: wire.is_me_message,
    timestamp: wire.timestamp,
    editedAt: wire.last_edit_timestamp,
    movedAt: wire.last_moved_timestamp,
    flags: new Set(flags),
    reactions: wire.reactions.map(reactionFromWire),
    submessages: wire.submessages.map(({ id, sender_id, content }) => ({
      id,
      senderId: sender_id,
      content,
    })),
    topicLinks: wire.topic_links,
    client: wire.client,
  }
}

function conversationOf(wire: NewWireMessage, selfId: number): Conversation {
  const { stream_id, subject, display_recipient } = wire
  if (stream_id !== undefined) return topicConversation(stream_id, subject)
  const people = typeof display_recipient === 'string' ? [] : display_recipient
  return directConversation(
    people.map(({ id }) => id),
    selfId,
  )
}

export function reactionFromWire(wire: NewWireMessage['reactions'][number]): Reaction {
  const { emoji_name, emoji_code, user_id } = wire
  return {
    name: emoji_name,
    code: emoji_code,
    type: reactionType(wire.reaction_type),
    userId: user_id,
  }
}

function reactionType(type: string): Reaction['type'] {
  return type === 'unicode_emoji' || type === 'realm_emoji' ? type : 'zulip_extra_emoji'
}

/** A user of the register reply, whose list says whether they are active, or of an event. */
export function userFromWire(wire: Omit<WireUser, 'is_active'>, isActive: boolean): User {
  return {
    id: wire.user_id,
    name: wire.full_name,
    email: wire.email,
    deliveryEmail: wire.delivery_email,
    role: wire.role,
    isBot: wire.is_bot,
    isSystemBot: wire.is_system_bot === true,
    botType: wire.bot_type,
    isActive,
    ownerId: wire.bot_owner_id,
    avatarUrl: wire.avatar_url,
    timezone: wire.timezone,
    dateJoined: wire.date_joined,
    profile: Object.fromEntries(
      Object.entries(wire.profile_data ?? {}).map(([id, value]) => [id, profileValue(value)]),
    ),
  }
}

export function profileValue(wire: {
  readonly value: string
  readonly rendered_value?: string | undefined
}): { value: string; rendered?: string } {
  const { value, rendered_value } = wire
  return rendered_value === undefined ? { value } : { value, rendered: rendered_value }
}

export function channelFromWire(wire: WireChannel): Channel {
  return {
    id: wire.stream_id,
    name: wire.name,
    description: wire.description,
    descriptionHtml: wire.rendered_description,
    isPrivate: wire.invite_only,
    isWebPublic: wire.is_web_public,
    isArchived: wire.is_archived,
    historyIsPublic: wire.history_public_to_subscribers,
    folderId: wire.folder_id,
    topicsPolicy: wire.topics_policy,
    creatorId: wire.creator_id,
    dateCreated: wire.date_created,
    firstMessageId: wire.first_message_id,
    isRecentlyActive: wire.is_recently_active,
    subscriberCount: wire.subscriber_count,
    weeklyTraffic: wire.stream_weekly_traffic,
    retentionDays: wire.message_retention_days,
    defaultPushNotifications: wire.default_push_notifications ?? false,
    permissions: permissionsFromWire(wire),
  }
}

/** The permission settings among the properties of a channel or group, or among changes of them. */
export function permissionsFromWire(wire: object): Permissions {
  return Object.fromEntries(
    Object.entries(wire)
      .filter(([name, value]) => isPermission(name) && value !== undefined)
      .map(([name, value]) => [name, settingFromWire(value as WireGroupSetting)]),
  )
}

/** Whether a property of a channel or group is one of its permission settings. */
export function isPermission(name: string): boolean {
  return name.startsWith('can_') && name.endsWith('_group')
}

export function settingFromWire(wire: WireGroupSetting): number | GroupSetting {
  if (typeof wire === 'number') return wire
  return { members: wire.direct_members, subgroups: wire.direct_subgroups }
}

export function subscriptionFromWire(
  wire: Pick<WireSubscription, 'stream_id' | keyof typeof subscriptionNames>,
): Subscription {
  return {
    channelId: wire.stream_id,
    color: wire.color,
    isMuted: wire.is_muted,
    isPinned: wire.pin_to_top,
    desktopNotifications: wire.desktop_notifications,
    audibleNotifications: wire.audible_notifications,
    pushNotifications: wire.push_notifications,
    emailNotifications: wire.email_notifications,
    wildcardMentionsNotify: wire.wildcard_mentions_notify,
  }
}

/** The settings of a subscription by their names on the wire. */
export const subscriptionNames = {
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Readonly<Partial<Record<keyof WireSubscription, keyof Subscription>>>

export function groupFromWire(wire: WireGroup): Group {
  return {
    id: wire.id,
    name: wire.name,
    description: wire.description,
    isSystem: wire.is_system_group,
    isDeactivated: wire.deactivated,
    memberIds: new Set(wire.members),
    subgroupIds: new Set(wire.direct_subgroup_ids),
    creatorId: wire.creator_id,
    dateCreated: wire.date_created,
    permissions: permissionsFromWire(wire),
  }
}

export function topicPolicyFromWire(wire: {
  readonly stream_id: number
  readonly topic_name: string
  readonly visibility_policy: VisibilityPolicy
  readonly last_updated: number
}): TopicPolicy {
  return {
    channelId: wire.stream_id,
    topic: wire.topic_name,
    policy: wire.visibility_policy,
    changedAt: wire.last_updated,
  }
}

export function presenceFromWire(wire: {
  readonly active_timestamp: number
  readonly idle_timestamp: number
}): Presence {
  return { activeAt: wire.active_timestamp, idleAt: wire.idle_timestamp }
}

export interface WireStatus {
  readonly scheduled_end_time?: number | null | undefined
  readonly status_text?: string | undefined
  readonly emoji_name?: string | undefined
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

/** The status after a change; undefined: it is empty. */
export function statusFromWire(
  wire: WireStatus,
  before: UserStatus | undefined = undefined,
): UserStatus | undefined {
  const text = wire.status_text ?? before?.text ?? ''
  const emojiName = wire.emoji_name ?? before?.emojiName ?? ''
  const { scheduled_end_time: endsAt = before?.endsAt ?? null } = wire
  if (emojiName === '') {
    if (text === '') return undefined
    return { text, emojiName, emojiCode: '', reactionType: 'unicode_emoji', endsAt }
  }
  const emojiCode = wire.emoji_code ?? before?.emojiCode ?? ''
  const type = wire.reaction_type ?? before?.reactionType ?? 'unicode_emoji'
  return { text, emojiName, emojiCode, reactionType: reactionType(type), endsAt }
}
