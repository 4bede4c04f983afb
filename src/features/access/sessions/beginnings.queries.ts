import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { requireRealm } from '#features/organization/realm/queries.ts'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import type { Arrival } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/write.ts'
import { attemptSeconds } from './attempts.queries.ts'

/** A log-in before anybody has shown who they are: what it waits for. */
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

interface Sealed {
  readonly details: Beginning
  /** SHA-256 of the secret of the browser that may go on with it. */
  readonly browserHash: string
  readonly expiresAt: number
}

/*
 * The browser keeps a beginning, in addresses: a row for each would let strangers fill the table, and
 * so end the log-ins of others.
 */

/**
 * Seals the beginning of a log-in, so that only this server can read it or make one.
 *
 * @param browser the secret of the browser, which alone may go on
 * @returns a text for an address
 */
export function sealBeginning(read: Read, details: Beginning, browser: string): string {
  const expiresAt = seconds(read.clock) + attemptSeconds
  const sealed: Sealed = { details, browserHash: secretHash(browser), expiresAt }
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(read), iv)
  const text = [cipher.update(JSON.stringify(sealed), 'utf8'), cipher.final()]
  return Buffer.concat([iv, ...text, cipher.getAuthTag()]).toString('base64url')
}

/** The beginning of a log-in of this browser that waits at a step, and has not expired. */
export function openBeginning<S extends Beginning['step']>(
  read: Read,
  step: S,
  sealed: string,
  browser: string | undefined,
): BeginningAt<S> | undefined {
  const opened = unseal(read, Buffer.from(sealed, 'base64url'))
  if (!opened || browser === undefined) return undefined
  const isOwn = opened.browserHash === secretHash(browser)
  if (!isOwn || opened.expiresAt <= seconds(read.clock)) return undefined
  return opened.details.step === step ? (opened.details as BeginningAt<S>) : undefined
}

function unseal(read: Read, bytes: Buffer): Sealed | undefined {
  if (bytes.length < 28) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(read), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  try {
    const text = [decipher.update(bytes.subarray(12, -16)), decipher.final()]
    return JSON.parse(Buffer.concat(text).toString('utf8')) as Sealed
  } catch {
    return undefined
  }
}

function keyOf(read: Read): Buffer {
  const secret = Buffer.from(requireRealm(read).secret, 'hex')
  return createHmac('sha256', secret).update('beginnings of log-ins').digest()
}
