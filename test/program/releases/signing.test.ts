import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { isSignedBy } from '#program/releases/signature.ts'
import { canSign, publicReleaseKey, signatureOf } from '../../../.build/signing.ts'

const { env } = process
afterEach(() => {
  delete env.PARLEY_SIGNING_KEY
  delete env.PARLEY_RELEASE_KEY
})

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const written = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
const sums = Buffer.from('sums')

test('a build with a key signs with it, and its programs know the public one', () => {
  const forms = [pem, privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')]
  for (const form of forms) {
    env.PARLEY_SIGNING_KEY = form
    const signature = signatureOf(sums) ?? Buffer.alloc(0)
    assert.equal(publicReleaseKey(), written)
    assert.equal(isSignedBy(written, sums, signature), true)
    assert.equal(isSignedBy(written, Buffer.from('other'), signature), false)
    assert.equal(isSignedBy(written, sums, Buffer.alloc(64)), false)
  }
})

test('a build without a key signs nothing', () => {
  assert.deepEqual([canSign(), signatureOf(sums), publicReleaseKey()], [false, undefined, ''])
})

test('a build elsewhere can take the public key alone, if it is one, and fits the private one', () => {
  env.PARLEY_RELEASE_KEY = written
  assert.deepEqual([canSign(), publicReleaseKey()], [false, written])
  env.PARLEY_SIGNING_KEY = generateKeyPairSync('ed25519').privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  }) as string
  assert.throws(publicReleaseKey, /is not the public key of PARLEY_SIGNING_KEY/)
  env.PARLEY_SIGNING_KEY = 'a word'
  assert.throws(publicReleaseKey, /no private Ed25519 key/)
  delete env.PARLEY_SIGNING_KEY
  env.PARLEY_RELEASE_KEY = 'a word'
  assert.throws(publicReleaseKey, /no public Ed25519 key/)
})
