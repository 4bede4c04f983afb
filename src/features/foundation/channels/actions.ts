import { storeGroupSetting } from '#features/foundation/groups/setting-values.queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { channelColumn } from '#features/foundation/permissions/rules.ts'
import type { GroupSettingValue } from '#features/foundation/permissions/setting-values.rules.ts'
import { type ChannelPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import { noteRetentionChange } from '#features/foundation/realm/retention-changes.queries.ts'
import { bindRecipient, insertChannelRecipient } from '#features/foundation/recipients/queries.ts'
import { findUser, roles, type User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { topicsPolicies } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
import { sentSentence } from '#translations/translate.ts'
import { canAccessMetadata } from './access.ts'
import {
  aboutChannel,
  channelCreateEvent,
  channelUpdateEvent,
  defaultChannelsEvent,
} from './events.ts'
import { channelJson, channelPermissions } from './json.ts'
import { requireChannelName } from './names.ts'
import {
  type Channel,
  findChannelByName,
  insertChannel,
  listDefaultChannels,
  updateFirstMessageId,
} from './queries.ts'

/** A description: its Markdown source, and the HTML rendered from it. */
export interface Description {
  readonly source: string
  readonly html: string
}

export interface NewChannel {
  readonly name: string
  readonly description?: Description
  readonly isPrivate?: boolean
  readonly isWebPublic?: boolean
  /** Null or absent: the history is shared unless the channel is private. */
  readonly historyPublic?: boolean | null
  readonly isDefault?: boolean
  /** In days; null: the realm's setting; -1: forever. */
  readonly retentionDays?: number | null
  readonly topicsPolicy?: (typeof topicsPolicies)[number]
  readonly folderId?: number | null
  readonly defaultPushNotifications?: boolean
  /** Settings that differ from their defaults; `requireCreatable` checks them. */
  readonly groups?: Partial<Record<ChannelPermission, GroupSettingValue>>
}

/**
 * Creates a channel without subscribers and emits `stream`/`create` to the users who can see it.
 * The caller checks permission.
 *
 * @param creator null if the server itself creates it
 * @throws BAD_REQUEST an invalid name, or one that another channel has, archived or not
 */
export function createChannel(
  tx: Tx,
  creator: User | null,
  wanted: NewChannel & { readonly id?: number },
): Channel {
  const name = requireChannelName(wanted.name)
  if (findChannelByName(tx, name))
    throw badRequest(sentSentence("Channel '{name}' already exists", { name }), {
      parameter: 'name',
    })
  const { isPrivate = false, isDefault = false } = wanted
  const recipient = insertChannelRecipient(tx)
  const channel = insertChannel(tx, {
    id: wanted.id,
    name,
    nameKey: nameKey(name),
    description: wanted.description?.source ?? '',
    renderedDescription: wanted.description?.html ?? '',
    creatorId: creator?.id ?? null,
    dateCreated: seconds(tx.clock),
    recipientId: recipient.id,
    isPrivate,
    isWebPublic: wanted.isWebPublic ?? false,
    historyPublic: wanted.historyPublic ?? !isPrivate,
    isDefault,
    retentionDays: wanted.retentionDays ?? null,
    topicsPolicy: wanted.topicsPolicy ?? 'inherit',
    folderId: wanted.folderId ?? null,
    defaultPushNotifications: wanted.defaultPushNotifications ?? false,
    ...storeGroups(tx, creator, wanted.groups ?? {}),
  })
  bindRecipient(tx, recipient.id, channel.id)
  // The event needs a count of subscribers, which would be wasted for an import with thousands of
  // channels.
  if (tx.liveUsers.size > 0) {
    const audience = (userId: number) => userCanSeeChannel(tx, userId, channel)
    tx.emit(channelCreateEvent(channelJson(tx, channel)), audience)
  }
  if (isDefault) emitDefaultChannels(tx)
  if (channel.retentionDays !== null) noteRetentionChange(tx)
  return channel
}

type GroupColumns = Record<ReturnType<typeof channelColumn<ChannelPermission>>, number>

function storeGroups(
  tx: Tx,
  creator: User | null,
  given: Partial<Record<ChannelPermission, GroupSettingValue>>,
): GroupColumns {
  const columns = channelPermissions.map((setting) => {
    const value = given[setting] ?? defaultGroup(tx, creator, setting)
    return [channelColumn(setting), storeGroupSetting(tx, value)]
  })
  return Object.fromEntries(columns) as GroupColumns
}

function defaultGroup(
  read: Read,
  creator: User | null,
  setting: ChannelPermission,
): GroupSettingValue {
  const group = permissionRules.stream[setting].default
  if (group !== 'channel_creator') return systemGroupId(read, group)
  if (!creator) return systemGroupId(read, 'role:nobody')
  return { direct_members: [creator.id], direct_subgroups: [] }
}

/** Emits the default channels to everyone except guests. */
export function emitDefaultChannels(tx: Tx): void {
  const ids = listDefaultChannels(tx).map(({ id }) => id)
  const isGuest = (userId: number) => findUser(tx, userId)?.role === roles.guest
  tx.emit(defaultChannelsEvent(ids), (userId) => !isGuest(userId))
}

/**
 * Stores the id of a channel's oldest message and emits it to the users who can see the channel.
 *
 * @param messageId null: the channel is empty
 * @source Zulip API, "Get events", type "stream", op "update" (feature level 256)
 */
export function setFirstMessage(tx: Tx, channel: Channel, messageId: number | null): void {
  updateFirstMessageId(tx, channel.id, messageId)
  const changed = { ...channel, firstMessageId: messageId }
  const event = channelUpdateEvent(channel, 'first_message_id', messageId)
  tx.emit(aboutChannel(changed, event), (userId) => userCanSeeChannel(tx, userId, changed))
}

/** Whether the user with this id can see a channel; the audience of the channel's events. */
export function userCanSeeChannel(read: Read, userId: number, channel: Channel): boolean {
  const user = findUser(read, userId)
  return user !== undefined && canAccessMetadata(read, user, channel)
}
