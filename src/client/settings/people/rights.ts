import type { RealmPermission } from '#client/api/wire.ts'
import { choiceText } from '#client/settings/ui/group-names.ts'
import { settingFromWire } from '#client/state/from-wire.ts'
import type { User } from '#client/state/model.ts'
import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'

/**
 * The user's permissions over other people, by the rules of the server. They only hide actions that
 * the server would refuse. Those for a channel or group are in their `rights.ts`.
 */

/**
 * The people who may change an account if the user may not: administrators, or owners for owners.
 */
export function accountLock(store: Store, { role, isBot }: User): string | undefined {
  const { is_owner, is_admin } = store.realm.value
  if (is_owner) return undefined
  if (role === 100 && !isBot) return t('Only owners can change the account of an owner.')
  return is_admin ? undefined : t('Only administrators can change this.')
}

/** The holders of a permission of the organization that the user lacks. */
export function permissionLock(store: Store, name: RealmPermission): string | undefined {
  if (can(store, name)) return undefined
  const who = choiceText(settingFromWire(store.realm.value[`realm_${name}`]), store)
  return t('People who can do this: {who}.', { who })
}

/** Whether the user may make bots that only post, such as incoming webhooks. */
export function mayCreateWebhooks(store: Store): boolean {
  return can(store, 'can_create_bots_group') || can(store, 'can_create_write_only_bots_group')
}
