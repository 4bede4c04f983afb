import { findFolder } from '#channel-folders/queries.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { can, requireAdministrator } from '#permissions/can.ts'
import { systemGroupName } from '#permissions/groups.ts'
import { permissionRules } from '#permissions/table.ts'
import { canonical, type GroupSettingValue, requireAllowed } from '#permissions/values.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
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
  requirePossible(read, {
    ...settings,
    historyPublic: settings.historyPublic ?? !settings.isPrivate,
    topicCreators: settings.groups.can_create_topic_group,
  })
  if (settings.isWebPublic) requireSpectators(read, caller)
  requireRights(read, caller.user, settings)
  requireFolder(read, settings.folderId)
  for (const setting of channelPermissions) {
    const value = settings.groups[setting]
    if (value !== undefined) {
      requireAllowed(read, setting, permissionRules.stream[setting], value)
    }
  }
}

/** What of a channel's settings has to fit together. */
interface Together extends Pick<ChannelSettings, 'isPrivate' | 'isWebPublic' | 'isDefault'> {
  readonly historyPublic: boolean
  /** Undefined: everyone. */
  readonly topicCreators: GroupSettingValue | undefined
}

/** @throws BAD_REQUEST settings that contradict each other */
export function requirePossible(read: Read, settings: Together): void {
  const { isPrivate, isWebPublic, isDefault, historyPublic, topicCreators } = settings
  if (isWebPublic && isPrivate) throw badRequest('A private channel cannot be web-public.')
  if (isPrivate && isDefault) throw badRequest('A default channel cannot be private.')
  if (!historyPublic && !isPrivate) {
    throw badRequest('The history of a public channel is shared with its subscribers.')
  }
  if (!historyPublic && topicCreators !== undefined && !isEveryone(read, topicCreators)) {
    throw badRequest("'can_create_topic_group' must be everyone where history is protected.")
  }
}

/** @throws BAD_REQUEST where the server or the realm has no web-public channels */
export function requireSpectators(read: Read, { server }: Caller): void {
  if (server.config.webPublicChannels && realmSetting(read, 'enable_spectator_access')) return
  throw badRequest('Web-public channels are not enabled.')
}

/** @throws BAD_REQUEST no such folder for channels, or an archived one */
export function requireFolder(read: Read, folderId: number | null): void {
  if (folderId === null) return
  const folder = findFolder(read, folderId)
  if (!folder || folder.isArchived) throw badRequest('Invalid channel folder ID')
}

function isEveryone(read: Read, value: GroupSettingValue): boolean {
  const group = canonical(value)
  return typeof group === 'number' && systemGroupName(read, group) === 'role:everyone'
}

function requireRights(read: Read, user: User, settings: ChannelSettings): void {
  const { groups } = settings
  const needsAdmin =
    settings.isDefault || settings.defaultPushNotifications || settings.retentionDays !== null
  if (needsAdmin) requireAdministrator(user)
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
