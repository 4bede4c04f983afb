import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The curve of all keys of Web Push. */
export const curve = 'prime256v1'

/** A browser's keys of one subscription. */
export interface BrowserKeys {
  /** Its public key: an uncompressed point on the curve. */
  readonly p256dh: Uint8Array
  /** Its secret: 16 bytes. */
  readonly auth: Uint8Array
}

/** The random parts of one encryption: given in tests only. */
interface Once {
  readonly salt: Uint8Array
  readonly privateKey: Uint8Array
}

/** The size of the only record; push services take bodies up to this size. */
const recordSize = 4096
/** The most bytes that one push can carry. @source RFC 8291, section 4 */
export const longestPlaintext = 3993

/**
 * Encrypts the contents of a push so that only the browser can read them.
 *
 * @returns the body of the request, with `Content-Encoding: aes128gcm`
 * @throws Error the key is not a point on the curve
 * @source RFC 8291, sections 3 and 4; RFC 8188, section 2
 */
export function encrypt(plaintext: Uint8Array, to: BrowserKeys, once?: Once): Buffer {
  const own = createECDH(curve)
  if (once) own.setPrivateKey(once.privateKey)
  else own.generateKeys()
  const ownPoint = own.getPublicKey()
  const salt = once?.salt ?? randomBytes(16)
  const shared = own.computeSecret(to.p256dh)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), to.p256dh, ownPoint])
  const secret = derive(shared, to.auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([
    salt,
    size,
    Buffer.of(ownPoint.length),
    ownPoint,
    cipher.update(plaintext),
    // Ends the last record.
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** Whether bytes are an uncompressed point on the curve. */
export function isPoint(bytes: Uint8Array): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  const any = createECDH(curve)
  any.generateKeys()
  try {
    any.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}
