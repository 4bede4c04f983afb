import * as v from 'valibot'
import {
  groupSettingSchema,
  groupSettingUpdateSchema,
  permissionParams,
} from '#features/foundation/permissions/params.ts'
import type { ChannelPermission } from '#features/foundation/permissions/table.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import {
  bool,
  described,
  eitherOf,
  int,
  isInt,
  json,
  jsonOrWord,
  oneOf,
  optional,
  prose,
  text,
  tidied,
  type Values,
  withDefault,
} from '#platform/http/params.ts'
import { topicsPolicies } from '#platform/store/schema.ts'
import { sentSentence } from '#translations/translate.ts'
import type { ChannelChanges } from './changes.ts'
import type { ChannelSettings } from './creation.rules.ts'
import { channelPermissions } from './json.ts'

const retention = eitherOf(
  [v.picklist(['realm_default', 'unlimited']), v.pipe(isInt, v.minValue(1))],
  sentSentence('{name} is not a number of days above 0, "realm_default" or "unlimited"'),
)

/** The name of a channel to be. */
export const channelName = tidied(text(1000), limits.channelNameLength)

/** The most users whom one request subscribes to channels or unsubscribes from them. */
export const mostPrincipals = 5000

/**
 * The settings that a channel can be created with.
 *
 * @source Zulip API, "Create a channel"
 */
export const creationParams = {
  invite_only: withDefault(bool(), false),
  is_web_public: withDefault(bool(), false),
  is_default_stream: withDefault(bool(), false),
  history_public_to_subscribers: optional(bool()),
  message_retention_days: optional(jsonOrWord(retention)),
  folder_id: optional(int()),
  topics_policy: withDefault(oneOf(topicsPolicies), 'inherit'),
  default_push_notifications: withDefault(bool(), false),
  ...permissionParams('stream', groupSettingSchema),
}

/** Converts the parameters to the settings of a new channel. */
export function creationSettings(p: Values<typeof creationParams>): ChannelSettings {
  return {
    isPrivate: p.invite_only,
    isWebPublic: p.is_web_public,
    isDefault: p.is_default_stream,
    historyPublic: p.history_public_to_subscribers ?? null,
    retentionDays: retentionDays(p.message_retention_days),
    folderId: p.folder_id ?? null,
    topicsPolicy: p.topics_policy,
    defaultPushNotifications: p.default_push_notifications,
    groups: named(p),
  }
}

/**
 * The properties of a channel that can be changed.
 *
 * @source Zulip API, "Update a channel"
 */
export const editingParams = {
  new_name: described(optional(channelName), 'At most `max_stream_name_length` code points.'),
  description: described(
    optional(prose(limits.channelDescriptionLength)),
    'Markdown, of at most `max_stream_description_length` code points.',
  ),
  is_private: optional(bool()),
  is_web_public: optional(bool()),
  history_public_to_subscribers: optional(bool()),
  is_default_stream: optional(bool()),
  is_archived: optional(bool()),
  message_retention_days: optional(jsonOrWord(retention)),
  folder_id: optional(json(v.nullable(isInt))),
  topics_policy: optional(oneOf(topicsPolicies)),
  default_push_notifications: optional(bool()),
  ...permissionParams('stream', groupSettingUpdateSchema),
}

/** Converts the parameters to changes of a channel. */
export function editedSettings(p: Values<typeof editingParams>): ChannelChanges {
  const requestedRetention = p.message_retention_days
  return {
    name: p.new_name,
    description: p.description,
    isPrivate: p.is_private,
    isWebPublic: p.is_web_public,
    historyPublic: p.history_public_to_subscribers,
    isDefault: p.is_default_stream,
    isArchived: p.is_archived,
    retentionDays: requestedRetention === undefined ? undefined : retentionDays(requestedRetention),
    folderId: p.folder_id,
    topicsPolicy: p.topics_policy,
    defaultPushNotifications: p.default_push_notifications,
    groups: named(p),
  }
}

/** The permission settings that a request contains. */
function named<T>(
  p: Record<ChannelPermission, T | undefined>,
): Partial<Record<ChannelPermission, T>> {
  const groups: Partial<Record<ChannelPermission, T>> = {}
  for (const setting of channelPermissions) {
    const value = p[setting]
    if (value !== undefined) groups[setting] = value
  }
  return groups
}

function retentionDays(requested: v.InferOutput<typeof retention> | undefined): number | null {
  if (requested === undefined || requested === 'realm_default') return null
  return requested === 'unlimited' ? -1 : requested
}
