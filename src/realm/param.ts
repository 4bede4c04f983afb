import * as v from 'valibot'
import { json, jsonOrWord, optional, type Param } from '#http/params.ts'
import { settingParams } from '#http/setting-params.ts'
import { groupSettingUpdateSchema } from '#permissions/param.ts'
import { permissionRules, type RealmPermission } from '#permissions/table.ts'
import type { GroupSettingUpdate } from '#permissions/values.ts'
import { userSettingRules } from '#users/settings.ts'
import { type RealmSettingName, realmSettingRules } from './settings.ts'

const { allow_private_data_export: _, ...defaultRules } = userSettingRules

/** What new users can be made to start with. */
export const userDefaultParams = settingParams(defaultRules)

/** A setting in which the API writes a word for a value that is none of the others. */
function withWord<T>(
  { schema }: { schema: v.GenericSchema<unknown, T> },
  word: string,
  meaning: T,
): Param<T | undefined> {
  const spelled = v.pipe(
    v.literal(word),
    v.transform((): T => meaning),
  )
  return optional(jsonOrWord(v.union([spelled, schema])))
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

const permissionUpdate = optional(json(groupSettingUpdateSchema))

export const permissionParams = Object.fromEntries(
  Object.keys(permissionRules.realm).map((name) => [name, permissionUpdate]),
) as Readonly<Record<RealmPermission, typeof permissionUpdate>>

/** What the parameters of `PATCH /realm` change, apart by kind. */
export function splitChanges(values: Readonly<Record<string, unknown>>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const isPermission = (name: string) => name in permissionParams
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
