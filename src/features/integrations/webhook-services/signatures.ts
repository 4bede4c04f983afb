import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '#platform/constant-time.ts'

/** How a service proves that it knows the secret that its bot has. */
export interface Signature {
  /** What the secret is called where people enter it. */
  readonly label: string
  /** @param nowSeconds since the epoch */
  verify(secret: string, request: SignedRequest, nowSeconds: number): boolean
}

export interface SignedRequest {
  readonly body: Uint8Array
  /** By lower-case name. */
  header(name: string): string | undefined
}

/**
 * A header with the HMAC of the body, in hexadecimal digits after a prefix. Some services send
 * several signatures, separated by commas, while a secret is being replaced.
 */
export function hmacHeader(
  label: string,
  header: string,
  { prefix = '', hash = 'sha256' }: { prefix?: string; hash?: 'sha1' | 'sha256' } = {},
): Signature {
  return {
    label,
    verify(secret, request) {
      const right = prefix + createHmac(hash, secret).update(request.body).digest('hex')
      return isAmong(request.header(header), right)
    },
  }
}

/** A header with the secret itself. */
export function tokenHeader(label: string, header: string): Signature {
  return {
    label,
    verify: (secret, request) => constantTimeEqual(request.header(header) ?? '', secret),
  }
}

/** How old a signature with a time may be, in seconds. */
const longestAge = 300

/**
 * Stripe's header, whose signature covers the time.
 *
 * @source Stripe Docs, "Resolve webhook signature verification errors"
 */
export function stripeSignature(label: string): Signature {
  return {
    label,
    verify(secret, request, nowSeconds) {
      const parts = (request.header('stripe-signature') ?? '').split(',', 20)
      const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
      if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > longestAge) return false
      const signed = createHmac('sha256', secret).update(`${time}.`).update(request.body)
      return isAmong(parts.join(','), `v1=${signed.digest('hex')}`)
    },
  }
}

function isAmong(header: string | undefined, right: string): boolean {
  const given = (header ?? '').split(',', 20)
  return given.filter((each) => constantTimeEqual(each.trim(), right)).length > 0
}
