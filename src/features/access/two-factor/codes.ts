import { randomBytes } from 'node:crypto'
import type { TOTP } from 'otpauth'
import { secretHash } from '#platform/secret-hash.ts'
import { otpauth, qrCodes } from './lazy.cjs'

/**
 * The seconds for which a code is shown, and how many codes before and after it are also accepted.
 */
const period = 30
const window = 1

/** A new secret, in base32: 160 bits, as the standard recommends. */
export function newSecret(): string {
  const { Secret } = otpauth()
  return new Secret({ size: 20 }).base32
}

function totp(secret: string, label = '', issuer = ''): TOTP {
  const options = { algorithm: 'SHA1', digits: 6, period }
  const { Secret, TOTP } = otpauth()
  return new TOTP({ ...options, secret: Secret.fromBase32(secret), label, issuer })
}

/**
 * The time step of a code, which must be later than that of the last one, because each code is
 * valid once.
 *
 * @param code as typed, perhaps with spaces
 * @param now in milliseconds since the epoch
 * @param after the step of the last accepted code
 * @returns undefined: a wrong code, or one that was used
 * @source RFC 6238, section 5.2
 */
export function stepOfCode(
  secret: string,
  code: string,
  now: number,
  after: number,
): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totp(secret).validate({ token, timestamp: now, window })
  if (delta === null) return undefined
  const step = Math.floor(now / 1000 / period) + delta
  return step > after ? step : undefined
}

/** A QR code to draw: `path` in a square of `size`, as in SVG. */
export interface QrCode {
  readonly size: number
  readonly path: string
}

/** The data that an app needs to make codes, as a link and as a QR code. */
export function setupOf(
  secret: string,
  account: string,
  organization: string,
): { uri: string; qr: QrCode } {
  // A colon would end the name of the issuer.
  const uri = totp(secret, account, organization.replaceAll(':', ' ')).toString()
  const { size, data } = qrCodes().encode(uri, { ecc: 'M', border: 2 })
  const cells = data.flatMap((row, y) => row.flatMap((on, x) => (on ? `M${x} ${y}h1v1h-1z` : [])))
  return { uri, qr: { size, path: cells.join('') } }
}

/** How many recovery codes someone gets. */
const recoveryCodeCount = 10

/** New recovery codes: 80 bits each, as four groups of hex digits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    (randomBytes(10).toString('hex').match(/.{5}/g) ?? []).join('-'),
  )
}

/** The stored form of a recovery code. @param code as typed */
export function recoveryHash(code: string): string {
  const plain = code.toLowerCase().replace(/[^0-9a-f]/g, '')
  return secretHash(plain)
}
