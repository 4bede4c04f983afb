import { findFolder } from '#features/foundation/channels/folders.queries.ts'
import { systemGroupName } from '#features/foundation/permissions/membership.queries.ts'
import { can, requireAdministrator, requireOwner } from '#features/foundation/permissions/rules.ts'
import {
  canonical,
  type GroupSettingValue,
  requireAllowed,
} from '#features/foundation/permissions/setting-values.rules.ts'
import { permissionRules } from '#features/foundation/permissions/table.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import type { NewChannel } from './actions.ts'
import { channelPermissions } from './json.ts'

/** The settings of a new channel, without its name and description. */
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
 * @source Zulip API, "Create a channel"
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
 * Requires settings that a channel can have and that the caller may choose. `canCreate` checks
 * whether the caller may create the channel at all.
 *
 * @throws BAD_REQUEST settings that contradict each other or that the caller may not choose
 * @throws UNAUTHORIZED_PRINCIPAL settings that only administrators may choose
 */
export function requireCreatable(read: Read, user: User, settings: ChannelSettings): void {
  requireConsistentSettings(read, {
    ...settings,
    historyPublic: settings.historyPublic ?? !settings.isPrivate,
    topicCreators: settings.groups.can_create_topic_group,
  })
  if (settings.isWebPublic) requireSpectators(read)
  requireRights(read, user, settings)
  requireFolder(read, settings.folderId)
  for (const setting of channelPermissions) {
    const value = settings.groups[setting]
    if (value !== undefined) {
      requireAllowed(read, setting, permissionRules.stream[setting], value)
    }
  }
}

/** The settings of a channel that must be consistent with each other. */
interface RelatedSettings extends Pick<ChannelSettings, 'isPrivate' | 'isWebPublic' | 'isDefault'> {
  readonly historyPublic: boolean
  /** Undefined: everyone. */
  readonly topicCreators: GroupSettingValue | undefined
}

/** @throws BAD_REQUEST settings that contradict each other */
export function requireConsistentSettings(read: Read, settings: RelatedSettings): void {
  const { isPrivate, isWebPublic, isDefault, historyPublic, topicCreators } = settings
  if (isWebPublic && isPrivate)
    throw badRequest(sentSentence('A private channel cannot be web-public.'), {
      parameter: 'is_web_public',
    })
  if (isPrivate && isDefault)
    throw badRequest(sentSentence('A default channel cannot be private.'), {
      parameter: 'is_default_stream',
    })
  if (!historyPublic && !isPrivate) {
    throw badRequest(
      sentSentence('The history of a public channel is shared with its subscribers.'),
      { parameter: 'history_public_to_subscribers' },
    )
  }
  if (!historyPublic && topicCreators !== undefined && !isEveryone(read, topicCreators)) {
    throw badRequest(
      sentSentence("'can_create_topic_group' must be everyone where history is protected."),
      { parameter: 'can_create_topic_group' },
    )
  }
}

/** @throws BAD_REQUEST the server or the realm does not allow web-public channels */
export function requireSpectators(read: Read): void {
  if (allowsSpectators(read)) return
  throw badRequest(sentSentence('Web-public channels are not enabled.'), {
    parameter: 'is_web_public',
  })
}

/** @throws BAD_REQUEST no such channel folder, or an archived one */
export function requireFolder(read: Read, folderId: number | null): void {
  if (folderId === null) return
  const folder = findFolder(read, folderId)
  if (!folder || folder.isArchived)
    throw badRequest(sentSentence('Invalid channel folder ID'), { parameter: 'folder_id' })
}

function isEveryone(read: Read, value: GroupSettingValue): boolean {
  const group = canonical(value)
  return typeof group === 'number' && systemGroupName(read, group) === 'role:everyone'
}

function requireRights(read: Read, user: User, settings: ChannelSettings): void {
  const { groups } = settings
  if (settings.isDefault || settings.defaultPushNotifications) requireAdministrator(user)
  if (settings.retentionDays !== null) requireOwner(user)
  const setsDeletion =
    groups.can_delete_any_message_group !== undefined ||
    groups.can_delete_own_message_group !== undefined
  if (
    (settings.topicsPolicy !== 'inherit' && !can(read, user, 'can_set_topics_policy_group')) ||
    (setsDeletion && !can(read, user, 'can_set_delete_message_policy_group'))
  ) {
    throw badRequest(sentSentence('Insufficient permission'))
  }
}
