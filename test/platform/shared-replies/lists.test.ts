import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { memo } from '#platform/memo.ts'
import { gzipBytes, plainBytes, SharedText } from '#platform/shared-replies/bytes.ts'
import { CommonList, type ListSpan, SelectedList } from '#platform/shared-replies/lists.ts'
import { type JsonPieces, KeptTexts } from '#platform/shared-replies/values.ts'
import { atOnce } from '#platform/steps.ts'

const textOf = ({ pieces }: JsonPieces) => Buffer.concat(plainBytes(pieces)).toString()
/** The pieces that other replies can share, without brackets and commas. */
const sharedOf = ({ pieces }: JsonPieces) =>
  pieces.filter((piece) => piece instanceof SharedText && piece.bytes.length > 1)

/** The text of a list, which is the same when it comes compressed. */
function written(list: JsonPieces): string {
  const text = textOf(list)
  assert.equal(gunzipSync(Buffer.concat(atOnce(gzipBytes(list.pieces)))).toString(), text)
  return text
}

interface Person {
  readonly id: number
  readonly name: string
  readonly address: string
}

/** Numbers below a limit that look random and are the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const names = ['Zoë', '😀', '', '"]', '\\', '\u2028', 'Ada\n', '}', '設計', 'x'.repeat(300)]
const rounds = 60

/** People before and after each of many random changes: some are added, renamed or removed. */
function* changing(below: (limit: number) => number): Generator<readonly Person[]> {
  const named = (id: number): Person => ({
    id,
    name: `${names[below(names.length)]}${below(5)}`,
    address: `${id}@example.com`,
  })
  let people = Array.from({ length: 700 }, (_, i) => named(3 * i))
  for (let round = 0; round < rounds; round++) {
    yield people
    const from = below(people.length)
    const changed = people.slice(from, from + below(4)).map(({ id }) => named(id))
    const left = people.slice(0, from)
    const right = people.slice(from + below(4))
    const byId = new Map([...left, ...changed, ...right].map((one) => [one.id, one]))
    for (const id of [below(2500), below(2500)]) if (below(2) === 0) byId.set(id, named(id))
    if (below(20) === 0) byId.clear()
    people = [...byId.values()].sort((a, b) => a.id - b.id)
    if (people.length === 0) people = [named(below(900))]
  }
}

const withoutAddress = ({ id, name }: Person) => ({ id, name })
type People = CommonList<{ readonly id: number }, [Person[]]>
type PeopleSpan = ListSpan<{ readonly id: number }, [Person[]]>
/** The same object for the same ID. */
const elements = memo((id) => ({ id }))
const listOf = (people: readonly Person[], before?: People) =>
  atOnce(CommonList.make(spansOf(people), valuesOf, before))
const valuesOf = ({ details: [people] }: PeopleSpan) => people.map(withoutAddress)

function* spansOf(people: readonly Person[]): Iterable<PeopleSpan> {
  for (let from = 0; from < 3000; from += 200) {
    const some = people.filter(({ id }) => id >= from && id < from + 200)
    if (some.length > 0) yield { elements: some.map(({ id }) => elements(id)), details: [some] }
  }
}

test('a common list is byte for byte what the plain way writes, after every change and for every reader', () => {
  for (const seed of [1, 2, 3]) {
    const below = numbers(seed)
    let list: People | undefined
    for (const people of changing(below)) {
      list = listOf(people, list)
      const readers = [people[0]?.id, people.at(-1)?.id, people[below(people.length)]?.id, 99_999]
      for (const reader of [undefined, ...readers]) {
        const own = people.find(({ id }) => id === reader)
        const sees = (one: Person) => JSON.stringify(one === own ? one : withoutAddress(one))
        const expected = `[${people.map(sees).join(',')}]`
        const value = () => own ?? assert.fail('nobody asked for it')
        const found = list.write(reader === undefined ? undefined : { id: reader, value })
        assert.equal(written(found), expected, `seed ${seed}, reader ${reader}`)
      }
    }
  }
})

test('a selected list is byte for byte what the plain way writes, after every change and for every reader', () => {
  for (const seed of [4, 5, 6]) {
    const below = numbers(seed)
    const list = new SelectedList()
    const texts = new KeptTexts<[string, string]>()
    for (const people of changing(below)) {
      const oneIn = 2 + below(30)
      const selections: ((one: Person, i: number) => boolean)[] = [
        () => true,
        () => false,
        ({ id }) => id % oneIn === 0,
        ({ id }) => id % oneIn !== 0,
        (_, i) => i < oneIn,
        () => below(oneIn) > 0,
      ]
      for (const gets of selections) {
        const got = people.map(gets)
        const expected = people.filter((_, i) => got[i]).map((one) => JSON.stringify(one))
        const elements = people.map(({ id, name, address }, i) =>
          got[i]
            ? texts.of(id, [name, address], () => JSON.stringify({ id, name, address }))
            : undefined,
        )
        assert.equal(written(list.write(elements)), `[${expected.join(',')}]`, `seed ${seed}`)
      }
    }
  }
})

test('an empty list is one', () => {
  assert.equal(written(new SelectedList().write([])), '[]')
  assert.equal(written(listOf([]).write()), '[]')
})

test('a common list takes over the spans in which nothing has changed', () => {
  const people = Array.from({ length: 1000 }, (_, id) => ({ id, name: `Zoë ${id}`, address: '' }))
  const first = listOf(people)
  const renamed = people.map((one) => (one.id === 450 ? { ...one, name: 'Zoe' } : one))
  const second = listOf(renamed, first)
  const [before, after] = [sharedOf(first.write()), sharedOf(second.write())]
  assert.deepEqual(
    after.map((piece, i) => piece === before[i]),
    before.map((_, i) => i !== 2),
  )
  const own = sharedOf(first.write({ id: 450, value: () => ({}) }))
  assert.deepEqual(
    own,
    before.filter((_, i) => i !== 2),
  )
})

test('a common list knows its elements by their IDs, even if their texts are the same', () => {
  const listOf = (id: number, before?: CommonList<{ id: number }, [string[]]>) =>
    atOnce(
      CommonList.make([spanOf(id)], ({ details: [names] }) => names.map((name) => [name]), before),
    )
  const spanOf = (id: number) => ({ elements: [{ id }], details: [['a']] as [string[]] })
  const own = { id: 2, value: () => ({ name: 'a' }) }
  assert.equal(written(listOf(1).write(own)), '[["a"]]')
  assert.equal(written(listOf(2, listOf(1)).write(own)), '[{"name":"a"}]')
})

const all = Array.from({ length: 100 }, (_, i) => JSON.stringify({ id: i, name: `Zoë ${i}` }))

test('readers of a selected list share what they get alike', () => {
  const list = new SelectedList()
  const first = sharedOf(list.write(all))
  const other = sharedOf(list.write(all.map((text, i) => (i === 40 ? undefined : text))))
  assert.deepEqual(
    other.map((piece, i) => piece === first[i]),
    first.map((_, i) => i !== 2),
  )
  assert.ok(sharedOf(list.write(all)).every((piece, i) => piece === first[i]))
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
