import { createHash } from 'node:crypto'

/**
 * The form in which a secret that the server made is stored, as SHA-256 in hex: nobody who reads the
 * database can use it, and it is too random for a slow hash to be needed.
 */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
