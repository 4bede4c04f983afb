import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeText } from '#client/ui/sizes.ts'

const sizes: readonly (readonly [bytes: number, text: string])[] = [
  [0, '0 bytes'],
  [1, 'one byte'],
  [2, '2 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [10 * 1024, '10 KiB'],
  [1024 ** 2, '1 MiB'],
  [25 * 1024 ** 2, '25 MiB'],
  [1.25 * 1024 ** 3, '1.3 GiB'],
  [3 * 1024 ** 4, '3 TiB'],
  [4096 * 1024 ** 4, '4096 TiB'],
]
for (const [bytes, text] of sizes) {
  test(`a file of ${bytes} has ${text}`, () => assert.equal(sizeText(bytes), text))
}
