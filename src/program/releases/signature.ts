import { createPublicKey, verify } from 'node:crypto'

/** Set by the build of a program whose releases are signed. */
declare const PARLEY_RELEASE_KEY: string | undefined

/**
 * The public Ed25519 key of whoever releases this program, as base64 of its SPKI form; empty: none was
 * known when it was built, and releases for it are not signed.
 */
export const releaseKey = typeof PARLEY_RELEASE_KEY === 'string' ? PARLEY_RELEASE_KEY : ''

/** Whether this signature of a file was made with the private key of a public one. @source RFC 8032 */
export function isSignedBy(key: string, file: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = createPublicKey({
    key: Buffer.from(key, 'base64'),
    format: 'der',
    type: 'spki',
  })
  return publicKey.asymmetricKeyType === 'ed25519' && verify(null, file, publicKey, signature)
}
