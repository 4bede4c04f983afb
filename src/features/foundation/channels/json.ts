import { memberColumns } from '#features/foundation/groups/queries.ts'
import { groupSettingValue } from '#features/foundation/groups/setting-values.queries.ts'
import { systemGroupName } from '#features/foundation/permissions/membership.queries.ts'
import { channelColumn } from '#features/foundation/permissions/rules.ts'
import type { GroupSettingValue } from '#features/foundation/permissions/setting-values.rules.ts'
import { type ChannelPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import { without } from '#platform/events/extended.ts'
import { memo } from '#platform/memo.ts'
import type { Shaped } from '#platform/shape.ts'
import { KeptTexts, withMembers } from '#platform/shared-replies/values.ts'
import { slices } from '#platform/slices.ts'
import { derived, derivedSteps } from '#platform/store/derived.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { channels, groupMembers, groupSubgroups, userGroups } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import {
  type Channel,
  countSubscribers,
  findChannel,
  listChannels,
  subscriberTables,
} from './queries.ts'
import { type channelShape, extendedChannelMembers } from './shapes.ts'
import { isRecentlyActive, weeklyTraffic } from './traffic.queries.ts'

/** The permission settings of a channel, by wire name. */
type ChannelGroupsJson = Record<ChannelPermission, GroupSettingValue>

/** A channel on the wire. @source Zulip API, "Get all channels" */
export type ChannelJson = Shaped<typeof channelShape>

/** Every permission setting of a channel, in the order of the table. */
export const channelPermissions = Object.keys(permissionRules.stream) as ChannelPermission[]

/**
 * A complete channel on the wire. For several, use `channelWriter`, which looks up each group once.
 */
export function channelJson(read: Read, channel: Channel): ChannelJson {
  return channelWriter(read, true)(channel)
}

/** A channel, or a subscription, for clients that did not ask for `extended_members`. */
export function plainChannel<T extends ChannelJson>(json: T): T {
  return without(json, extendedChannelMembers) as T
}

/** The tables from which a channel is read as the API shows it, except for `activityJson`. */
export const channelTables = [channels, userGroups, groupMembers, groupSubgroups, memberColumns]

const mostTexts = 10_000
const settledText = {
  extended: derived(channelTables, (read, id) => settledTextOf(read, id, true), mostTexts),
  plain: derived(channelTables, (read, id) => settledTextOf(read, id, false), mostTexts),
}

/** Members that are not in the text, at a fraction of the time of an object without them. */
const leftOut = Object.fromEntries(extendedChannelMembers.map((name) => [name, undefined]))

function settledTextOf(read: Read, id: string, extended: boolean): string {
  const channel = findChannel(read, Number(id))
  if (!channel) return ''
  const json = settledJson(read, channel, groupReader(read))
  return JSON.stringify(extended ? json : { ...json, ...leftOut })
}

const texts = perDatabase(() => {
  const make = () => new KeptTexts<[string, boolean, number, number | null]>()
  return { extended: make(), plain: make() }
})

/**
 * The JSON text of a channel on the wire; the same string as long as nothing in it changes.
 *
 * @param extended whether the client asked for `extended_members`
 */
export function channelText(read: Read, channel: Channel, extended: boolean): string {
  const form = extended ? 'extended' : 'plain'
  const { is_recently_active, subscriber_count, stream_weekly_traffic } = activityJson(
    read,
    channel,
  )
  return texts(read)[form].of(
    channel.id,
    [
      settledText[form](read, String(channel.id)),
      is_recently_active,
      subscriber_count,
      stream_weekly_traffic,
    ],
    (settled, is_recently_active, subscriber_count, stream_weekly_traffic) =>
      withMembers(settled, { is_recently_active, subscriber_count, stream_weekly_traffic }),
  )
}

/** How many texts are made in one step. Each takes about 50 µs, and 1 ms for 20 000 subscribers. */
const textsAtOnce = 4

/** Makes the texts of all channels that `channelText` keeps. */
export const prepareChannelTexts = derivedSteps(
  [...channelTables, ...subscriberTables],
  function* (read, form: 'extended' | 'plain') {
    listChannels(read)
    yield
    for (const some of slices(listChannels(read), textsAtOnce)) {
      for (const channel of some) channelText(read, channel, form === 'extended')
      yield
    }
  },
  2,
)

/**
 * Makes wire objects of channels. It caches group settings: use it within one turn only.
 *
 * @param extended whether the client asked for `extended_members`
 */
export function channelWriter(read: Read, extended: boolean): (channel: Channel) => ChannelJson {
  const settingOf = groupReader(read)
  return (channel) => {
    const json = {
      ...settledJson(read, channel, settingOf),
      ...activityJson(read, channel),
    }
    return extended ? json : plainChannel(json)
  }
}

/** Looks up each group once. */
function groupReader(read: Read): (groupId: number) => GroupSettingValue {
  return memo((groupId) => groupSettingValue(read, groupId))
}

/** The members that only change if someone changes the channel or groups. */
function settledJson(
  read: Read,
  channel: Channel,
  settingOf: (groupId: number) => GroupSettingValue,
): Omit<ChannelJson, keyof ReturnType<typeof activityJson>> {
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
    ...channelGroupsJson(channel, settingOf),
  }
}

/** The members that change with messages, subscriptions and time. */
function activityJson(read: Read, channel: Channel) {
  return {
    is_recently_active: isRecentlyActive(read, channel),
    subscriber_count: countSubscribers(read, channel.id),
    stream_weekly_traffic: weeklyTraffic(read, channel),
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
