import type { PermissionRule } from '#client/api/wire.ts'

/** Every group of people who have accounts: for lists of people, which no permission rules. */
export const anyGroup: PermissionRule = {
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: false,
  allow_everyone_group: true,
  allowed_system_groups: [],
  default_group_name: 'role:everyone',
  default_for_system_groups: null,
}
