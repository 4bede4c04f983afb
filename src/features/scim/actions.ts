import { createUser, deactivateUser, reactivateUser } from '#features/accounts/actions.ts'
import { changeRole } from '#features/accounts/administration/roles.actions.ts'
import { replaceApiKey } from '#features/accounts/credentials.actions.ts'
import { requireFreeAddress, setEmail } from '#features/accounts/email-change/actions.ts'
import { changeFullName } from '#features/accounts/own-settings/actions.ts'
import { requireAllowedAddress } from '#features/domains/rules.ts'
import { startOnboarding } from '#features/onboarding/actions.ts'
import {
  findUser,
  findUserByAddress,
  listUsers,
  roles,
  type User,
} from '#features/users/queries.ts'
import { requireAddress, requireFullName } from '#features/users/rules.ts'
import { welcomeNewcomer } from '#features/welcome/actions.ts'
import type { Context } from '#platform/context.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { ScimError, scimRoles, type Wanted } from './values.ts'

/** The people whom a provider manages: all accounts but bots, by their IDs. */
export function listPeople(read: Read): readonly User[] {
  return listUsers(read).filter(isPerson)
}

const isPerson = (user: User) => user.botType === null && !user.isSystemBot

/** @throws ScimError 404 */
export function accessPerson(read: Read, id: string): User {
  const user = /^\d{1,15}$/.test(id) ? findUser(read, Number(id)) : undefined
  if (user && isPerson(user)) return user
  throw new ScimError(404, 'There is no such user.')
}

export function findPerson(read: Read, userName: string): User | undefined {
  const user = findUserByAddress(read, userName)
  return user?.emailKey === userName.trim().toLowerCase() && isPerson(user) ? user : undefined
}

/**
 * Creates an account without a password, in the default channels.
 *
 * @throws ScimError without a name or address; 409 the address is taken
 * @throws BAD_REQUEST the rules about names and addresses
 */
export function addPerson(tx: Tx, server: Context, wanted: Wanted): User {
  if (wanted.userName === undefined) throw missing('userName')
  if (wanted.fullName === undefined) throw missing('name.formatted')
  const email = requireAddress(wanted.userName)
  if (findUserByAddress(tx, email)) throw taken()
  requireAllowedAddress(tx, email)
  const user = createUser(tx, {
    email,
    fullName: requireFullName(tx, wanted.fullName),
    role: wanted.role === undefined ? roles.member : grantable(wanted.role),
    joinDefaultChannels: true,
  })
  startOnboarding(tx, user)
  welcomeNewcomer(tx, server, user)
  if (wanted.active === false) deactivatePerson(tx, server, user)
  return accessPerson(tx, String(user.id))
}

const missing = (name: string) => new ScimError(400, `${name} is missing.`, 'invalidValue')
const taken = () => new ScimError(409, 'This userName is already in use.', 'uniqueness')

/** @throws ScimError nobody becomes an owner from outside */
function grantable(role: keyof typeof scimRoles): number {
  if (role !== 'owner') return scimRoles[role]
  throw new ScimError(400, 'Only owners make owners, in Parley.', 'invalidValue')
}

/**
 * Changes an account as the provider says.
 *
 * @throws ScimError 404; 409 the address is taken; 400 for the role and the address of owners
 * @throws BAD_REQUEST the rules about names and addresses
 * @throws CANNOT_DEACTIVATE_LAST_USER the only owner
 */
export function changePerson(tx: Tx, server: Context, id: string, wanted: Wanted): User {
  const current = () => accessPerson(tx, id)
  const { userName, fullName, role, active } = wanted
  if (active === true && !current().isActive) reactivateUser(tx, current())
  if (userName !== undefined && userName !== current().email) {
    const holder = findUserByAddress(tx, userName)
    if (holder && holder.id !== current().id) throw taken()
    // Who gets the mail of an owner can become that owner, by a new password.
    if (current().role === roles.owner) {
      throw new ScimError(400, 'Only owners change the address of owners, in Parley.', 'mutability')
    }
    setEmail(tx, current(), requireFreeAddress(tx, current(), userName))
  }
  if (fullName !== undefined) changeFullName(tx, current(), fullName)
  if (role !== undefined && scimRoles[role] !== current().role) {
    if (current().role === roles.owner) {
      throw new ScimError(400, 'Only owners change the role of owners, in Parley.', 'invalidValue')
    }
    if (current().role === roles.guest && scimRoles[role] <= roles.admin) {
      throw new ScimError(400, 'Guests cannot be organization administrators.', 'invalidValue')
    }
    changeRole(tx, server.queues, current(), grantable(role))
  }
  if (active === false && current().isActive) deactivatePerson(tx, server, current())
  return current()
}

/** The API key works no more, even if the account is reactivated. */
function deactivatePerson(tx: Tx, { queues }: Context, user: User): void {
  deactivateUser(tx, queues, user)
  replaceApiKey(tx, queues, user.id)
}
