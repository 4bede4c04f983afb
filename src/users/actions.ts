import { randomBytes } from 'node:crypto'
import { listDefaultChannels } from '#channels/queries.ts'
import { seconds } from '#clock.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Queues } from '#events/queues.ts'
import { emitConsent } from '#exports/events.ts'
import { emitMembershipsOf } from '#groups/actions.ts'
import { watchValuesOf } from '#groups/named-users.ts'
import { endInvitationsOf } from '#invites/ending.ts'
import { deletePhonesOf } from '#push/queries.ts'
import type { Tx } from '#store/write.ts'
import { subscribe, tellOfDeparture } from '#subscriptions/actions.ts'
import { withApiAddress } from './address-changes.ts'
import { placeholderOwner } from './addresses.ts'
import { emitUserAdded, emitUserUpdate } from './events.ts'
import {
  countActiveOwners,
  findUserByAddress,
  insertUser,
  listBotsOf,
  roles,
  type User,
  updateUser,
} from './queries.ts'
import { deleteSessionsOf } from './sessions/queries.ts'
import { adoptUserDefaults } from './settings.ts'

export interface NewUser {
  /** The real address, as typed. */
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** From `hashPassword`; without one the user cannot log in by password. */
  readonly passwordHash?: string | undefined
  readonly timezone?: string | undefined
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; a person without it. */
  readonly botType?: number | undefined
  readonly botOwnerId?: number | undefined
  /** Belongs to the server, like Notification Bot. */
  readonly isSystemBot?: boolean | undefined
  /** Chosen at random unless given. */
  readonly apiKey?: string | undefined
  /** Subscribes to the organization's default channels, as people who join by themselves do. */
  readonly joinDefaultChannels?: boolean | undefined
}

/** 32 characters, as clients require of every API key. */
export function newApiKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Creates an account, and tells all who may know of it.
 *
 * @throws BAD_REQUEST when the address belongs to somebody, or could become their placeholder
 */
export function createUser(tx: Tx, wanted: NewUser): User {
  const account = insertAccount(tx, wanted)
  // People start with the organization's settings, which may hide their address.
  if (account.botType === null) adoptUserDefaults(tx, account.id)
  const user = withApiAddress(tx, account)
  emitUserAdded(tx, user)
  if (!user.isSystemBot) emitMembershipsOf(tx, 'add_members', user)
  emitConsent(tx, user)
  if (wanted.joinDefaultChannels) subscribe(tx, listDefaultChannels(tx), [user])
  return user
}

function insertAccount(tx: Tx, wanted: NewUser): User {
  const email = wanted.email.trim()
  if (findUserByAddress(tx, email) || placeholderOwner(tx, email) !== undefined) {
    throw badRequest(`Email '${email}' is already in use.`)
  }
  return insertUser(tx, {
    email,
    emailKey: email.toLowerCase(),
    // Until the id is known the address itself, which nobody else can have, keeps the place.
    apiEmail: email,
    apiEmailKey: email.toLowerCase(),
    fullName: wanted.fullName,
    role: wanted.role,
    botType: wanted.botType ?? null,
    botOwnerId: wanted.botOwnerId ?? null,
    isSystemBot: wanted.isSystemBot ?? false,
    timezone: wanted.timezone ?? '',
    dateJoined: seconds(tx.clock),
    passwordHash: wanted.passwordHash ?? null,
    apiKey: wanted.apiKey ?? newApiKey(),
  })
}

/**
 * Deactivates an account and the bots it owns: sessions, queues and parked polls end at once, and
 * everybody who may know of them is told. Permission is the caller's to ask.
 *
 * @throws CANNOT_DEACTIVATE_LAST_USER the organization's only owner
 */
export function deactivateUser(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, user: User): void {
  if (!user.isActive) return
  if (user.role === roles.owner && user.botType === null && countActiveOwners(tx) === 1) {
    throw new ApiError(
      'CANNOT_DEACTIVATE_LAST_USER',
      'Cannot deactivate the only organization owner',
      { is_last_owner: true, entity: 'organization owner' },
    )
  }
  const values = watchValuesOf(tx, user)
  const gone = updateUser(tx, user.id, { isActive: false })
  deleteSessionsOf(tx, user.id)
  deletePhonesOf(tx, user.id)
  tx.afterCommit(() => queues.closeAllOf(user.id))
  emitUserUpdate(tx, gone, { is_active: false })
  emitMembershipsOf(tx, 'remove_members', user)
  values.tell()
  tellOfDeparture(tx, gone)
  endInvitationsOf(tx, gone)
  for (const bot of listBotsOf(tx, user.id)) deactivateUser(tx, queues, bot)
}
