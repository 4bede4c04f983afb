import { requireAdministrator, requireOwner } from '#features/permissions/rules.ts'
import { accessUser } from '#features/users/access.ts'
import { roles, type User } from '#features/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/write.ts'
import { newRecoveryCodes, newSecret, recoveryHash, stepOfCode } from './codes.ts'
import {
  deleteRecoveryHash,
  deleteSecondFactor,
  findSecondFactor,
  insertSecret,
  replaceRecoveryHashes,
  updateLastStep,
} from './queries.ts'
import { hasSecondFactor } from './rules.ts'

/**
 * Begins to set up a second factor. It counts once `finishEnrolment` has got a code.
 *
 * @returns the secret for the person's app, in base32
 * @throws BAD_REQUEST a bot, or an account that has a second factor
 */
export function beginEnrolment(tx: Tx, user: User): string {
  if (user.botType !== null) throw badRequest('This endpoint does not accept bot requests.')
  if (hasSecondFactor(tx, user.id)) {
    throw badRequest('Two-factor authentication is already switched on.')
  }
  const secret = newSecret()
  insertSecret(tx, user.id, secret)
  return secret
}

/**
 * Switches a second factor on, by a code of the app that has the secret.
 *
 * @returns the recovery codes, which nobody can read again; undefined: a wrong code
 * @throws BAD_REQUEST there is nothing to finish
 */
export function finishEnrolment(tx: Tx, userId: number, code: string): string[] | undefined {
  const factor = findSecondFactor(tx, userId)
  if (!factor || factor.isOn) throw badRequest('Begin to set up two-factor authentication first.')
  const step = stepOfCode(factor.secret, code, tx.clock.now(), 0)
  if (step === undefined) return undefined
  updateLastStep(tx, userId, step)
  return replaceRecoveryCodes(tx, userId)
}

/**
 * Replaces the recovery codes of an account with a second factor.
 *
 * @returns the new ones
 * @throws BAD_REQUEST it has none
 */
export function renewRecoveryCodes(tx: Tx, userId: number): string[] {
  requireOn(tx, userId)
  return replaceRecoveryCodes(tx, userId)
}

function replaceRecoveryCodes(tx: Tx, userId: number): string[] {
  const codes = newRecoveryCodes()
  replaceRecoveryHashes(tx, userId, codes.map(recoveryHash))
  return codes
}

/** @throws BAD_REQUEST the account has no second factor */
export function switchOff(tx: Tx, userId: number): void {
  requireOn(tx, userId)
  deleteSecondFactor(tx, userId)
}

function requireOn(tx: Tx, userId: number): void {
  if (hasSecondFactor(tx, userId)) return
  throw badRequest('Two-factor authentication is not switched on.')
}

/**
 * Takes a code of somebody's app, or a recovery code. Each counts once. The caller counts guesses.
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
 * Takes the second factor of somebody away who has lost it. Administrators can; for owners, only
 * owners.
 *
 * @throws BAD_REQUEST no such user, or one without a second factor
 * @throws UNAUTHORIZED_PRINCIPAL
 */
export function resetTwoFactor(tx: Tx, caller: Caller, userId: number): void {
  requireAdministrator(caller.user)
  const user = accessUser(tx, caller.user, userId)
  if (user.role === roles.owner) requireOwner(caller.user)
  switchOff(tx, user.id)
}
