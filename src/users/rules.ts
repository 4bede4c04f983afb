import { badRequest } from '#errors.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'
import { passwordLengths } from './passwords.ts'
import { listUsersByName } from './queries.ts'

/** The longest full name, in Unicode code points. */
const longestName = 100
const longestAddress = 254

/** What a person gives to get an account. */
export interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly password: string
}

/** What is wrong with each part of a new account; empty when nothing is. */
export function accountProblems(account: NewAccount): Partial<Record<keyof NewAccount, string>> {
  const problems: [keyof NewAccount, string | undefined][] = [
    ['fullName', nameProblem(account.fullName)],
    ['email', addressProblem(account.email)],
    ['password', passwordProblem(account.password)],
  ]
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined))
}

/** @throws BAD_REQUEST with the first problem */
export function requireNewAccount(account: NewAccount): void {
  const [problem] = Object.values(accountProblems(account))
  if (problem !== undefined) throw badRequest(problem)
}

/**
 * A password that somebody chose.
 *
 * @throws BAD_REQUEST too short or too long
 */
export function requirePassword(password: string): void {
  const problem = passwordProblem(password)
  if (problem !== undefined) throw badRequest(problem)
}

/**
 * A full name as it is stored, without spaces around it.
 *
 * @param self the user's own id, who may keep the name
 * @throws BAD_REQUEST no possible name, or somebody else's where names are unique
 */
export function requireFullName(read: Read, name: string, self?: number): string {
  const fullName = name.trim()
  const problem = nameProblem(fullName)
  if (problem !== undefined) throw badRequest(problem)
  const isTaken = listUsersByName(read, fullName).some(
    ({ id, isActive }) => isActive && id !== self,
  )
  if (isTaken && realmSetting(read, 'require_unique_names')) {
    throw badRequest('Unique names required in this organization.')
  }
  return fullName
}

/** @throws BAD_REQUEST what is not an email address */
export function requireAddress(email: string): string {
  const problem = addressProblem(email)
  if (problem !== undefined) throw badRequest(problem)
  return email.trim()
}

/** Names stand between asterisks in mentions and between quotes in headers: neither may be in them. */
function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'The full name is missing.'
  if ([...name].length > longestName) {
    return `The full name is too long (limit: ${longestName} characters).`
  }
  if (/[*`\\>"@\p{Cc}]/u.test(name)) return 'The full name may not hold any of * ` \\ > " @.'
  if (/\|\d+$/.test(name)) return 'The full name may not end in | and a number.'
  return undefined
}

function addressProblem(email: string): string | undefined {
  if (email.trim() === '') return 'The email address is missing.'
  const isAddress = /^[^\s@"(),:;<>[\\\]\p{Cc}]+@[^\s@"(),:;<>[\\\]\p{Cc}]+$/u.test(email.trim())
  if (!isAddress || email.length > longestAddress) return 'This is not an email address.'
  return undefined
}

function passwordProblem(password: string): string | undefined {
  const { least, most } = passwordLengths
  if (password.length < least) return `The password is too short (at least ${least} characters).`
  if (password.length > most) return `The password is too long (at most ${most} characters).`
  return undefined
}
