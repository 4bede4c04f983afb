import type { ChannelPermission, GroupPermission } from '#client/api/wire.ts'
import { type Text, texts } from '#translations/translate.ts'

/** The labels of a channel's permissions, in the order of its page. */
export const channelPermissionLabels: Readonly<Record<ChannelPermission, Text>> = texts({
  can_send_message_group: 'Who can send messages',
  can_create_topic_group: 'Who can start topics',
  can_subscribe_group: 'Who can subscribe, even if the channel is private',
  can_add_subscribers_group: 'Who can subscribe others',
  can_remove_subscribers_group: 'Who can unsubscribe others',
  can_administer_channel_group: 'Who can manage the channel',
  can_resolve_topics_group: 'Who can resolve topics',
  can_move_messages_within_channel_group: 'Who can move messages within the channel',
  can_move_messages_out_of_channel_group: 'Who can move messages out of the channel',
  can_delete_own_message_group: 'Who can delete their own messages',
  can_delete_any_message_group: 'Who can delete any message',
})

/** The labels of a group's permissions, in the order of its page. */
export const groupPermissionLabels: Readonly<Record<GroupPermission, Text>> = texts({
  can_manage_group: 'Who can manage the group',
  can_mention_group: 'Who can mention the group',
  can_join_group: 'Who can join the group',
  can_leave_group: 'Who can leave the group',
  can_add_members_group: 'Who can add members',
  can_remove_members_group: 'Who can remove members',
})
