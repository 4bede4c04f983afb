import { forgetDrafts } from '#drafts/actions.ts'
import { badRequest } from '#errors.ts'
import { emitConsent } from '#exports/events.ts'
import { deleteAllMailLinksAbout } from '#mail/links.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import { changeAddresses } from '#users/address-changes.ts'
import { emitUserUpdate } from '#users/events.ts'
import { findUser, roles, type User, updateUser } from '#users/queries.ts'
import { requireFullName } from '#users/rules.ts'
import { deleteSessionsOf } from '#users/sessions/queries.ts'
import {
  setUserSetting,
  type UserSettingName,
  type UserSettings,
  userSetting,
} from '#users/settings.ts'
import { emitUserStatus } from '#users/status/events.ts'
import { emitUserSetting } from './events.ts'

export interface NewPassword {
  /** The hash that the old password was found to be right for. */
  readonly oldHash: string | null
  readonly newHash: string
}

export interface OwnChanges {
  readonly settings: { readonly [N in UserSettingName]?: UserSettings[N] | undefined }
  readonly fullName?: string | undefined
  readonly timezone?: string | undefined
  readonly password?: NewPassword | undefined
}

/**
 * Changes a user's own name, time zone, password and settings, and tells whom each concerns. What
 * stays as it is causes no event.
 *
 * @throws BAD_REQUEST where the organization forbids it, and for an impossible name or time zone
 * @source the API description of `PATCH /settings`
 */
export function changeOwnSettings(tx: Tx, userId: number, changes: OwnChanges): void {
  const user = findUser(tx, userId)
  if (!user) return
  if (changes.fullName !== undefined && changes.fullName.trim() !== user.fullName) {
    requireNameChanges(tx, user)
    changeFullName(tx, user, changes.fullName)
  }
  if (changes.timezone !== undefined) changeTimezone(tx, user, changes.timezone)
  if (changes.password) changePassword(tx, user, changes.password)
  for (const name of Object.keys(changes.settings) as UserSettingName[]) {
    changeSetting(tx, userId, name, changes.settings[name])
  }
}

/** @throws BAD_REQUEST where only administrators change names, their own too */
function requireNameChanges(tx: Tx, user: User): void {
  if (user.role <= roles.admin || !realmSetting(tx, 'name_changes_disabled')) return
  throw badRequest('Name changes are disabled in this organization.')
}

/** Gives a user another name. @throws BAD_REQUEST an impossible name, or one that is taken */
export function changeFullName(tx: Tx, user: User, name: string): void {
  const fullName = requireFullName(tx, name, user.id)
  if (fullName === user.fullName) return
  emitUserUpdate(tx, updateUser(tx, user.id, { fullName }), { full_name: fullName })
}

function changeTimezone(tx: Tx, user: User, timezone: string): void {
  if (timezone === user.timezone) return
  if (!isTimezone(timezone)) throw badRequest('Invalid timezone')
  const changed = updateUser(tx, user.id, { timezone })
  emitUserSetting(tx, changed, 'timezone', timezone)
  emitUserUpdate(tx, changed, { email: changed.apiEmail, timezone })
}

/** Whether this is an IANA identifier, an old name such as `US/Eastern` among them. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * Whoever is logged in with the old password has to log in anew, and what waits to be confirmed by
 * mail is given up; API keys stay.
 */
function changePassword(tx: Tx, user: User, { oldHash, newHash }: NewPassword): void {
  if (user.passwordHash !== oldHash) throw badRequest('Wrong password!')
  updateUser(tx, user.id, { passwordHash: newHash })
  deleteSessionsOf(tx, user.id)
  deleteAllMailLinksAbout(tx, user.id)
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
    if (name === 'presence_enabled') emitUserStatus(tx, user, { away: !value })
  }
  if (name === 'email_address_visibility') changeAddresses(tx, user, change)
  else change()
}
