import { type PermissionRule, permissionRules } from './table.ts'

/** What may be chosen for a permission setting. @source api-changes §5 */
interface SupportedSetting {
  require_system_group: boolean
  allow_internet_group: boolean
  allow_nobody_group: boolean
  allow_everyone_group: boolean
  default_group_name: string
  default_for_system_groups: string | null
  allowed_system_groups: readonly string[]
}

/** `server_supported_permission_settings`: the table of permissions as clients read it. */
export const supportedPermissionSettings = {
  realm: supportedSettings(permissionRules.realm),
  stream: supportedSettings(permissionRules.stream),
  group: supportedSettings(permissionRules.group),
}

function supportedSettings(
  rules: Readonly<Record<string, PermissionRule>>,
): Record<string, SupportedSetting> {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, supportedSetting(rule)]),
  )
}

function supportedSetting(rule: PermissionRule): SupportedSetting {
  const { default: usual, onlySystemGroups = [] } = rule
  return {
    require_system_group: onlySystemGroups.length > 0,
    allow_internet_group: false,
    allow_nobody_group: rule.nobody,
    allow_everyone_group: rule.everyone,
    // Since level 427 clients know it as `channel_creator`.
    default_group_name: usual === 'channel_creator' ? 'stream_creator_or_nobody' : usual,
    default_for_system_groups: rule.forSystemGroups ?? null,
    allowed_system_groups: onlySystemGroups,
  }
}
