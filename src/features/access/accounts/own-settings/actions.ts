import { replacePassword } from '#features/access/accounts/credentials.actions.ts'
import { presenceToggled } from '#features/foundation/presence/actions.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { changeAddresses } from '#features/foundation/users/address-changes.actions.ts'
import { emitConsent } from '#features/foundation/users/consent.events.ts'
import { emitUserUpdate } from '#features/foundation/users/events.ts'
import { findUser, roles, type User, updateUser } from '#features/foundation/users/queries.ts'
import { requireFullName } from '#features/foundation/users/rules.ts'
import { setUserSetting, userSetting } from '#features/foundation/users/settings.queries.ts'
import type { UserSettingName, UserSettings } from '#features/foundation/users/settings.ts'
import { forgetDrafts } from '#features/messaging/drafts/actions.ts'
import { emitUserStatus } from '#features/people/user-status/events.ts'
import { badRequest } from '#platform/errors.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/store.ts'
import { isTimeZone } from '#platform/time-zone-names.ts'
import { sentSentence } from '#translations/translate.ts'
import { emitUserSetting } from './events.ts'

export interface NewPassword {
  /** The hash that matched the old password. */
  readonly oldHash: string | null
  readonly newHash: string
}

export interface OwnChanges {
  readonly settings: { readonly [N in UserSettingName]?: UserSettings[N] | undefined }
  readonly fullName?: string | undefined
  readonly timezone?: string | undefined
}

/**
 * Changes a user's own name, time zone and settings, and emits what changed. Unchanged
 * values emit nothing.
 *
 * @throws BAD_REQUEST the organization forbids it, or an invalid name or time zone
 * @source Zulip API, "Update settings"
 */
export function changeOwnSettings(tx: Tx, userId: number, changes: OwnChanges): void {
  const user = findUser(tx, userId)
  if (!user) return
  if (changes.fullName !== undefined && changes.fullName.trim() !== user.fullName) {
    requireNameChanges(tx, user)
    changeFullName(tx, user, changes.fullName)
  }
  if (changes.timezone !== undefined) changeTimezone(tx, user, changes.timezone)
  for (const name of Object.keys(changes.settings) as UserSettingName[]) {
    changeSetting(tx, userId, name, changes.settings[name])
  }
}

/** @throws BAD_REQUEST only administrators may change names here */
function requireNameChanges(tx: Tx, user: User): void {
  if (user.role <= roles.admin || !realmSetting(tx, 'name_changes_disabled')) return
  throw badRequest(sentSentence('Name changes are disabled in this organization.'), {
    parameter: 'full_name',
  })
}

/**
 * Changes a user's name.
 *
 * @throws BAD_REQUEST an invalid name, or a taken one where names must be unique
 */
export function changeFullName(tx: Tx, user: User, name: string): void {
  if (name !== user.fullName) storeFullName(tx, user, requireFullName(tx, name, user.id))
}

/** Stores a checked name of a user, and emits it. */
export function storeFullName(tx: Tx, user: User, fullName: string): void {
  if (fullName === user.fullName) return
  emitUserUpdate(tx, updateUser(tx, user.id, { fullName }), { full_name: fullName })
}

function changeTimezone(tx: Tx, user: User, timezone: string): void {
  if (timezone === user.timezone) return
  if (timezone !== '' && !isTimeZone(timezone))
    throw badRequest(sentSentence('Invalid timezone'), { parameter: 'timezone' })
  const changed = updateUser(tx, user.id, { timezone })
  emitUserSetting(tx, changed, 'timezone', timezone)
  emitUserUpdate(tx, changed, { email: changed.apiEmail, timezone })
}

/**
 * Changes a user's own password, as `replacePassword` does.
 *
 * @throws BAD_REQUEST the password has changed since the old one was checked
 */
export function changePassword(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf'>,
  user: User,
  { oldHash, newHash }: NewPassword,
): void {
  if (user.passwordHash !== oldHash)
    throw badRequest(sentSentence('Wrong password!'), { parameter: 'old_password' })
  replacePassword(tx, queues, user.id, newHash)
}

function changeSetting<N extends UserSettingName>(
  tx: Tx,
  userId: number,
  name: N,
  value: UserSettings[N] | undefined,
): void {
  const user = findUser(tx, userId)
  if (!user || value === undefined || value === userSetting(tx, userId, name)) return
  const change = () => {
    setUserSetting(tx, userId, name, value)
    emitUserSetting(tx, user, name, value)
    if (name === 'allow_private_data_export') emitConsent(tx, user)
    if (name === 'enable_drafts_synchronization' && !value) forgetDrafts(tx, userId)
    if (name === 'presence_enabled') {
      emitUserStatus(tx, user, { away: !value })
      presenceToggled(tx, user, value === true)
    }
  }
  if (name === 'email_address_visibility') changeAddresses(tx, user, change)
  else change()
}
