import { createHash } from 'node:crypto'

/**
 * Hashes a secret that the server made, for storage: SHA-256 in hex. Someone who reads the database
 * cannot use it, and the secret is too random to need a slow hash.
 */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
