/** The system groups, in the order of their creation in a realm. */
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

/** A default: a system group, or an anonymous group with the creator of the channel or group. */
export type DefaultGroup = SystemGroup | 'channel_creator' | 'group_creator'

export interface PermissionRule<D extends DefaultGroup = DefaultGroup> {
  /** Who has the permission, as a sentence for the API documentation. */
  readonly description: string
  readonly default: D
  /** Whether `role:everyone` is allowed; if not, guests never have the permission. */
  readonly everyone: boolean
  /** Whether `role:nobody` is allowed. */
  readonly nobody: boolean
  /** Further system groups that are not allowed. */
  readonly never?: readonly SystemGroup[]
  /** If present, the only values allowed. */
  readonly onlySystemGroups?: readonly SystemGroup[]
  /** The value for system groups, if it is not the default. Group settings only. */
  readonly forSystemGroups?: SystemGroup
}

const rule = <D extends DefaultGroup>(
  description: string,
  defaultGroup: D,
  everyone: boolean,
  nobody: boolean,
  onlySystemGroups?: readonly SystemGroup[],
): PermissionRule<D> => ({
  description,
  default: defaultGroup,
  everyone,
  nobody,
  ...(onlySystemGroups && { onlySystemGroups }),
})

const groupRule = <D extends DefaultGroup>(
  description: string,
  defaultGroup: D,
  everyone: boolean,
): PermissionRule<D> => ({
  ...rule(description, defaultGroup, everyone, true),
  forSystemGroups: 'role:nobody',
})

/**
 * The rule of each permission setting: its default, the groups it may not be, and whether guests
 * may have the permission. `role:internet` is never allowed.
 *
 * @source Zulip API, "Register an event queue": `server_supported_permission_settings`
 */
export const permissionRules = {
  realm: {
    can_access_all_users_group: rule(
      'Who can see all users; guests outside this group see only some.',
      'role:everyone',
      true,
      false,
      ['role:everyone', 'role:members'],
    ),
    can_add_custom_emoji_group: rule('Who can add custom emoji.', 'role:members', false, true),
    can_add_subscribers_group: rule('Who can subscribe others.', 'role:members', false, true),
    can_connect_assistants_group: rule(
      'Who can connect assistants, which act for them by the Model Context Protocol.',
      'role:members',
      true,
      true,
    ),
    can_create_bots_group: rule('Who can create bots of any type.', 'role:members', false, true),
    can_create_groups: rule('Who can create user groups.', 'role:members', false, true),
    can_create_private_channel_group: rule(
      'Who can create private channels.',
      'role:members',
      false,
      true,
    ),
    can_create_public_channel_group: rule(
      'Who can create public channels.',
      'role:members',
      false,
      true,
    ),
    can_create_web_public_channel_group: rule(
      'Who can create web-public channels.',
      'role:owners',
      false,
      true,
      ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
    ),
    can_create_write_only_bots_group: rule(
      'Who can create incoming webhook bots, which can only send messages.',
      'role:members',
      false,
      true,
    ),
    can_delete_any_message_group: rule(
      'Who can delete any message.',
      'role:administrators',
      false,
      true,
    ),
    can_delete_own_message_group: rule(
      'Who can delete their own messages.',
      'role:everyone',
      true,
      true,
    ),
    can_invite_users_group: rule('Who can invite people.', 'role:members', false, true),
    can_manage_all_groups: rule(
      'Who can administer every user group.',
      'role:owners',
      false,
      false,
    ),
    can_manage_billing_group: rule('Who can manage billing.', 'role:administrators', false, false),
    can_mention_many_users_group: rule(
      'Who can use wildcard mentions in large channels and topics.',
      'role:administrators',
      true,
      true,
    ),
    can_move_messages_between_channels_group: rule(
      'Who can move messages to other channels.',
      'role:members',
      false,
      true,
    ),
    can_move_messages_between_topics_group: rule(
      'Who can move messages to other topics.',
      'role:everyone',
      true,
      true,
    ),
    can_resolve_topics_group: rule('Who can resolve topics.', 'role:everyone', true, true),
    can_set_delete_message_policy_group: rule(
      'Who can change who can delete messages in a channel.',
      'role:moderators',
      false,
      true,
    ),
    can_set_topics_policy_group: rule(
      "Who can change a channel's topics policy.",
      'role:members',
      true,
      true,
    ),
    can_summarize_topics_group: rule(
      'Who can request summaries of topics.',
      'role:everyone',
      true,
      true,
    ),
    create_multiuse_invite_group: rule(
      'Who can create reusable invitation links.',
      'role:administrators',
      false,
      true,
    ),
    direct_message_initiator_group: rule(
      'Who can start direct message conversations.',
      'role:everyone',
      true,
      true,
    ),
    direct_message_permission_group: rule(
      'Who can take part in direct messages: each conversation needs at least one of them.',
      'role:everyone',
      true,
      true,
    ),
  },
  stream: {
    can_add_subscribers_group: rule('Who can subscribe others.', 'role:nobody', false, true),
    can_administer_channel_group: rule(
      'Who can administer the channel, besides administrators.',
      'channel_creator',
      false,
      true,
    ),
    can_create_topic_group: rule('Who can start new topics.', 'role:everyone', true, true),
    can_delete_any_message_group: rule('Who can delete any message.', 'role:nobody', true, true),
    can_delete_own_message_group: rule(
      'Who can delete their own messages.',
      'role:nobody',
      true,
      true,
    ),
    can_move_messages_out_of_channel_group: rule(
      'Who can move messages out of the channel.',
      'role:nobody',
      true,
      true,
    ),
    can_move_messages_within_channel_group: rule(
      'Who can move messages within the channel.',
      'role:nobody',
      true,
      true,
    ),
    can_remove_subscribers_group: rule(
      'Who can unsubscribe others.',
      'role:administrators',
      true,
      true,
    ),
    can_resolve_topics_group: rule('Who can resolve topics.', 'role:nobody', true, true),
    can_send_message_group: rule(
      'Who can send messages to the channel.',
      'role:everyone',
      true,
      true,
    ),
    can_subscribe_group: rule(
      'Who can subscribe, even to a private channel.',
      'role:nobody',
      false,
      true,
    ),
  },
  group: {
    can_add_members_group: groupRule('Who can add members to the group.', 'group_creator', false),
    can_join_group: groupRule('Who can join the group.', 'role:nobody', false),
    can_leave_group: groupRule('Who can leave the group.', 'role:everyone', true),
    can_manage_group: groupRule('Who can administer the group.', 'group_creator', false),
    can_mention_group: {
      ...groupRule('Who can mention the group.', 'role:everyone', true),
      never: ['role:owners'],
    },
    can_remove_members_group: groupRule(
      'Who can remove members from the group.',
      'role:nobody',
      false,
    ),
  },
} as const satisfies Record<string, Record<string, PermissionRule>>

export type RealmPermission = keyof typeof permissionRules.realm
export type ChannelPermission = keyof typeof permissionRules.stream
export type GroupPermission = keyof typeof permissionRules.group
