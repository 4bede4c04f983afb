import { claimAccount } from '#features/access/accounts/credentials.actions.ts'
import {
  type CompletedLogin,
  enter,
  type LoginRequest,
} from '#features/access/accounts/login/entering.actions.ts'
import { listInvitationsTo } from '#features/access/invites/queries.ts'
import {
  type Admission,
  findAdmission,
  findAdmissionById,
  isOpenToAll,
  join,
} from '#features/access/joining/actions.ts'
import { hasSecondFactor } from '#features/access/two-factor/rules.ts'
import type { Person } from '#features/foundation/identity-providers/person.ts'
import {
  findUserIdOf,
  insertIdentity,
  isLinkedTo,
} from '#features/foundation/identity-providers/queries.ts'
import { canSendMail, queueNotice } from '#features/foundation/mail/actions.ts'
import { insertAttempt } from '#features/foundation/sessions/attempts.queries.ts'
import {
  findUser,
  findUserByAddress,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { requireAddress } from '#features/foundation/users/rules.ts'
import { seconds } from '#platform/clock.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { Context } from '#platform/context.ts'
import type { Arrival, Identity } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { linkedMail } from './mails.ts'
import { syncMemberships } from './memberships.actions.ts'

/** Why someone whom the provider has identified is not let in. */
export type Refusal =
  | 'deactivated'
  | 'not allowed'
  | 'unverified'
  | 'other identity'
  | 'other address'
  | 'no account'

/** The result of a log-in at a provider. */
export type ProviderLogin =
  | { readonly kind: 'entered'; readonly entry: CompletedLogin }
  /**
   * The password is needed once, because the account has much power, or its address was never
   * verified here. The attempt waits for it.
   */
  | {
      readonly kind: 'confirm'
      readonly attempt: string
      readonly email: string
      /** Whether the owner of the account has verified the address here. */
      readonly isVerified: boolean
      readonly needsCode: boolean
    }
  | { readonly kind: 'refused'; readonly why: Refusal }

/** The intention of someone who logs in, and what they bring. */
export interface SsoRequest {
  readonly arrival: Arrival
  /** Whether they asked for an account. */
  readonly isSignup: boolean
  /** The secret part of an invitation's link. */
  readonly invitation?: string | undefined
  /** The secret of the browser. */
  readonly browser: string
  /** The account with which this browser is logged in. */
  readonly openUserId: number | undefined
  readonly request: LoginRequest
}

/**
 * Logs in someone whom a provider has identified: with the account that is linked to them, with the
 * one that has their verified address, or with a new one, if they may join. A later change of the
 * address at the provider has no effect.
 *
 * @throws BAD_REQUEST the rules about addresses and names refuse a new account
 */
export function enterByProvider(
  tx: Tx,
  server: Context,
  provider: IdentityProvider,
  person: Person,
  asked: SsoRequest,
): ProviderLogin {
  const { allowedGroups } = provider
  if (allowedGroups.length > 0 && !allowedGroups.some((group) => person.groups.has(group))) {
    return refused('not allowed')
  }
  const linkedId = findUserIdOf(tx, person.issuer, person.subject)
  const linked = linkedId === undefined ? undefined : findUser(tx, linkedId)
  if (linked) return entered(tx, server, provider, person, linked, asked)
  if (!person.isVerified || person.email === undefined) return refused('unverified')
  const known = findUserByAddress(tx, person.email)
  const owner = known?.emailKey === person.email.toLowerCase() ? known : undefined
  if (!owner) return joined(tx, server, provider, { ...person, email: person.email }, asked)
  if (owner.botType !== null || isLinkedTo(tx, owner.id, person.issuer))
    return refused('other identity')
  if (!owner.isActive) return refused('deactivated')
  if (needsPassword(owner) && asked.openUserId !== owner.id) {
    const { issuer, subject } = person
    const attempt = insertAttempt(tx, {
      details: {
        step: 'link',
        arrival: asked.arrival,
        identity: { issuer, subject, provider: provider.id },
      },
      browser: asked.browser,
      userId: owner.id,
    })
    return {
      kind: 'confirm',
      attempt,
      email: owner.email,
      isVerified: owner.isEmailVerified,
      needsCode: hasSecondFactor(tx, owner.id),
    }
  }
  if (!owner.isEmailVerified && owner.passwordHash === null) {
    claimAccount(tx, server.queues, owner.id)
  }
  link(tx, provider, person, owner)
  return entered(tx, server, provider, person, owner, asked)
}

/**
 * Whether an account is linked only with its password. Without a password that is not possible;
 * instead, all other access to an account with an unverified address ends.
 */
function needsPassword({ role, isEmailVerified, passwordHash }: User): boolean {
  return role <= roles.admin || (!isEmailVerified && passwordHash !== null)
}

const refused = (why: Refusal): ProviderLogin => ({ kind: 'refused', why })

function entered(
  tx: Tx,
  server: Context,
  provider: IdentityProvider,
  person: Person,
  user: User,
  { arrival, request }: SsoRequest,
): ProviderLogin {
  if (!user.isActive) return refused('deactivated')
  const current = syncMemberships(tx, server.queues, provider, person.groups, user)
  return { kind: 'entered', entry: enter(tx, server, current, arrival, request) }
}

function insertLink(tx: Tx, { issuer, subject }: Identity, user: User): void {
  insertIdentity(tx, { issuer, subject, userId: user.id, linkedAt: seconds(tx.clock) })
}

/**
 * Links an account to someone whom a provider has identified, and mails its owner about it. Its
 * address counts as verified from then on, because the provider has verified it.
 */
export function link(tx: Tx, provider: IdentityProvider, identity: Identity, user: User): void {
  insertLink(tx, identity, user)
  updateUser(tx, user.id, { isEmailVerified: true })
  if (canSendMail(tx.config)) queueNotice(tx, linkedMail(tx, user, provider))
}

function joined(
  tx: Tx,
  server: Context,
  provider: IdentityProvider,
  person: Person & { readonly email: string },
  asked: SsoRequest,
): ProviderLogin {
  if (!asked.isSignup && !provider.createAccounts) return refused('no account')
  const by = admissionOf(tx, person.email, asked.invitation)
  if (by === undefined) return refused('no account')
  if (by !== 'open' && by.email !== null && by.email.toLowerCase() !== person.email.toLowerCase()) {
    return refused('other address')
  }
  const user = join(tx, server, by, {
    email: requireAddress(person.email),
    isEmailVerified: true,
    fullName: person.fullName,
  })
  insertLink(tx, person, user)
  return entered(tx, server, provider, person, user, asked)
}

/**
 * The right by which someone with this address may join; the invitation that they bring counts
 * first.
 */
function admissionOf(read: Read, email: string, key: string | undefined): Admission | undefined {
  const shown = key === undefined ? undefined : findAdmission(read, key)
  if (shown) return shown
  const sent = listInvitationsTo(read, email).flatMap(({ id }) => findAdmissionById(read, id) ?? [])
  return sent[0] ?? (isOpenToAll(read) ? 'open' : undefined)
}
