import { createHmac } from 'node:crypto'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { seconds } from '#platform/clock.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { secretHash } from '#platform/secret-hash.ts'
import type { Arrival } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { attemptSeconds } from './attempts.queries.ts'

/** The next step of a log-in before anyone is identified. */
export type Beginning = { readonly arrival: Arrival } & (
  | {
      /** The answer of an identity provider. */
      readonly step: 'provider'
      readonly provider: string
      readonly nonce: string
      readonly codeVerifier: string
      /** Whether the person asked for an account. */
      readonly isSignup: boolean
      /** The secret part of an invitation's link. */
      readonly invitation?: string | undefined
    }
  /** An account's password. */
  | { readonly step: 'password' }
)
type BeginningAt<S extends Beginning['step']> = Extract<Beginning, { readonly step: S }>

interface SealedBeginning {
  readonly details: Beginning
  /** SHA-256 of the secret of the browser that may continue it. */
  readonly browserHash: string
  readonly expiresAt: number
}

/**
 * The browser keeps the state of a beginning, in addresses: with a row for each, strangers could
 * fill the table and so end the log-ins of others.
 */

/**
 * Seals the beginning of a log-in, so that only this server can read it or make one.
 *
 * @param browser the secret of the only browser that may continue
 * @returns a text for an address
 */
export function sealBeginning(read: Read, details: Beginning, browser: string): string {
  const expiresAt = seconds(read.clock) + attemptSeconds
  const sealed: SealedBeginning = { details, browserHash: secretHash(browser), expiresAt }
  return seal(keyOf(read), JSON.stringify(sealed))
}

/** The beginning of a log-in of this browser that waits at a step, and has not expired. */
export function openBeginning<S extends Beginning['step']>(
  read: Read,
  step: S,
  sealed: string,
  browser: string | undefined,
): BeginningAt<S> | undefined {
  const text = unseal(keyOf(read), sealed)
  if (text === undefined || browser === undefined) return undefined
  const opened = JSON.parse(text) as SealedBeginning
  const isOwn = opened.browserHash === secretHash(browser)
  if (!isOwn || opened.expiresAt <= seconds(read.clock)) return undefined
  return opened.details.step === step ? (opened.details as BeginningAt<S>) : undefined
}

function keyOf(read: Read): Buffer {
  const secret = Buffer.from(requireRealm(read).secret, 'hex')
  return createHmac('sha256', secret).update('beginnings of log-ins').digest()
}
