import { ApiError } from '#platform/errors.ts'
import type { channels, userGroups } from '#platform/store/schema.ts'
import { roles } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { isInGroup, type Member, realmGroupSetting } from './membership.queries.ts'
import {
  type ChannelPermission,
  type GroupPermission,
  permissionRules,
  type RealmPermission,
} from './table.ts'

type Channel = typeof channels.$inferSelect
type Group = typeof userGroups.$inferSelect

const channelColumns = {
  can_add_subscribers_group: 'canAddSubscribersGroup',
  can_administer_channel_group: 'canAdministerChannelGroup',
  can_create_topic_group: 'canCreateTopicGroup',
  can_delete_any_message_group: 'canDeleteAnyMessageGroup',
  can_delete_own_message_group: 'canDeleteOwnMessageGroup',
  can_move_messages_out_of_channel_group: 'canMoveMessagesOutOfChannelGroup',
  can_move_messages_within_channel_group: 'canMoveMessagesWithinChannelGroup',
  can_remove_subscribers_group: 'canRemoveSubscribersGroup',
  can_resolve_topics_group: 'canResolveTopicsGroup',
  can_send_message_group: 'canSendMessageGroup',
  can_subscribe_group: 'canSubscribeGroup',
} as const satisfies Record<ChannelPermission, keyof Channel>

const groupColumns = {
  can_add_members_group: 'canAddMembersGroup',
  can_join_group: 'canJoinGroup',
  can_leave_group: 'canLeaveGroup',
  can_manage_group: 'canManageGroup',
  can_mention_group: 'canMentionGroup',
  can_remove_members_group: 'canRemoveMembersGroup',
} as const satisfies Record<GroupPermission, keyof Group>

/** The column that holds a channel's permission setting. */
export function channelColumn<P extends ChannelPermission>(setting: P): (typeof channelColumns)[P] {
  return channelColumns[setting]
}

/** The column that holds a group's permission setting. */
export function groupColumn<P extends GroupPermission>(setting: P): (typeof groupColumns)[P] {
  return groupColumns[setting]
}

/**
 * Whether a permission setting of the realm includes a user. Administrators get no exception here;
 * the caller adds one where it applies.
 */
export function can(read: Read, user: Member, setting: RealmPermission): boolean {
  if (!permissionRules.realm[setting].everyone && user.role === roles.guest) return false
  return isInGroup(read, user, realmGroupSetting(read, setting))
}

/** Whether a permission setting of a channel includes a user. */
export function canInChannel(
  read: Read,
  user: Member,
  setting: ChannelPermission,
  channel: Channel,
): boolean {
  if (!permissionRules.stream[setting].everyone && user.role === roles.guest) return false
  return isInGroup(read, user, channel[channelColumns[setting]])
}

/** Whether a permission setting of a user group includes a user. */
export function canInGroup(
  read: Read,
  user: Member,
  setting: GroupPermission,
  group: Group,
): boolean {
  const value = group[groupColumns[setting]]
  if (value === null) return false
  if (!permissionRules.group[setting].everyone && user.role === roles.guest) return false
  return isInGroup(read, user, value)
}

/** @throws UNAUTHORIZED_PRINCIPAL the user is not an organization administrator */
export function requireAdministrator(user: Pick<Member, 'role'>): void {
  if (user.role <= roles.admin) return
  throw new ApiError(
    'UNAUTHORIZED_PRINCIPAL',
    sentSentence('Must be an organization administrator'),
  )
}

/** @throws UNAUTHORIZED_PRINCIPAL the user is not an organization owner */
export function requireOwner(user: Pick<Member, 'role'>): void {
  if (user.role === roles.owner) return
  throw new ApiError('UNAUTHORIZED_PRINCIPAL', sentSentence('Must be an organization owner'))
}
