import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SourceOptions } from '#features/organization/import/source.ts'
import type { ImportReport } from '#features/organization/import/summary.ts'
import { ApiError } from '#platform/errors.ts'
import { createRandom, drawShare, isWhole, seed } from '#test/support/drawing.ts'
import type { Files } from '#test/support/exports/archives.ts'
import { campfireExport } from '#test/support/exports/campfire.ts'
import { discordExport } from '#test/support/exports/discord.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { mattermostExport } from '#test/support/exports/mattermost.ts'
import { rocketchatExport } from '#test/support/exports/rocketchat.ts'
import { slackExport } from '#test/support/exports/slack.ts'
import {
  type Documents,
  filesWith,
  formOf,
  placesIn,
  type Variation,
  valueAt,
  variationsOf,
} from '#test/support/exports/variations.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

// Each export with one thing that is other than it should be comes in with everything accounted for, or is
// refused in words that whoever imports understands.

interface Example {
  readonly files: () => Files
  readonly options?: SourceOptions
  /** Whether the text of a message is at this place of a file. @param row what it is a member of */
  isText(path: string, place: string, row: Readonly<Record<string, unknown>>): boolean
}

const examples: Readonly<Record<string, Example>> = {
  campfire: {
    files: campfireExport,
    isText: (_, place) => /^action_text_rich_texts\.\d+\.body$/.test(place),
  },
  discord: {
    files: discordExport,
    isText: (_, place) => /^messages\.\d+\.content$/.test(place),
  },
  mattermost: {
    files: mattermostExport,
    options: { team: 'crew' },
    isText: (_, place) => /^\d+\.(direct_)?post\.(replies\.\d+\.)?message$/.test(place),
  },
  rocketchat: {
    files: rocketchatExport,
    isText: (path, place) => /message\.bson$/.test(path) && /^\d+\.msg$/.test(place),
  },
  slack: {
    // Nothing answers there.
    files: () => slackExport('http://127.0.0.1:9'),
    // Slack does not show a text beside blocks or a comment.
    isText: (path, place, { blocks, comment }) =>
      path.includes('/') &&
      !blocks &&
      !comment &&
      /^\d+\.text$|^\d+\.blocks\.0\.elements\.5\.elements\.0\.text$/.test(place),
  },
  zulip: {
    files: () => zulipExport(20),
    isText: (path, place) => /messages/.test(path) && /^zerver_message\.\d+\.content$/.test(place),
  },
}

const words = /qz\d+zq/g

/** The documents of an export, with a word of its own in the text of each message. */
async function documentsOf({ files, isText }: Example): Promise<Documents> {
  const found: Record<string, unknown> = {}
  let n = 0
  for (const [path, body] of Object.entries(files())) {
    const document = await formOf(path)?.parse(body)
    if (document === undefined) continue
    found[path] = document
    for (const place of placesIn(document)) {
      const text = valueAt(document, place)
      if (typeof text !== 'string') continue
      const row = valueAt(document, place.slice(0, -1)) as Record<string, unknown>
      if (!isText(path, place.join('.'), row)) continue
      row[String(place.at(-1))] = `${text} qz${++n}zq`
    }
  }
  return found
}

const sum = (counts: Readonly<Record<string, { readonly count: number }>> = {}) =>
  Object.values(counts).reduce((total, { count }) => total + count, 0)

/** How many messages the report says are not there, or not as they were. */
function countedIn({ tables }: ImportReport): number {
  const { changed, skipped } = tables.messages ?? {}
  return sum(skipped) + sum(changed)
}

/** What only a programmer understands. */
const inside =
  /Cannot read|undefined|NaN|\[object|not a function|not iterable|is not valid JSON\b.*position|SQLITE|constraint|Invalid user|\bID: \d|\.ts\b|Error:/i

/** What is wrong with what became of a variation; undefined: nothing. */
async function problemOf(
  example: Example,
  original: Files,
  documents: Documents,
  variation: Variation,
): Promise<string | undefined> {
  const made = variation.make(original, documents)
  try {
    const imported = await importFiles(made.files, {
      ...(example.options && { source: example.options }),
      owner: { email: 'founder@owner.example.org', fullName: 'Fia Founder' },
      isTrial: true,
    })
    try {
      const texts = imported
        .rows('SELECT content FROM messages')
        .map(({ content }) => String(content))
      const written = new Set(texts.join('\n').match(words))
      const lost = new Set(
        JSON.stringify(made.documents)
          .match(words)
          ?.filter((word) => !written.has(word)),
      )
      const isAccountedFor = lost.size <= countedIn(imported.report)
      return isAccountedFor ? undefined : `${[...lost].join()} of ${countedIn(imported.report)}`
    } finally {
      imported.close()
    }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof ApiError && !inside.test(message) && /\.$/.test(message)) return undefined
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
    test('comes in as it is', async () => {
      const make = () => ({ files: original, documents })
      const unchanged = { name: '', path: '', isWhole: false, make }
      assert.equal(await problemOf(example, original, documents, unchanged), undefined)
    })
    for (const path of Object.keys(documents)) {
      const variations = drawn.flatMap((one) => (one?.path === path ? [one] : []))
      for (const [i, some] of chunksOf(variations, atOnce).entries()) {
        test(`with something else in ${path} comes in or is refused (${i + 1})`, async () => {
          const problems: string[] = []
          for (const variation of some) {
            const problem = await problemOf(example, original, documents, variation)
            if (problem !== undefined) problems.push(`${variation.name}: ${problem}`)
          }
          assert.deepEqual(problems, [])
        })
      }
    }
  })
}
