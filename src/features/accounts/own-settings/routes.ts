import { askEmailChange } from '#features/accounts/email-change/actions.ts'
import { addressQuota, mailQuota } from '#features/mail/quotas.ts'
import { hashPassword, verifyPassword } from '#features/users/passwords.ts'
import type { User } from '#features/users/queries.ts'
import { requirePassword } from '#features/users/rules.ts'
import { userSettingRules } from '#features/users/settings.ts'
import { badRequest, missingArgument } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { optional, text, word } from '#platform/http/params.ts'
import { settingParams } from '#platform/http/setting-params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as actions from './actions.ts'

const longText = 1000

/**
 * Changes the caller's own settings, name, address, time zone and password. If the server can send
 * mail, a new address takes effect when the user opens the link mailed to it.
 *
 * @source Zulip API, "Update settings"
 */
export const changeSettings = endpoint({
  method: 'patch',
  path: '/settings',
  summary: "Change the caller's settings, name, address, time zone or password.",
  description: limitsText(mailQuota, addressQuota),
  params: {
    full_name: optional(word(longText)),
    email: optional(word(longText)),
    timezone: optional(word(longText)),
    old_password: optional(text(longText)),
    new_password: optional(text(longText)),
    ...settingParams(userSettingRules),
  },
  reply: {},
  async run(caller, p, { server, countGuess }) {
    const { full_name, email, timezone, old_password, new_password, ...settings } = p
    if (old_password !== undefined) countGuess(caller.user.id)
    const password = await newPassword(caller.user, old_password, new_password)
    await caller.store.write((tx, user) => {
      actions.changeOwnSettings(tx, user.id, {
        settings,
        fullName: full_name,
        timezone,
      })
      if (password) actions.changePassword(tx, server.queues, user, password)
      if (email !== undefined) askEmailChange(tx, server, user.id, email)
    })
  },
})

/**
 * Hashing is slow, so it happens before the write, which checks that the old hash is still stored.
 */
async function newPassword(
  user: User,
  oldPassword: string | undefined,
  wanted: string | undefined,
): Promise<actions.NewPassword | undefined> {
  if (oldPassword === undefined && wanted === undefined) return undefined
  if (wanted === undefined) throw missingArgument('new_password')
  if (oldPassword === undefined) throw missingArgument('old_password')
  requirePassword(wanted)
  if (!(await verifyPassword(oldPassword, user.passwordHash))) throw badRequest('Wrong password!')
  return { oldHash: user.passwordHash, newHash: await hashPassword(wanted) }
}
