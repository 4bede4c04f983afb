import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '#platform/constant-time.ts'

/** How a service proves that it knows the secret that its bot has. */
export interface Signature {
  /** The label of the secret where people enter it. */
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
function tokenHeader(label: string, header: string): Signature {
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
      if (!isRecent(time, nowSeconds)) return false
      const signed = createHmac('sha256', secret).update(`${time}.`).update(request.body)
      return isAmong(parts.join(','), `v1=${signed.digest('hex')}`)
    },
  }
}

/** The prefix of keys for signatures of "Standard Webhooks", which are in Base64. */
const keyPrefix = 'whsec_'

/**
 * A header with the secret itself or, if the secret is a key of "Standard Webhooks", the headers of
 * that: the signature covers an ID, the time and the body.
 *
 * @source Standard Webhooks, "Signature scheme"
 */
export function tokenOrStandardSignature(label: string, tokenName: string): Signature {
  const token = tokenHeader(label, tokenName)
  return {
    label,
    verify(secret, request, nowSeconds) {
      if (!secret.startsWith(keyPrefix)) return token.verify(secret, request, nowSeconds)
      const [id = '', time = '', given = ''] = ['id', 'timestamp', 'signature'].map((name) =>
        request.header(`webhook-${name}`),
      )
      if (!isRecent(time, nowSeconds)) return false
      const key = Buffer.from(secret.slice(keyPrefix.length), 'base64')
      const signed = createHmac('sha256', key).update(`${id}.${time}.`).update(request.body)
      const right = `v1,${signed.digest('base64')}`
      return given.split(' ', 20).filter((each) => constantTimeEqual(each, right)).length > 0
    },
  }
}

/** Whether a time is no more than five minutes away. @param time in seconds since the epoch, as text */
export function isRecent(time: string, nowSeconds: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(nowSeconds - Number(time)) <= longestAge
}

function isAmong(header: string | undefined, right: string): boolean {
  const given = (header ?? '').split(',', 20)
  return given.filter((each) => constantTimeEqual(each.trim(), right)).length > 0
}
