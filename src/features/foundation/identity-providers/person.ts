import { mendedFullName } from '#features/foundation/users/full-names.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { Identity } from '#platform/store/schema.ts'

/** Someone who has logged in at an identity provider, as it describes them. */
export interface Person extends Identity {
  /** The email address, which is theirs if `isVerified`; undefined: the provider does not say. */
  readonly email: string | undefined
  readonly isVerified: boolean
  /** A name that is valid for accounts. */
  readonly fullName: string
  readonly groups: ReadonlySet<string>
}

/** The most groups of a person that are read. */
const mostGroups = 1000

/**
 * Joins the claims of an ID token with those of UserInfo; the token's count where both have one.
 * The address and its verification come from the same document, or from two with the same address.
 */
export function joinClaims<T extends Claims>(token: T, more: Claims): T {
  const both = { ...more, ...token }
  if (token.email === undefined) return { ...both, email_verified: more.email_verified }
  if (token.email === more.email) return both
  return { ...both, email_verified: token.email_verified }
}

type Claims = Readonly<Record<string, unknown>>

/**
 * Reads what a provider claims. Anything except the subject may be missing or of another type.
 *
 * @source OpenID Connect Core 1.0, section 5.1, "Standard Claims"
 */
export function readClaims(
  provider: IdentityProvider,
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
): Person {
  const email = text(claims.email)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    provider: provider.id,
    email,
    // Some providers send a text, which cannot be relied on.
    isVerified: email !== undefined && (claims.email_verified === true || provider.trustEmail),
    fullName: nameIn(claims, email),
    groups: new Set(groupsIn(claims[provider.groupsClaim])),
  }
}

function nameIn(claims: Readonly<Record<string, unknown>>, email: string | undefined): string {
  const parts = [text(claims.given_name), text(claims.family_name)].filter(Boolean).join(' ')
  const offered = [text(claims.name), parts, text(claims.preferred_username), email?.split('@')[0]]
  const usable = offered.map((name) => mendedFullName(name ?? '')).find((name) => name !== '')
  return usable ?? 'New user'
}

/** A list, or a single group. */
function groupsIn(claim: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, mostGroups) : [claim]
  return all.flatMap((group) => text(group) ?? [])
}

function text(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.length <= 500
    ? claim.toWellFormed()
    : undefined
}
