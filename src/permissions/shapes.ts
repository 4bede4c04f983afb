import { boolean, each, either, integer, list, named, nullable, string, titled } from '#shape.ts'
import { permissionRules } from './table.ts'

/** @source contract, "Conventions": group-setting value */
const groupSettingShape = titled(
  'GroupSettingValue',
  either(
    integer,
    named('AnonymousGroup', { direct_members: list(integer), direct_subgroups: list(integer) }),
  ),
)

const supportedSetting = named('SupportedPermissionSetting', {
  require_system_group: boolean,
  allow_internet_group: boolean,
  allow_nobody_group: boolean,
  allow_everyone_group: boolean,
  default_group_name: string,
  default_for_system_groups: nullable(string),
  allowed_system_groups: list(string),
})

/** The permission settings of a scope, each with who holds it. */
export function permissionShapes<S extends keyof typeof permissionRules>(scope: S) {
  const names = Object.keys(permissionRules[scope]) as (keyof (typeof permissionRules)[S] &
    string)[]
  return each(names, groupSettingShape)
}

export const supportedPermissionShape = named('SupportedPermissionSettings', {
  realm: named(
    'SupportedRealmPermissions',
    each(Object.keys(permissionRules.realm), supportedSetting),
  ),
  stream: named(
    'SupportedChannelPermissions',
    each(Object.keys(permissionRules.stream), supportedSetting),
  ),
  group: named(
    'SupportedGroupPermissions',
    each(Object.keys(permissionRules.group), supportedSetting),
  ),
})
