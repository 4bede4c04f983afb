import { findFolder } from '#channel-folders/queries.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { can } from '#permissions/can.ts'
import { systemGroupName } from '#permissions/groups.ts'
import { permissionRules } from '#permissions/table.ts'
import { type GroupSettingValue, requireAllowed } from '#permissions/values.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'
import { roles, type User } from '#users/queries.ts'
import type { NewChannel } from './actions.ts'
import { channelPermissions } from './json.ts'

/** What a channel is to be like, but for its name and description. */
export type ChannelSettings = Required<Omit<NewChannel, 'name' | 'description'>>

/** An ordinary public channel. */
export const plainSettings: ChannelSettings = {
  isPrivate: false,
  isWebPublic: false,
  historyPublic: null,
  isDefault: false,
  retentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  defaultPushNotifications: false,
  groups: {},
}

/**
 * Whether a user may create channels of this privacy.
 *
 * @source contract, "Subscribe to a channel": `is_web_public`; api-changes §7a
 */
export function canCreate(
  read: Read,
  user: User,
  { isPrivate, isWebPublic }: Pick<ChannelSettings, 'isPrivate' | 'isWebPublic'>,
): boolean {
  if (isPrivate) return can(read, user, 'can_create_private_channel_group')
  if (!can(read, user, 'can_create_public_channel_group')) return false
  return !isWebPublic || can(read, user, 'can_create_web_public_channel_group')
}

/**
 * Are these settings possible, and may this user choose them? Whether the user may create such a
 * channel at all, is asked with `canCreate`.
 *
 * @param caller whose server may have no web-public channels at all
 * @throws BAD_REQUEST settings that contradict each other or that the user may not choose
 * @throws UNAUTHORIZED_PRINCIPAL what only administrators may choose
 */
export function requireCreatable(read: Read, caller: Caller, settings: ChannelSettings): void {
  requirePrivacy(read, settings, caller.server.config.webPublicChannels)
  requireRights(read, caller.user, settings)
  if (settings.folderId !== null) {
    const folder = findFolder(read, settings.folderId)
    if (!folder || folder.isArchived) throw badRequest('Invalid channel folder ID')
  }
  for (const setting of channelPermissions) {
    const value = settings.groups[setting]
    if (value !== undefined) {
      requireAllowed(read, setting, permissionRules.stream[setting], value)
    }
  }
}

function requirePrivacy(read: Read, settings: ChannelSettings, serverHasWebPublic: boolean): void {
  const { isPrivate, isWebPublic, isDefault, historyPublic, groups } = settings
  if (isWebPublic) {
    if (isPrivate) throw badRequest('A private channel cannot be web-public.')
    if (!serverHasWebPublic || !realmSetting(read, 'enable_spectator_access')) {
      throw badRequest('Web-public channels are not enabled.')
    }
  }
  if (isPrivate && isDefault) throw badRequest('A default channel cannot be private.')
  if (historyPublic === false && !isPrivate) {
    throw badRequest('The history of a public channel is shared with its subscribers.')
  }
  const isProtected = isPrivate && !(historyPublic ?? false)
  const topicCreators = groups.can_create_topic_group
  if (isProtected && topicCreators !== undefined && !isEveryone(read, topicCreators)) {
    throw badRequest("'can_create_topic_group' must be everyone where history is protected.")
  }
}

function isEveryone(read: Read, value: GroupSettingValue): boolean {
  return typeof value === 'number' && systemGroupName(read, value) === 'role:everyone'
}

function requireRights(read: Read, user: User, settings: ChannelSettings): void {
  const { groups } = settings
  const needsAdmin =
    settings.isDefault || settings.defaultPushNotifications || settings.retentionDays !== null
  if (needsAdmin && user.role > roles.admin) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
  }
  const setsDeletion =
    groups.can_delete_any_message_group !== undefined ||
    groups.can_delete_own_message_group !== undefined
  if (
    (settings.topicsPolicy !== 'inherit' && !can(read, user, 'can_set_topics_policy_group')) ||
    (setsDeletion && !can(read, user, 'can_set_delete_message_policy_group'))
  ) {
    throw badRequest('Insufficient permission')
  }
}
