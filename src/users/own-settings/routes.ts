import { badRequest, missingArgument } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { optional, text, word } from '#http/params.ts'
import { settingParams } from '#http/setting-params.ts'
import { askEmailChange } from '#users/email-change/actions.ts'
import { hashPassword, verifyPassword } from '#users/passwords.ts'
import type { User } from '#users/queries.ts'
import { requirePassword } from '#users/rules.ts'
import { userSettingRules } from '#users/settings.ts'
import * as actions from './actions.ts'

const longText = 1000

/**
 * Changes the caller's own settings, name, address, time zone and password. Where mail can be sent,
 * a new address counts when the link in a mail to it is opened.
 *
 * @source the API description of `PATCH /settings`; api-changes §7c
 */
export const changeSettings = endpoint({
  method: 'patch',
  path: '/settings',
  summary: "Change the caller's settings, name, address, time zone or password.",
  params: {
    full_name: optional(word(longText)),
    email: optional(word(longText)),
    timezone: optional(word(longText)),
    old_password: optional(text(longText)),
    new_password: optional(text(longText)),
    ...settingParams(userSettingRules),
  },
  reply: {},
  async run({ store, user }, p, { server, countGuess }) {
    const { full_name, email, timezone, old_password, new_password, ...settings } = p
    if (old_password !== undefined) countGuess(user.id)
    const password = await newPassword(user, old_password, new_password)
    await store.write((tx) => {
      actions.changeOwnSettings(tx, user.id, {
        settings,
        fullName: full_name,
        timezone,
        password,
      })
      if (email !== undefined) askEmailChange(tx, server, user.id, email)
    })
  },
})

/** Hashing is slow, so it happens before the write, which looks whether the hash still holds. */
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
