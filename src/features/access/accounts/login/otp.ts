import { createCipheriv, randomBytes } from 'node:crypto'
import type { Arrival } from '#platform/store/schema.ts'

/** The parameters with which apps open a log-in in the browser. */
const appParameters = { mobile: 'mobile_flow_otp', desktop: 'desktop_flow_otp' } as const

/**
 * The app that a log-in is for, by the parameters of its address.
 *
 * @returns undefined: this browser itself; 'invalid': a malformed pad, or pads of two apps
 */
export function appIn(query: (name: string) => string | undefined): Arrival['app'] | 'invalid' {
  const given = (['mobile', 'desktop'] as const).flatMap((kind) => {
    const otp = query(appParameters[kind])
    return otp === undefined ? [] : [{ kind, otp }]
  })
  const [app] = given
  if (!app) return undefined
  const isValid = given.length === 1 && /^[0-9a-f]{64}$/i.test(app.otp)
  return isValid ? { ...app, otp: app.otp.toLowerCase() } : 'invalid'
}

/**
 * An API key as only the app that chose the pad can read it, should another app get the address.
 *
 * @param otp 64 hex digits
 * @param apiKey 32 ASCII characters
 */
export function maskKey(otp: string, apiKey: string): string {
  const pad = Buffer.from(otp, 'hex')
  return Buffer.from(
    [...Buffer.from(apiKey, 'ascii')].map((byte, i) => byte ^ (pad[i] ?? 0)),
  ).toString('hex')
}

/** A token as only the app that chose the pad can read it: IV, AES-256-GCM and tag, in hex. */
export function sealToken(otp: string, token: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), iv)
  return Buffer.concat([
    iv,
    cipher.update(token, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('hex')
}
