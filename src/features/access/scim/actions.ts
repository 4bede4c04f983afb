import { createUser, deactivateUser, reactivateUser } from '#features/access/accounts/actions.ts'
import { changeRole } from '#features/access/accounts/administration/roles.actions.ts'
import { replaceApiKey } from '#features/access/accounts/credentials.actions.ts'
import {
  queueAddressMails,
  requireFreeAddress,
  setEmail,
} from '#features/access/accounts/email-change/actions.ts'
import { storeFullName } from '#features/access/accounts/own-settings/actions.ts'
import { requireAllowedAddress } from '#features/foundation/domains/rules.ts'
import {
  findUser,
  findUserByAddress,
  listUsers,
  type Role,
  roles,
  type User,
} from '#features/foundation/users/queries.ts'
import { requireAddress, requireMendedName } from '#features/foundation/users/rules.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import { welcomeNewcomer } from '#features/people/welcome/actions.ts'
import type { Context } from '#platform/context.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type ScimAttributes, ScimError, scimRoles } from './values.ts'

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
export function addPerson(tx: Tx, server: Context, wanted: ScimAttributes): User {
  if (wanted.userName === undefined) throw missing('userName')
  if (wanted.fullName === undefined) throw missing('name.formatted')
  const email = requireAddress(wanted.userName)
  if (findUserByAddress(tx, email)) throw taken()
  requireAllowedAddress(tx, email)
  const user = createUser(tx, {
    email,
    // The directory vouches for the address, and nobody has used the account before.
    isEmailVerified: true,
    fullName: requireMendedName(tx, wanted.fullName),
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
function grantable(role: keyof typeof scimRoles): Role {
  if (role !== 'owner') return scimRoles[role]
  throw new ScimError(400, 'Only owners can make someone an owner, in Parley.', 'invalidValue')
}

/**
 * Changes an account as the provider requests.
 *
 * @throws ScimError 404; 409 the address is taken; 400 for the role and the address of owners
 * @throws BAD_REQUEST the rules about names and addresses
 * @throws CANNOT_DEACTIVATE_LAST_USER the only owner
 */
export function changePerson(tx: Tx, server: Context, id: string, wanted: ScimAttributes): User {
  const current = () => accessPerson(tx, id)
  const { userName, fullName, role, active } = wanted
  if (active === true && !current().isActive) reactivatePerson(tx, server, current())
  if (userName !== undefined && userName !== current().email) {
    const holder = findUserByAddress(tx, userName)
    if (holder && holder.id !== current().id) throw taken()
    // Anyone who can read an owner's mail can become that owner by resetting the password.
    if (current().role === roles.owner) {
      throw new ScimError(
        400,
        "Only owners can change an owner's address, in Parley.",
        'mutability',
      )
    }
    const email = requireFreeAddress(tx, current(), userName)
    queueAddressMails(tx, current(), email)
    // The certainty that the account belongs to them does not change.
    setEmail(tx, current(), email, current().isEmailVerified)
  }
  if (fullName !== undefined)
    storeFullName(tx, current(), requireMendedName(tx, fullName, current().id))
  if (role !== undefined && scimRoles[role] !== current().role) {
    if (current().role === roles.owner) {
      throw new ScimError(400, "Only owners can change an owner's role, in Parley.", 'invalidValue')
    }
    if (current().role === roles.guest && scimRoles[role] <= roles.admin) {
      throw new ScimError(400, 'Guests cannot be organization administrators.', 'invalidValue')
    }
    changeRole(tx, server.queues, current(), grantable(role))
  }
  if (active === false && current().isActive) deactivatePerson(tx, server, current())
  return current()
}

/** They get a new API key, whoever deactivated the account. Former owners come back as members. */
function reactivatePerson(tx: Tx, { queues }: Context, user: User): void {
  reactivateUser(tx, user)
  replaceApiKey(tx, queues, user.id)
  if (user.role !== roles.owner) return
  changeRole(tx, queues, accessPerson(tx, String(user.id)), roles.member)
}

/** The API key works no more, even if the account is reactivated. */
function deactivatePerson(tx: Tx, { queues }: Context, user: User): void {
  deactivateUser(tx, queues, user)
  replaceApiKey(tx, queues, user.id)
}
