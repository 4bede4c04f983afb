import { extendedSettings } from '#features/foundation/realm/settings.ts'
import { without } from '#platform/events/extended.ts'
import { type PermissionRule, permissionRules } from './table.ts'

/**
 * The values that a permission setting allows.
 *
 * @source Zulip API, "Register an event queue": `server_supported_permission_settings`
 */
interface SupportedSetting {
  require_system_group: boolean
  allow_internet_group: boolean
  allow_nobody_group: boolean
  allow_everyone_group: boolean
  default_group_name: string
  default_for_system_groups: string | null
  allowed_system_groups: readonly string[]
}

const extended = {
  realm: supportedSettings(permissionRules.realm),
  stream: supportedSettings(permissionRules.stream),
  group: supportedSettings(permissionRules.group),
}
const plain = {
  ...extended,
  realm: without(extended.realm, [...extendedSettings.keys()]),
  stream: without(extended.stream, ['can_create_topic_group']),
}

/**
 * `server_supported_permission_settings`: the permission rules on the wire.
 *
 * @param isExtended whether the client asked for `extended_members`
 */
export function supportedPermissionSettings(isExtended: boolean): typeof plain {
  return isExtended ? extended : plain
}

function supportedSettings(
  rules: Readonly<Record<string, PermissionRule>>,
): Record<string, SupportedSetting> {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, supportedSetting(rule)]),
  )
}

function supportedSetting(rule: PermissionRule): SupportedSetting {
  const { default: defaultGroup, onlySystemGroups = [] } = rule
  return {
    require_system_group: onlySystemGroups.length > 0,
    allow_internet_group: false,
    allow_nobody_group: rule.nobody,
    allow_everyone_group: rule.everyone,
    // The API renamed it to `channel_creator` at feature level 427.
    default_group_name:
      defaultGroup === 'channel_creator' ? 'stream_creator_or_nobody' : defaultGroup,
    default_for_system_groups: rule.forSystemGroups ?? null,
    allowed_system_groups: onlySystemGroups,
  }
}
