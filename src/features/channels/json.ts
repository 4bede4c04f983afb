import { groupSettingValue } from '#features/groups/setting-values.queries.ts'
import type { GroupSettingValue } from '#features/groups/setting-values.rules.ts'
import { systemGroupName } from '#features/permissions/membership.queries.ts'
import { channelColumn } from '#features/permissions/rules.ts'
import { type ChannelPermission, permissionRules } from '#features/permissions/table.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/write.ts'
import { type Channel, countSubscribers } from './queries.ts'
import type { channelShape } from './shapes.ts'
import { isRecentlyActive, weeklyTraffic } from './traffic.queries.ts'

/** The permission settings of a channel, by wire name. */
type ChannelGroupsJson = Record<ChannelPermission, GroupSettingValue>

/** A channel on the wire. @source Zulip API, "Get all channels" */
export type ChannelJson = Shaped<typeof channelShape>

/** Every permission setting of a channel, in the order of the table. */
export const channelPermissions = Object.keys(permissionRules.stream) as ChannelPermission[]

/** A channel on the wire. For several, use `channelWriter`, which looks up each group once. */
export function channelJson(read: Read, channel: Channel): ChannelJson {
  return channelWriter(read)(channel)
}

/** Makes wire objects of channels. It caches group settings: use it within one turn only. */
export function channelWriter(read: Read): (channel: Channel) => ChannelJson {
  const groups = new Map<number, GroupSettingValue>()
  const settingOf = (groupId: number) => {
    let value = groups.get(groupId)
    if (value === undefined) {
      value = groupSettingValue(read, groupId)
      groups.set(groupId, value)
    }
    return value
  }
  return (channel) => {
    const policy = postPolicy(read, channel)
    return {
      stream_id: channel.id,
      name: channel.name,
      is_archived: channel.isArchived,
      description: channel.description,
      rendered_description: channel.renderedDescription,
      date_created: channel.dateCreated,
      creator_id: channel.creatorId,
      invite_only: channel.isPrivate,
      is_web_public: channel.isWebPublic,
      stream_post_policy: policy,
      is_announcement_only: policy === 2,
      message_retention_days: channel.retentionDays,
      default_push_notifications: channel.defaultPushNotifications,
      history_public_to_subscribers: channel.historyPublic,
      topics_policy: channel.topicsPolicy,
      first_message_id: channel.firstMessageId,
      folder_id: channel.folderId,
      is_recently_active: isRecentlyActive(read, channel),
      subscriber_count: countSubscribers(read, channel.id),
      stream_weekly_traffic: weeklyTraffic(read, channel),
      ...channelGroupsJson(channel, settingOf),
    }
  }
}

function channelGroupsJson(
  channel: Channel,
  settingOf: (groupId: number) => GroupSettingValue,
): ChannelGroupsJson {
  const values = channelPermissions.map((setting) => [
    setting,
    settingOf(channel[channelColumn(setting)]),
  ])
  return Object.fromEntries(values) as ChannelGroupsJson
}

/**
 * The deprecated form of `can_send_message_group`; any group other than a role counts as everyone.
 */
function postPolicy(read: Read, channel: Channel): ChannelJson['stream_post_policy'] {
  switch (systemGroupName(read, channel.canSendMessageGroup)) {
    case 'role:nobody':
    case 'role:owners':
    case 'role:administrators':
      return 2
    case 'role:fullmembers':
      return 3
    case 'role:moderators':
      return 4
    default:
      return 1
  }
}
