import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { joinChecksums, shiftOf } from '#platform/crc.ts'
import { type JsonPieces, plainBytes } from '#platform/shared-json.ts'
import { KeptTexts, SharedList } from '#platform/shared-list.ts'

const textOf = ({ pieces }: JsonPieces) => Buffer.concat(plainBytes(pieces)).toString()
const sharedOf = ({ pieces }: JsonPieces) =>
  pieces.filter((piece) => plainBytes([piece]).join().length > 1)
const all = Array.from({ length: 100 }, (_, i) => JSON.stringify({ id: i, name: `Zoë ${i}` }))

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

test('a list has exactly the elements that a reader gets, in order', () => {
  const list = new SharedList()
  const choices: ((i: number) => boolean)[] = [
    () => true,
    () => false,
    (i) => i === 0,
    (i) => i === 99,
    (i) => i < 16,
    (i) => i >= 16 && i !== 50,
    (i) => i % 2 === 0,
  ]
  for (const [a, gets] of [...choices, ...choices].entries()) {
    const elements = all.map((text, i) => (gets(i) ? text : undefined))
    const expected = all.filter((_, i) => gets(i)).join(',')
    assert.equal(textOf(list.write(elements)), `[${expected}]`, `choice ${a}`)
  }
  assert.equal(textOf(new SharedList().write([])), '[]')
})

test('readers share what they get alike, and nothing that has changed', () => {
  const list = new SharedList()
  const first = sharedOf(list.write(all))
  const other = sharedOf(list.write(all.map((text, i) => (i === 40 ? undefined : text))))
  assert.deepEqual(
    other.map((piece, i) => piece === first[i]),
    first.map((_, i) => i !== 2),
  )
  const changed = all.map((text, i) => (i === 3 ? '{"id":3}' : text))
  assert.equal(textOf(list.write(changed)), `[${changed.join(',')}]`)
  assert.ok(sharedOf(list.write(all)).every((piece, i) => piece === first[i]))
  const shorter = all.slice(0, 20)
  assert.equal(textOf(list.write(shorter)), `[${shorter.join(',')}]`)
})

test('a text is made again only when a part is another', () => {
  const texts = new KeptTexts<[string, number]>()
  let made = 0
  const make = (name: string, count: number) => `${name} ${count} ${++made}`
  assert.equal(texts.of(1, ['a', 1], make), 'a 1 1')
  assert.equal(texts.of(1, ['a', 1], make), 'a 1 1')
  assert.equal(texts.of(2, ['a', 1], make), 'a 1 2')
  assert.equal(texts.of(1, ['a', 2], make), 'a 2 3')
  assert.equal(texts.of(1, ['b', 2], make), 'b 2 4')
})
