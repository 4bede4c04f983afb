/** The system groups, in the order in which a realm creates them. */
export const systemGroups = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const
export type SystemGroup = (typeof systemGroups)[number]

/** A default: a system group, or the anonymous group of whoever created the channel or group. */
export type DefaultGroup = SystemGroup | 'channel_creator' | 'group_creator'

export interface PermissionRule<D extends DefaultGroup = DefaultGroup> {
  readonly default: D
  /** Whether the setting may be `role:everyone`; if not, guests never hold the permission. */
  readonly everyone: boolean
  /** Whether the setting may be `role:nobody`. */
  readonly nobody: boolean
  /** System groups that it may not be, besides what the above rules out. */
  readonly never?: readonly SystemGroup[]
  /** The only values allowed, where not every group will do. */
  readonly onlySystemGroups?: readonly SystemGroup[]
  /** What system groups themselves have, where that differs. Group settings only. */
  readonly forSystemGroups?: SystemGroup
}

const rule = <D extends DefaultGroup>(
  defaultGroup: D,
  everyone: boolean,
  nobody: boolean,
  onlySystemGroups?: readonly SystemGroup[],
): PermissionRule<D> => ({
  default: defaultGroup,
  everyone,
  nobody,
  ...(onlySystemGroups && { onlySystemGroups }),
})

const groupRule = <D extends DefaultGroup>(
  defaultGroup: D,
  everyone: boolean,
): PermissionRule<D> => ({
  ...rule(defaultGroup, everyone, true),
  forSystemGroups: 'role:nobody',
})

/**
 * Each permission that a setting governs: its default, whom it may never be given to, and whether
 * guests may hold it. Feeds `can`, `server_supported_permission_settings` and the tests' matrix.
 *
 * @source api-changes §7a; `role:internet` is never allowed
 */
export const permissionRules = {
  realm: {
    can_access_all_users_group: rule('role:everyone', true, false, [
      'role:everyone',
      'role:members',
    ]),
    can_add_custom_emoji_group: rule('role:members', false, true),
    can_add_subscribers_group: rule('role:members', false, true),
    can_create_bots_group: rule('role:members', false, true),
    can_create_groups: rule('role:members', false, true),
    can_create_private_channel_group: rule('role:members', false, true),
    can_create_public_channel_group: rule('role:members', false, true),
    can_create_web_public_channel_group: rule('role:owners', false, true, [
      'role:moderators',
      'role:administrators',
      'role:owners',
      'role:nobody',
    ]),
    can_create_write_only_bots_group: rule('role:members', false, true),
    can_delete_any_message_group: rule('role:administrators', false, true),
    can_delete_own_message_group: rule('role:everyone', true, true),
    can_invite_users_group: rule('role:members', false, true),
    can_manage_all_groups: rule('role:owners', false, false),
    can_manage_billing_group: rule('role:administrators', false, false),
    can_mention_many_users_group: rule('role:administrators', true, true),
    can_move_messages_between_channels_group: rule('role:members', false, true),
    can_move_messages_between_topics_group: rule('role:everyone', true, true),
    can_resolve_topics_group: rule('role:everyone', true, true),
    can_set_delete_message_policy_group: rule('role:moderators', false, true),
    can_set_topics_policy_group: rule('role:members', true, true),
    can_summarize_topics_group: rule('role:everyone', true, true),
    create_multiuse_invite_group: rule('role:administrators', false, true),
    direct_message_initiator_group: rule('role:everyone', true, true),
    direct_message_permission_group: rule('role:everyone', true, true),
  },
  stream: {
    can_add_subscribers_group: rule('role:nobody', false, true),
    can_administer_channel_group: rule('channel_creator', false, true),
    can_create_topic_group: rule('role:everyone', true, true),
    can_delete_any_message_group: rule('role:nobody', true, true),
    can_delete_own_message_group: rule('role:nobody', true, true),
    can_move_messages_out_of_channel_group: rule('role:nobody', true, true),
    can_move_messages_within_channel_group: rule('role:nobody', true, true),
    can_remove_subscribers_group: rule('role:administrators', true, true),
    can_resolve_topics_group: rule('role:nobody', true, true),
    can_send_message_group: rule('role:everyone', true, true),
    can_subscribe_group: rule('role:nobody', false, true),
  },
  group: {
    can_add_members_group: groupRule('group_creator', false),
    can_join_group: groupRule('role:nobody', false),
    can_leave_group: groupRule('role:everyone', true),
    can_manage_group: groupRule('group_creator', false),
    can_mention_group: { ...groupRule('role:everyone', true), never: ['role:owners'] },
    can_remove_members_group: groupRule('role:nobody', false),
  },
} as const satisfies Record<string, Record<string, PermissionRule>>

export type RealmPermission = keyof typeof permissionRules.realm
export type ChannelPermission = keyof typeof permissionRules.stream
export type GroupPermission = keyof typeof permissionRules.group
