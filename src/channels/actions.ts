import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import { channelColumn } from '#permissions/can.ts'
import { systemGroupId } from '#permissions/groups.ts'
import { type ChannelPermission, permissionRules } from '#permissions/table.ts'
import { type GroupSettingValue, storeGroupSetting } from '#permissions/values.ts'
import { bindRecipient, insertChannelRecipient } from '#recipients/queries.ts'
import { restartRetention } from '#retention/progress.ts'
import type { topicsPolicies } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, roles, type User } from '#users/queries.ts'
import { canAccessMetadata } from './access.ts'
import {
  aboutChannel,
  channelCreateEvent,
  channelUpdateEvent,
  defaultChannelsEvent,
} from './events.ts'
import { channelJson, channelPermissions } from './json.ts'
import { channelKey, requireChannelName } from './names.ts'
import {
  type Channel,
  findChannelByName,
  insertChannel,
  listDefaultChannels,
  updateChannel,
} from './queries.ts'

/** A channel's description: what somebody wrote, and that as HTML. */
export interface Description {
  readonly source: string
  readonly html: string
}

export interface NewChannel {
  readonly name: string
  readonly description?: Description
  readonly isPrivate?: boolean
  readonly isWebPublic?: boolean
  /** Null, as without it: subscribers share the history of all channels but private ones. */
  readonly historyPublic?: boolean | null
  readonly isDefault?: boolean
  /** In days; null: the realm's setting; -1: for ever. */
  readonly retentionDays?: number | null
  readonly topicsPolicy?: (typeof topicsPolicies)[number]
  readonly folderId?: number | null
  readonly defaultPushNotifications?: boolean
  /** Where they differ from their defaults; checked by `requireGroupSetting`. */
  readonly groups?: Partial<Record<ChannelPermission, GroupSettingValue>>
}

/**
 * Creates a channel without subscribers and emits `stream`/`create` to all who may see it.
 * Permission is the caller's to ask.
 *
 * @param creator null when the server itself creates it
 * @throws BAD_REQUEST: a bad name, or one that another channel has, archived or not
 */
export function createChannel(tx: Tx, creator: User | null, wanted: NewChannel): Channel {
  const name = requireChannelName(wanted.name)
  if (findChannelByName(tx, name)) throw badRequest(`Channel '${name}' already exists`)
  const { isPrivate = false, isDefault = false } = wanted
  const recipient = insertChannelRecipient(tx)
  const channel = insertChannel(tx, {
    name,
    nameKey: channelKey(name),
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
  const audience = (userId: number) => mayKnow(tx, userId, channel)
  tx.emit(channelCreateEvent(channelJson(tx, channel)), audience)
  if (isDefault) tellDefaults(tx)
  if (channel.retentionDays !== null) restartRetention(tx)
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

/** Tells everybody but guests which channels new users are subscribed to. */
export function tellDefaults(tx: Tx): void {
  const ids = listDefaultChannels(tx).map(({ id }) => id)
  const isGuest = (userId: number) => findUser(tx, userId)?.role === roles.guest
  tx.emit(defaultChannelsEvent(ids), (userId) => !isGuest(userId))
}

/**
 * Keeps which message of a channel is the oldest, and tells those who may see the channel.
 *
 * @param messageId null: the channel is empty
 * @source contract, "Events": `stream` with `first_message_id`
 */
export function setFirstMessage(tx: Tx, channel: Channel, messageId: number | null): void {
  const changed = updateChannel(tx, channel.id, { firstMessageId: messageId })
  const event = channelUpdateEvent(channel, 'first_message_id', messageId)
  tx.emit(aboutChannel(changed, event), (userId) => mayKnow(tx, userId, changed))
}

/** Whether the user of this id may know of a channel: the audience of what happens to it. */
export function mayKnow(read: Read, userId: number, channel: Channel): boolean {
  const user = findUser(read, userId)
  return user !== undefined && canAccessMetadata(read, user, channel)
}
