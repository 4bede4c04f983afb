import type { RealmPermission } from '#features/foundation/permissions/table.ts'
import type { RealmSettingName } from '#features/foundation/realm/settings.ts'

/** Settings about joining, permissions and retention that administrators may not change. */
export const ownerOnly: ReadonlySet<RealmSettingName | RealmPermission> = new Set([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'password_auth_enabled',
  'two_factor_required',
  'waiting_period_threshold',
])
