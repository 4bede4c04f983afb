import { extendedSettings } from '#features/foundation/realm/settings.ts'
import * as shape from '#platform/shape.ts'
import { permissionRules } from './table.ts'

/** @source Zulip API, "Group-setting values" */
const groupSettingShape = shape.titled(
  'GroupSettingValue',
  shape.either(
    shape.integer,
    shape.named('AnonymousGroup', {
      direct_members: shape.list(shape.integer),
      direct_subgroups: shape.list(shape.integer),
    }),
  ),
)

const supportedSetting = shape.named('SupportedPermissionSetting', {
  require_system_group: shape.boolean,
  allow_internet_group: shape.boolean,
  allow_nobody_group: shape.boolean,
  allow_everyone_group: shape.boolean,
  default_group_name: shape.string,
  default_for_system_groups: shape.nullable(shape.string),
  allowed_system_groups: shape.list(shape.string),
})

/** The shapes of all permission settings of a scope, by wire name. */
export function permissionShapes<S extends keyof typeof permissionRules>(scope: S) {
  const members = Object.entries(permissionRules[scope]).map(([name, { description }]) => {
    const member = shape.noted(groupSettingShape, description)
    return [name, isLater(scope, name) ? shape.extended(member) : member]
  })
  return Object.fromEntries(members) as Record<
    keyof (typeof permissionRules)[S] & string,
    typeof groupSettingShape
  >
}

/** Whether only clients with `extended_members` get a permission. */
const isLater = (scope: keyof typeof permissionRules, name: string) =>
  scope === 'realm' && extendedSettings.has(name)

const supportedInRealm = Object.keys(permissionRules.realm).map((name) => [
  name,
  isLater('realm', name) ? shape.extended(supportedSetting) : supportedSetting,
])

const later: Record<string, typeof supportedSetting> = {
  can_create_topic_group: shape.extended(supportedSetting, 441) as never,
}

export const supportedPermissionShape = shape.named('SupportedPermissionSettings', {
  realm: shape.named(
    'SupportedRealmPermissions',
    Object.fromEntries(supportedInRealm) as Record<string, typeof supportedSetting>,
  ),
  stream: shape.named('SupportedChannelPermissions', {
    ...shape.each(Object.keys(permissionRules.stream), supportedSetting),
    ...later,
  }),
  group: shape.named(
    'SupportedGroupPermissions',
    shape.each(Object.keys(permissionRules.group), supportedSetting),
  ),
})
