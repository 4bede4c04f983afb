import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { problemsOf } from '#test/support/client-html.ts'
import { html } from './markdown.ts'
import { randomMarkdown, randomPieces } from './random-markdown.ts'

/** More rounds than the suite runs: `MARKDOWN_ROUNDS=100000 npx tsx --test test/platform/markdown/safety.test.ts`. */
const rounds = Number(process.env.MARKDOWN_ROUNDS ?? 1500)
const seed = process.env.MARKDOWN_ROUNDS ? undefined : 11

const linkifiers = [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'javascript:{id}' }]

for (const [kind, documents] of Object.entries({ randomMarkdown, randomPieces })) {
  test(`${kind}: whatever is written, clients get only forms they know, and safe addresses`, () => {
    fc.assert(
      fc.property(documents, fc.boolean(), (source, translateEmoticons) => {
        assert.deepEqual(problemsOf(html(source, { translateEmoticons, linkifiers })), [])
      }),
      { numRuns: rounds, seed },
    )
  })
}
