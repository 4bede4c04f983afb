import * as v from 'valibot'
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
  type Param,
  text,
  type Values,
  withDefault,
} from '#http/params.ts'
import { groupSettingSchema, groupSettingUpdateSchema } from '#permissions/param.ts'
import type { ChannelPermission } from '#permissions/table.ts'
import type { GroupSettingUpdate, GroupSettingValue } from '#permissions/values.ts'
import { topicsPolicies } from '#store/schema.ts'
import type { ChannelSettings } from './creation.ts'
import type { ChannelChanges } from './editing.ts'
import { channelPermissions } from './json.ts'

const retention = eitherOf(
  [v.picklist(['realm_default', 'unlimited']), v.pipe(isInt, v.minValue(1))],
  'a number of days above 0, "realm_default" or "unlimited"',
)

const groupParams = Object.fromEntries(
  channelPermissions.map((setting) => [setting, optional(json(groupSettingSchema))]),
) as Record<ChannelPermission, Param<GroupSettingValue | undefined>>

/**
 * The settings that a channel can be created with.
 *
 * @source contract, "Subscribe to a channel"; api-changes §3b
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
  ...groupParams,
}

/** The settings that a client asked for, in our words. */
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

const groupUpdateParams = Object.fromEntries(
  channelPermissions.map((setting) => [setting, optional(json(groupSettingUpdateSchema))]),
) as Record<ChannelPermission, Param<GroupSettingUpdate | undefined>>

/**
 * What of a channel can be changed.
 *
 * @source contract, "Update a channel"; api-changes §3b
 */
export const editingParams = {
  new_name: described(optional(text()), 'At most `max_stream_name_length` code points.'),
  description: described(
    optional(text()),
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
  ...groupUpdateParams,
}

/** The changes that a client asked for, in our words. */
export function editedSettings(p: Values<typeof editingParams>): ChannelChanges {
  const retentionAsked = p.message_retention_days
  return {
    name: p.new_name,
    description: p.description,
    isPrivate: p.is_private,
    isWebPublic: p.is_web_public,
    historyPublic: p.history_public_to_subscribers,
    isDefault: p.is_default_stream,
    isArchived: p.is_archived,
    retentionDays: retentionAsked === undefined ? undefined : retentionDays(retentionAsked),
    folderId: p.folder_id,
    topicsPolicy: p.topics_policy,
    defaultPushNotifications: p.default_push_notifications,
    groups: named(p),
  }
}

/** The permission settings that a request names. */
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

function retentionDays(asked: v.InferOutput<typeof retention> | undefined): number | null {
  if (asked === undefined || asked === 'realm_default') return null
  return asked === 'unlimited' ? -1 : asked
}
