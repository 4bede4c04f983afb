import { randomBytes } from 'node:crypto'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import type { Tx } from '#store/write.ts'
import { emailVisibility, placeholderAddress } from './addresses.ts'
import { findUserByAddress, insertUser, type User, updateUser } from './queries.ts'
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
}

/** 32 characters, as clients require of every API key. */
export function newApiKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Creates an account.
 *
 * @throws BAD_REQUEST when the address belongs to somebody already
 */
export function createUser(tx: Tx, wanted: NewUser): User {
  const email = wanted.email.trim()
  if (findUserByAddress(tx, email)) throw badRequest(`Email '${email}' is already in use.`)
  const apiKey = wanted.apiKey ?? newApiKey()
  const user = insertUser(tx, {
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
    apiKey,
  })
  if (user.botType !== null) return user
  adoptUserDefaults(tx, user.id)
  if (emailVisibility(tx, user.id) === 'everyone') return user
  const apiEmail = placeholderAddress(tx, user.id)
  return updateUser(tx, user.id, { apiEmail, apiEmailKey: apiEmail.toLowerCase() })
}
