import { queueCredentialMail } from '#features/foundation/mail/credential-changes.actions.ts'
import { requireAdministrator, requireOwner } from '#features/foundation/permissions/rules.ts'
import { deleteAttemptsOf } from '#features/foundation/sessions/attempts.queries.ts'
import { accessUser } from '#features/foundation/users/access.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { newRecoveryCodes, newSecret, recoveryHash, stepOfCode } from './codes.ts'
import {
  deleteRecoveryHash,
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryHashes,
  replaceSecondFactor,
  updateLastStep,
} from './queries.ts'
import { hasSecondFactor } from './rules.ts'

/**
 * Begins to set up a second factor. It takes effect when `finishEnrolment` gets a code.
 *
 * @param begunBy the session or key that does so
 * @returns the secret for the person's app, in base32
 * @throws BAD_REQUEST a bot, or an account that has a second factor
 */
export function beginEnrolment(tx: Tx, user: User, begunBy: string): string {
  if (user.botType !== null)
    throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
  requireOff(tx, user.id)
  const secret = newSecret()
  replaceSecondFactor(tx, { userId: user.id, secret, isOn: false, lastStep: 0, begunBy })
  return secret
}

/**
 * Switches on the second factor that the same session or key began to set up.
 *
 * @returns as `switchOn`
 * @throws BAD_REQUEST there is nothing to finish
 */
export function finishEnrolment(
  tx: Tx,
  user: User,
  begunBy: string,
  code: string,
): string[] | undefined {
  const factor = findSecondFactor(tx, user.id)
  if (!factor || factor.isOn || factor.begunBy !== begunBy) {
    throw badRequest(sentSentence('Start setting up two-factor authentication first.'))
  }
  return switchOn(tx, user, factor.secret, code)
}

/**
 * Switches a second factor on, by a code of the app that has the secret. Ends all incomplete
 * log-ins of the account: others may wait with a secret of their own.
 *
 * @returns the recovery codes, which nobody can read again; undefined: a wrong code
 * @throws BAD_REQUEST the account has a second factor
 */
export function switchOn(tx: Tx, user: User, secret: string, code: string): string[] | undefined {
  const userId = user.id
  requireOff(tx, userId)
  const step = stepOfCode(secret, code, tx.clock.now(), 0)
  if (step === undefined) return undefined
  queueCredentialMail(tx, user, 'secondFactorOn')
  replaceSecondFactor(tx, { userId, secret, isOn: true, lastStep: step })
  deleteAttemptsOf(tx, userId)
  return replaceRecoveryCodes(tx, userId)
}

/**
 * Replaces the recovery codes of an account with a second factor.
 *
 * @returns the new ones
 * @throws BAD_REQUEST it has none
 */
export function renewRecoveryCodes(tx: Tx, user: User): string[] {
  requireOn(tx, user.id)
  queueCredentialMail(tx, user, 'recoveryCodes')
  return replaceRecoveryCodes(tx, user.id)
}

function replaceRecoveryCodes(tx: Tx, userId: number): string[] {
  const codes = newRecoveryCodes()
  replaceRecoveryHashes(tx, userId, codes.map(recoveryHash))
  return codes
}

/**
 * Switches a second factor off, and ends the log-ins that wait for its code.
 *
 * @param why the reason for the mail to the user
 * @throws BAD_REQUEST the account has no second factor
 */
export function switchOff(tx: Tx, user: User, why: 'secondFactorOff' | 'secondFactorReset'): void {
  requireOn(tx, user.id)
  queueCredentialMail(tx, user, why)
  deleteSecondFactor(tx, user.id)
  deleteAttemptsOf(tx, user.id)
}

function requireOff(tx: Tx, userId: number): void {
  if (hasSecondFactor(tx, userId)) {
    throw badRequest(sentSentence('Two-factor authentication is already on.'))
  }
}

function requireOn(tx: Tx, userId: number): void {
  if (hasSecondFactor(tx, userId)) return
  throw badRequest(sentSentence('Two-factor authentication is not on.'))
}

/**
 * Checks a code of someone's app, or a recovery code. Each is valid once. The caller counts
 * guesses.
 *
 * @returns whether it was right
 */
export function useCode(tx: Tx, userId: number, code: string): boolean {
  const factor = findSecondFactor(tx, userId)
  if (!factor?.isOn) return false
  const step = stepOfCode(factor.secret, code, tx.clock.now(), factor.lastStep)
  if (step === undefined) return deleteRecoveryHash(tx, userId, recoveryHash(code))
  updateLastStep(tx, userId, step)
  return true
}

/**
 * Removes the second factor of someone who has lost it. Administrators can do this; for owners,
 * only owners.
 *
 * @throws BAD_REQUEST no such user, or one without a second factor
 * @throws UNAUTHORIZED_PRINCIPAL
 */
export function resetTwoFactor(tx: Tx, caller: Caller, userId: number): void {
  requireAdministrator(caller.user)
  const user = accessUser(tx, caller.user, userId)
  if (user.role === roles.owner) requireOwner(caller.user)
  switchOff(tx, user, 'secondFactorReset')
}
