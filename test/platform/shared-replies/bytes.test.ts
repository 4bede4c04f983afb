import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, gunzipSync } from 'node:zlib'
import { gzipBytes, plainBytes, SharedText } from '#platform/shared-replies/bytes.ts'
import { joinChecksums, shiftOf } from '#platform/shared-replies/crc.ts'
import { atOnce } from '#platform/steps.ts'

const text = (length: number) =>
  Array.from({ length }, (_, i) => `{"user":${i},"name":"Zoë 😀 ${i % 7}"}`).join(',')

test('pieces are the same text, compressed or not', () => {
  const shared = new SharedText(text(5000))
  for (const pieces of [
    [],
    [''],
    ['alone'],
    [shared],
    ['[', shared, ',', shared, ']'],
    [text(3), shared, text(3000)],
  ]) {
    const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : String(piece.bytes)))
    assert.equal(Buffer.concat(plainBytes(pieces)).toString(), whole.join(''))
    assert.equal(gunzipSync(Buffer.concat(atOnce(gzipBytes(pieces)))).toString(), whole.join(''))
  }
})

test('what is shared is compressed once', () => {
  const shared = new SharedText(text(10))
  const [first, second] = [atOnce(gzipBytes(['a', shared])), atOnce(gzipBytes(['b', shared]))]
  assert.ok(first.some((part) => part === shared.deflated && second.includes(part)))
})

test('a piece with a secret is not compressed', () => {
  const secret = `"api_key":"${'a'.repeat(1000)}"`
  assert.ok(Buffer.concat(atOnce(gzipBytes([secret]))).includes(secret))
  assert.ok(
    !Buffer.concat(atOnce(gzipBytes([secret.replace('api_key', 'name')]))).includes('aaaaaaaa'),
  )
})

test('the checksum of two texts is that of both together', () => {
  for (const [a, b] of [
    ['', ''],
    ['', 'b'],
    ['a', ''],
    ['Zoë', '😀'],
    ['x'.repeat(70_000), 'y'.repeat(100_001)],
  ] as const) {
    const joined = joinChecksums(crc32(a), crc32(b), shiftOf(Buffer.byteLength(b)))
    assert.equal(joined, crc32(a + b))
  }
})
