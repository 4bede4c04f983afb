import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback } from '#shared/loopback.ts'

const loopback = [
  'localhost',
  'chat.localhost',
  'localhost.',
  '127.0.0.1',
  '127.1',
  '127.200.3.4',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
]
const others = [
  'chat.example.com',
  'localhost.example.com',
  'mylocalhost',
  '127.example.com',
  '192.168.1.7',
  '10.0.0.1',
  '128.0.0.1',
  '[fe80::1]',
  '[::ffff:192.168.1.7]',
]
for (const rest of ['', ':9991', ':9991/join/abc']) {
  for (const scheme of ['http', 'https']) {
    for (const host of loopback) {
      const link = `${scheme}://${host}${rest}`
      test(`${link} leads only this computer anywhere`, () => assert.equal(isLoopback(link), true))
    }
    for (const host of others) {
      const link = `${scheme}://${host}${rest}`
      test(`${link} may lead others here`, () => assert.equal(isLoopback(link), false))
    }
  }
}
