import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encrypt, isPoint, longestPlaintext } from '#features/notifications/web-push/encryption.ts'
import { type WebPayload, withShorterBody } from '#features/notifications/web-push/payload.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('the example of RFC 8291, Appendix A comes out byte for byte', () => {
  const to = {
    p256dh: bytes(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    ),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const once = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  const body = encrypt(Buffer.from('When I grow up, I want to be a watermelon'), to, once)
  assert.equal(
    body.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  assert.equal(encrypt(Buffer.alloc(longestPlaintext), to).length, 4096)
})

test('a key is a point on the curve', () => {
  const point = bytes(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  )
  assert.ok(isPoint(point))
  const off = Buffer.from(point)
  off[64] = (off[64] ?? 0) ^ 1
  for (const wrong of [off, point.subarray(0, 64), Buffer.alloc(65, 4), Buffer.alloc(0)]) {
    assert.ok(!isPoint(wrong))
  }
})

test('a text that is too long is cut between characters until the payload fits', () => {
  const payload = (body: string): WebPayload => ({
    type: 'message',
    title: 'title',
    body,
    url: '/',
    tag: 'tag',
    icon: '',
    message_id: 1,
    count: 1,
  })
  const size = (one: WebPayload) => Buffer.byteLength(JSON.stringify(one))
  assert.deepEqual(withShorterBody(payload('short'), 3993), payload('short'))
  for (const character of ['a', '"', '\u0001', '🐙', 'é']) {
    const cut = withShorterBody(payload(character.repeat(5000)), 3993)
    assert.ok(size(cut) <= 3993 && size(cut) > 3900, `${character}: ${size(cut)}`)
    assert.ok('body' in cut && cut.body.isWellFormed() && cut.body.endsWith('…'))
  }
})
