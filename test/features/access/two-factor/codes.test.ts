import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from 'otpauth'
import {
  newRecoveryCodes,
  newSecret,
  recoveryHash,
  setupOf,
  stepOfCode,
} from '#features/access/two-factor/codes.ts'

describe('codes are those of RFC 6238, Appendix B', () => {
  const secret = Secret.fromLatin1('12345678901234567890').base32
  // The standard lists eight digits; ours are the last six.
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, digits] of vectors) {
    test(`at ${seconds}`, () => {
      const step = Math.floor(seconds / 30)
      const code = digits.slice(-6)
      const at = (offset: number, after = 0) =>
        stepOfCode(secret, code, (seconds + offset) * 1000, after)
      assert.equal(at(0), step)
      assert.equal(at(30), step)
      assert.equal(at(-30), step)
      assert.equal(at(90), undefined)
      assert.equal(at(-90), undefined)
      assert.equal(at(0, step - 1), step)
      assert.equal(at(0, step), undefined)
    })
  }

  test('other texts are none', () => {
    for (const code of ['', '28708', '2870820', 'abcdef', '２８７０８２']) {
      assert.equal(stepOfCode(secret, code, 59_000, 0), undefined)
    }
    assert.equal(stepOfCode(secret, ' 287 082 ', 59_000, 0), 1)
  })
})

test('secrets and recovery codes are random, and long enough', () => {
  assert.equal(Secret.fromBase32(newSecret()).bytes.length, 20)
  assert.notEqual(newSecret(), newSecret())
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^([0-9a-f]{5}-){3}[0-9a-f]{5}$/)
  const [code = ''] = codes
  assert.equal(recoveryHash(code.toUpperCase().replaceAll('-', ' ')), recoveryHash(code))
})

test('apps get the secret with the names of account and organization', () => {
  const { uri, qr } = setupOf('JBSWY3DPEHPK3PXP', 'ann@example.com', 'Ours: all')
  const url = new URL(uri)
  assert.equal(url.protocol, 'otpauth:')
  assert.equal(url.searchParams.get('secret'), 'JBSWY3DPEHPK3PXP')
  assert.equal(decodeURIComponent(url.pathname), '/Ours  all:ann@example.com')
  assert.ok(qr.size > 20)
  assert.match(qr.path, /^M\d+ \d+h1v1h-1z/)
})
