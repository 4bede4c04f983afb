import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { curve } from './encryption.ts'

/** The key pair that identifies a server to push services, in base64url. */
export interface VapidKey {
  readonly privateKey: string
  /** The point on the curve; browsers bind subscriptions to it. */
  readonly publicKey: string
}

export function newVapidKey(): VapidKey {
  const pair = createECDH(curve)
  const publicKey = pair.generateKeys('base64url')
  // Leading zero bytes are left out, but a JWK must have all 32.
  const bytes = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex')
  return { privateKey: bytes.toString('base64url'), publicKey }
}

/** How long a token is valid, in seconds; push services accept a day at most. */
const validSeconds = 12 * 3600

/**
 * The header `Authorization` of a push, which identifies the server to the push service.
 *
 * @param origin of the push service
 * @param contact the contact address for the push service, as `mailto:` or `https:`
 * @param now in seconds since the epoch
 * @source RFC 8292, sections 2 and 3
 */
export function vapidHeader(key: VapidKey, origin: string, contact: string, now: number): string {
  const claims = { aud: origin, exp: now + validSeconds, sub: contact }
  const head = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const point = Buffer.from(key.publicKey, 'base64url')
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: key.privateKey,
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signature = sign('sha256', Buffer.from(head), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `vapid t=${head}.${signature.toString('base64url')}, k=${key.publicKey}`
}
