import { requestEmailChange } from '#features/access/accounts/email-change/actions.ts'
import { addressQuota, mailQuota } from '#features/foundation/mail/quotas.ts'
import { longestFullName } from '#features/foundation/users/full-names.ts'
import { requireOwnPassword } from '#features/foundation/users/own-password.params.ts'
import { hashCost, hashPassword, passwordLengths } from '#features/foundation/users/passwords.ts'
import { requirePassword } from '#features/foundation/users/rules.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { checking, missingArgument } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import { optional, text, tidied, word } from '#platform/http/params.ts'
import { passwordTokens } from '#platform/http/rate-limit.ts'
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
export const changeSettings = settingsEndpoint('/settings')

/** The paths that settings had before feature level 80; clients still call them. */
export const changeNotificationSettings = settingsEndpoint('/settings/notifications')
export const changeDisplaySettings = settingsEndpoint('/settings/display')

function settingsEndpoint(path: string) {
  const isOld = path !== '/settings'
  return endpoint({
    method: 'patch',
    path,
    summary: isOld
      ? "Change the caller's settings, as `PATCH /settings` does."
      : "Change the caller's settings, name, address, time zone or password.",
    ...(isOld && { deprecated: true }),
    description: limitsText(mailQuota, addressQuota),
    params: {
      full_name: optional(tidied(word(longText), longestFullName)),
      email: optional(word(longText)),
      timezone: optional(word(longText)),
      old_password: optional(text(longText)),
      new_password: optional(text(longText)),
      ...settingParams(userSettingRules),
    },
    reply: {},
    async run(caller, p, request) {
      const { server } = request
      const { full_name, email, timezone, old_password, new_password, ...settings } = p
      const password = await newPassword(caller, old_password, new_password, request)
      await caller.store.write((tx, user) => {
        actions.changeOwnSettings(tx, user.id, {
          settings,
          fullName: full_name,
          timezone,
        })
        if (password) actions.changePassword(tx, server.queues, user, password)
        if (email !== undefined) requestEmailChange(tx, server, user.id, email)
      })
    },
  })
}

/**
 * Hashing is slow, so it happens before the write, which checks that the old hash is still stored.
 *
 * @throws BAD_REQUEST; RATE_LIMIT_HIT too many passwords of the account were wrong
 */
async function newPassword(
  caller: Caller,
  oldPassword: string | undefined,
  wanted: string | undefined,
  request: Pick<RequestFacts, 'server' | 'charge' | 'guess'>,
): Promise<actions.NewPassword | undefined> {
  const { server } = request
  if (oldPassword === undefined && wanted === undefined) return undefined
  if (wanted === undefined) throw missingArgument('new_password')
  if (oldPassword === undefined) throw missingArgument('old_password')
  checking('new_password', () => requirePassword(wanted, passwordLengths(server.config)))
  const { passwordHash: oldHash } = await requireOwnPassword(
    caller,
    oldPassword,
    request,
    'old_password',
  )
  request.charge(passwordTokens)
  return { oldHash, newHash: await hashPassword(wanted, hashCost(server.config)) }
}
