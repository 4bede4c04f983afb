import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts a text with AES-256-GCM, so that only a holder of the key can read or make it.
 *
 * @param key 32 bytes
 * @returns base64url
 */
export function seal(key: Buffer, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const parts = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([iv, ...parts, cipher.getAuthTag()]).toString('base64url')
}

/** The text that was sealed; undefined for anything that `seal` did not make with this key. */
export function unseal(key: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < 28) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  try {
    const parts = [decipher.update(bytes.subarray(12, -16)), decipher.final()]
    return Buffer.concat(parts).toString('utf8')
  } catch {
    return undefined
  }
}
