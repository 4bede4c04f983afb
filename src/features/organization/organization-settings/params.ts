import * as v from 'valibot'
import {
  groupSettingUpdateSchema,
  permissionParams,
} from '#features/foundation/permissions/params.ts'
import type { GroupSettingUpdate } from '#features/foundation/permissions/setting-values.rules.ts'
import type { RealmPermission } from '#features/foundation/permissions/table.ts'
import { type RealmSettingName, realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { described, jsonOrWord, optional, type Param } from '#platform/http/params.ts'
import { settingParams } from '#platform/http/setting-params.ts'

const { allow_private_data_export: _, ...defaultRules } = userSettingRules

/** The user settings whose defaults can be changed. */
export const userDefaultParams = settingParams(defaultRules)

/** A parameter for a setting with one special value, which the API spells as a word. */
function withWord<T>(
  { schema }: { schema: v.GenericSchema<unknown, T> },
  word: string,
  meaning: T,
): Param<T | undefined> {
  const spelled = v.pipe(
    v.literal(word),
    v.transform((): T => meaning),
  )
  const param = optional(jsonOrWord(v.union([spelled, schema])))
  const description = v.getDescription(schema)
  return description === undefined ? param : described(param, description)
}

const limit = (name: keyof typeof realmSettingRules & `${string}_limit_seconds`) =>
  withWord(realmSettingRules[name], 'unlimited', null)

export const plainParams = {
  ...settingParams(realmSettingRules),
  jitsi_server_url: withWord(realmSettingRules.jitsi_server_url, 'default', null),
  message_content_delete_limit_seconds: limit('message_content_delete_limit_seconds'),
  message_content_edit_limit_seconds: limit('message_content_edit_limit_seconds'),
  message_retention_days: withWord(realmSettingRules.message_retention_days, 'unlimited', -1),
  move_messages_between_streams_limit_seconds: limit('move_messages_between_streams_limit_seconds'),
  move_messages_within_stream_limit_seconds: limit('move_messages_within_stream_limit_seconds'),
}

export const realmPermissionParams = permissionParams('realm', groupSettingUpdateSchema)

/** Splits the parameters of `PATCH /realm` into plain and permission settings. */
export function splitChanges(values: Readonly<Record<string, unknown>>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const isPermission = (name: string) => name in realmPermissionParams
  return {
    settings: new Map(given.filter(([name]) => !isPermission(name))) as ReadonlyMap<
      RealmSettingName,
      unknown
    >,
    permissions: new Map(given.filter(([name]) => isPermission(name))) as ReadonlyMap<
      RealmPermission,
      GroupSettingUpdate
    >,
  }
}
