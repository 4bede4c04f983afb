import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { tidyName } from '#shared/names.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'
import { fullNameProblem, mendedFullName } from './full-names.ts'
import type { PasswordLengths } from './passwords.ts'
import { listUsersByName } from './queries.ts'

const longestAddress = 254

/** What a person enters to create an account. */
export interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly password: string
}

/**
 * The problem with each field of a new account; empty if it is valid.
 *
 * @param lengths from `passwordLengths`
 */
export function accountProblems(
  account: NewAccount,
  lengths: PasswordLengths,
): Partial<Record<keyof NewAccount, Sentence>> {
  const problems: [keyof NewAccount, Sentence | undefined][] = [
    ['fullName', fullNameProblem(account.fullName)],
    ['email', addressProblem(account.email)],
    ['password', passwordProblem(account.password, lengths)],
  ]
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined))
}

/** @throws BAD_REQUEST with the first problem */
export function requireNewAccount(account: NewAccount, lengths: PasswordLengths): void {
  const [first] = Object.entries(accountProblems(account, lengths))
  if (!first) return
  const [field, problem] = first
  throw badRequest(problem, { parameter: field === 'fullName' ? 'full_name' : field })
}

/**
 * Checks the length of a password.
 *
 * @throws BAD_REQUEST too short or too long
 */
export function requirePassword(password: string, lengths: PasswordLengths): void {
  const problem = passwordProblem(password, lengths)
  if (problem !== undefined) throw badRequest(problem, { parameter: 'password' })
}

/**
 * Checks a full name and returns it as it is stored.
 *
 * @param self the user's own ID; they may keep their name
 * @throws BAD_REQUEST an invalid name, or a taken one where names must be unique
 */
export function requireFullName(read: Read, name: string, self?: number): string {
  const problem = fullNameProblem(name)
  if (problem !== undefined) throw badRequest(problem, { parameter: 'full_name' })
  const fullName = tidyName(name)
  requireFreeName(read, fullName, self)
  return fullName
}

/**
 * Makes a valid full name of what another system calls someone.
 *
 * @throws BAD_REQUEST nothing is left to see; a taken name where names must be unique
 */
export function requireMendedName(read: Read, name: string, self?: number): string {
  const fullName = mendedFullName(name)
  if (fullName === '')
    throw badRequest(sentSentence('The full name is missing.'), { parameter: 'full_name' })
  requireFreeName(read, fullName, self)
  return fullName
}

/** @throws BAD_REQUEST a taken name, where names must be unique */
export function requireFreeName(read: Read, fullName: string, self?: number): void {
  const isTaken = listUsersByName(read, fullName).some(
    ({ id, isActive }) => isActive && id !== self,
  )
  if (isTaken && realmSetting(read, 'require_unique_names')) {
    const said = sentSentence("Unique names required in this organization: '{name}' is taken.", {
      name: fullName,
    })
    throw badRequest(said, { parameter: 'full_name' })
  }
}

/** @throws BAD_REQUEST not an email address */
export function requireAddress(email: string): string {
  const problem = addressProblem(email)
  if (problem !== undefined) throw badRequest(problem, { parameter: 'email' })
  return email.trim()
}

/** Whether a text may be the address of an account. */
export const isAddress = (email: string) => addressProblem(email) === undefined

function addressProblem(email: string): Sentence | undefined {
  if (email.trim() === '') return sentSentence('The email address is missing.')
  const isAddress = /^[^\s@"(),:;<>[\\\]\p{Cc}]+@[^\s@"(),:;<>[\\\]\p{Cc}]+$/u.test(email.trim())
  if (!isAddress || email.length > longestAddress)
    return sentSentence('This is not an email address.')
  return undefined
}

function passwordProblem(password: string, lengths: PasswordLengths): Sentence | undefined {
  const { least, most } = lengths
  if (password === '') return sentSentence('The password is missing.')
  if (password.length < least) {
    return sentSentence('The password is too short (at least {count} characters).', {
      count: least,
    })
  }
  if (password.length > most) {
    return sentSentence('The password is too long (at most {count} characters).', { count: most })
  }
  return undefined
}
