import { randomBytes } from 'node:crypto'
import { endInvitationsOf } from '#features/access/invites/ending.actions.ts'
import {
  emitDeactivatedSubscriber,
  emitReactivatedSubscriber,
  subscribe,
} from '#features/channels/subscriptions/actions.ts'
import { listDefaultChannels } from '#features/foundation/channels/queries.ts'
import { deleteAllMailLinksAbout } from '#features/foundation/mail/links.queries.ts'
import { deleteAttemptsOf } from '#features/foundation/sessions/attempts.queries.ts'
import { deleteSessionsOf } from '#features/foundation/sessions/queries.ts'
import { updateApiAddress } from '#features/foundation/users/address-changes.actions.ts'
import { placeholderOwner } from '#features/foundation/users/addresses.queries.ts'
import { emitConsent } from '#features/foundation/users/consent.events.ts'
import { emitUserAdded, emitUserUpdate } from '#features/foundation/users/events.ts'
import { userRevealed } from '#features/foundation/users/occasions.ts'
import {
  countActiveOwners,
  findUserByAddress,
  insertUser,
  listBotsOf,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { requireFreeName } from '#features/foundation/users/rules.ts'
import { copyUserDefaults } from '#features/foundation/users/settings.queries.ts'
import { deleteConnectionsOf } from '#features/integrations/assistants/authorization/queries.ts'
import { deleteZoomTokens } from '#features/integrations/calls/queries.ts'
import { deleteAddressesPostingAs } from '#features/notifications/mail-gateway/addresses.queries.ts'
import { forgetPhones } from '#features/notifications/phone-push/actions.ts'
import { deleteSubscriptionsOfKey } from '#features/notifications/web-push/queries.ts'
import { emitMembershipsOf } from '#features/people/group-administration/actions.ts'
import { trackSettingsNaming } from '#features/people/group-administration/named-users.actions.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { BotType, Role } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

export interface NewUser {
  /** The next free one by default. */
  readonly id?: number | undefined
  /** The real address. */
  readonly email: string
  /**
   * Whether it is certain that the address is theirs: a link sent to it was opened, or the operator
   * or an identity provider says so. Otherwise single sign-on asks for the password before linking.
   */
  readonly isEmailVerified?: boolean | undefined
  readonly fullName: string
  readonly role: Role
  /** From `hashPassword`; without it the user cannot log in by password. */
  readonly passwordHash?: string | undefined
  readonly timezone?: string | undefined
  /** Undefined for a person. */
  readonly botType?: BotType | undefined
  readonly botOwnerId?: number | undefined
  /** Whether the bot belongs to the server, such as Notification Bot. */
  readonly isSystemBot?: boolean | undefined
  /** Random by default. */
  readonly apiKey?: string | undefined
  /** Whether to subscribe the user to the organization's default channels. */
  readonly joinDefaultChannels?: boolean | undefined
}

/** A random key of 32 characters, the length that clients require. */
export function newApiKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Creates an account, and emits it to all users who may see it.
 *
 * @throws BAD_REQUEST if the address is in use or has the form of a placeholder address
 */
export function createUser(tx: Tx, wanted: NewUser): User {
  const account = insertAccount(tx, wanted)
  // People start with the organization's settings, which may hide their address.
  if (account.botType === null) copyUserDefaults(tx, account.id)
  const user = updateApiAddress(tx, account)
  emitUserAdded(tx, user)
  if (!user.isSystemBot) emitMembershipsOf(tx, 'add_members', user)
  emitConsent(tx, user)
  if (wanted.joinDefaultChannels) subscribe(tx, listDefaultChannels(tx), [user])
  return user
}

function insertAccount(tx: Tx, wanted: NewUser): User {
  const email = wanted.email.trim()
  if (findUserByAddress(tx, email) || placeholderOwner(tx, email) !== undefined) {
    throw badRequest(sentSentence("Email '{email}' is already in use.", { email }), {
      parameter: 'email',
    })
  }
  return insertUser(tx, {
    id: wanted.id,
    email,
    emailKey: email.toLowerCase(),
    isEmailVerified: wanted.isEmailVerified ?? false,
    // The API address needs the ID. Until then, the real address is unique too.
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
 * Deactivates an account and the bots it owns, ends their sessions, assistants, mailed links and
 * event queues immediately, and notifies all users who may see them. The caller checks permission.
 *
 * @throws CANNOT_DEACTIVATE_LAST_USER the organization's only owner
 */
export function deactivateUser(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, user: User): void {
  if (!user.isActive) return
  if (user.role === roles.owner && user.botType === null && countActiveOwners(tx) === 1) {
    throw new ApiError(
      'CANNOT_DEACTIVATE_LAST_USER',
      sentSentence('Cannot deactivate the only organization owner'),
      { is_last_owner: true, entity: 'organization owner' },
    )
  }
  const values = trackSettingsNaming(tx, user)
  const gone = updateUser(tx, user.id, { isActive: false })
  deleteSessionsOf(tx, user.id)
  deleteAttemptsOf(tx, user.id)
  deleteZoomTokens(tx, user.id)
  deleteConnectionsOf(tx, user.id)
  deleteAllMailLinksAbout(tx, user.id)
  forgetPhones(tx, user.id)
  deleteSubscriptionsOfKey(tx, user.id)
  deleteAddressesPostingAs(tx, user.id)
  queues.closeAllOf(tx, user.id)
  emitUserUpdate(tx, gone, { is_active: false })
  emitMembershipsOf(tx, 'remove_members', user)
  values.emitChanges()
  emitDeactivatedSubscriber(tx, gone)
  endInvitationsOf(tx, gone)
  for (const bot of listBotsOf(tx, user.id)) deactivateUser(tx, queues, bot)
}

/**
 * Reactivates an account with its keys, groups and subscriptions. The caller checks permission.
 *
 * @throws BAD_REQUEST a name that has been taken since, where names must be unique
 */
export function reactivateUser(tx: Tx, user: User): User {
  requireFreeName(tx, user.fullName, user.id)
  const values = trackSettingsNaming(tx, user)
  const back = updateUser(tx, user.id, { isActive: true })
  emitUserUpdate(tx, back, { is_active: true })
  tx.announce(userRevealed, { user: back, isFor: () => true })
  emitConsent(tx, back)
  emitMembershipsOf(tx, 'add_members', back)
  values.emitChanges()
  emitReactivatedSubscriber(tx, back)
  return back
}
