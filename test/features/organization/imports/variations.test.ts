import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImportReport } from '#features/organization/imports/summary.ts'
import { ApiError } from '#platform/errors.ts'
import { createRandom, drawShare, isWhole, seed } from '#test/support/drawing.ts'
import type { Files } from '#test/support/exports/archives.ts'
import {
  documentsOf,
  type Example,
  examples,
  isForPeople,
  words,
} from '#test/support/exports/examples.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import {
  type Documents,
  filesWith,
  type Variation,
  variationsOf,
} from '#test/support/exports/variations.ts'

// Each export with one thing that is other than it should be comes in with everything accounted for, or is
// refused in words that whoever imports understands.

/** How many messages the report says are not there, or not as they were, by the reason. */
function countsIn({ tables }: ImportReport): Readonly<Record<string, number>> {
  const { changed = {}, skipped = {} } = tables.messages ?? {}
  const all = [
    ...Object.entries(skipped),
    ...Object.entries(changed).map(([reason, each]) => [`changed: ${reason}`, each] as const),
  ]
  return Object.fromEntries(all.map(([reason, { count }]) => [reason, count]))
}

/** What is not in the messages of an import. */
interface Losses {
  /** The words of texts. */
  readonly words: ReadonlySet<string>
  readonly counts: Readonly<Record<string, number>>
}

const none: Losses = { words: new Set(), counts: {} }

async function lossesOf(
  { options }: Example,
  made: { readonly files: Files; readonly documents: Documents },
): Promise<Losses> {
  const imported = await importFiles(made.files, {
    ...(options && { source: options }),
    owner: { email: 'founder@owner.example.org', fullName: 'Fia Founder' },
    isTrial: true,
  })
  try {
    const texts = imported
      .rows('SELECT content FROM messages')
      .map(({ content }) => String(content))
    const written = new Set(texts.join('\n').match(words))
    const lost = JSON.stringify(made.documents)
      .match(words)
      ?.filter((word) => !written.has(word))
    return { words: new Set(lost), counts: countsIn(imported.report) }
  } finally {
    imported.close()
  }
}

/** What is lost without being counted; undefined: nothing. @param before what is lost and counted anyway */
function uncounted(losses: Losses, before: Losses): string | undefined {
  const lost = [...losses.words].filter((word) => !before.words.has(word))
  const counted = Object.entries(losses.counts).reduce(
    (sum, [reason, count]) => sum + Math.max(0, count - (before.counts[reason] ?? 0)),
    0,
  )
  // What is no longer lost, or is not there, leaves its count to another.
  const freed = [...before.words].filter((word) => !losses.words.has(word)).length
  return lost.length <= counted + freed ? undefined : `${lost.join()} of ${counted}`
}

/** What is wrong with what became of a variation; undefined: nothing. */
async function problemOf(
  example: Example,
  made: ReturnType<Variation['make']>,
  before: Losses,
): Promise<string | undefined> {
  try {
    return uncounted(await lossesOf(example, made), before)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof ApiError && isForPeople(message)) return undefined
    return error instanceof ApiError ? message : String((error as Error).stack)
  }
}

/** How many variations of each source are tried each time, and which share of all with `--all`. */
const each = 3
const share = 1 / 32

/** How many of them one test tries: the runner breaks off a test of which nothing is heard for long. */
const atOnce = 20

const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  )

for (const [name, example] of Object.entries(examples)) {
  describe(`an export of ${name}`, async () => {
    const documents = await documentsOf(example)
    const original = filesWith(example.files(), documents)
    const all = [...variationsOf(documents)]
    const random = createRandom(seed)
    const drawn = isWhole
      ? drawShare(all, Math.round(1 / share), seed)
      : Array.from({ length: each }, () => all[Math.floor(random() * all.length)])
    const before = await lossesOf(example, { files: original, documents })
    test('comes in as it is', () => {
      assert.equal(uncounted(before, none), undefined)
    })
    for (const path of Object.keys(documents)) {
      const variations = drawn.flatMap((one) => (one?.path === path ? [one] : []))
      for (const [i, some] of chunksOf(variations, atOnce).entries()) {
        test(`with something else in ${path} comes in or is refused (${i + 1})`, async () => {
          const problems: string[] = []
          for (const variation of some) {
            const problem = await problemOf(example, variation.make(original, documents), before)
            if (problem !== undefined) problems.push(`${variation.name}: ${problem}`)
          }
          assert.deepEqual(problems, [])
        })
      }
    }
  })
}
