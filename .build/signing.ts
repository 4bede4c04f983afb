import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { fail } from './repository.ts'

const { env } = process

/** The private key of releases, as PEM or as base64 of its PKCS #8 form; undefined: none. */
function privateKey(): KeyObject | undefined {
  const given = env.PARLEY_SIGNING_KEY?.trim()
  if (!given) return undefined
  try {
    const key = given.startsWith('-----')
      ? createPrivateKey(given)
      : createPrivateKey({ key: Buffer.from(given, 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  return fail(
    'PARLEY_SIGNING_KEY is no private Ed25519 key: "openssl genpkey -algorithm ed25519" makes one.',
  )
}

/** A public key as base64 of its SPKI form. */
const written = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

/**
 * The public key that programs and `install.sh` get: that of the private one, or PARLEY_RELEASE_KEY
 * for a build elsewhere; empty: neither is given.
 */
export function publicReleaseKey(): string {
  const own = privateKey()
  const given = env.PARLEY_RELEASE_KEY?.trim() ?? ''
  if (given !== '') {
    try {
      const key = createPublicKey({
        key: Buffer.from(given, 'base64'),
        format: 'der',
        type: 'spki',
      })
      if (key.asymmetricKeyType !== 'ed25519' || written(key) !== given)
        throw new Error('another kind')
    } catch {
      fail(
        'PARLEY_RELEASE_KEY is no public Ed25519 key: base64 of its SPKI form, of 60 characters.',
      )
    }
  }
  const derived = own ? written(createPublicKey(own)) : given
  if (given !== '' && given !== derived) {
    fail('PARLEY_RELEASE_KEY is not the public key of PARLEY_SIGNING_KEY.')
  }
  return derived
}

/** The Ed25519 signature of a file, of 64 bytes; undefined: there is no key to sign with. */
export function signatureOf(file: Uint8Array): Buffer | undefined {
  const key = privateKey()
  return key && sign(null, file, key)
}

/** Whether a release is signed. */
export const canSign = () => privateKey() !== undefined
