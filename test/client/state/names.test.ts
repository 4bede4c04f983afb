import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainDescription } from '#client/state/names.ts'

const cases: readonly (readonly [name: string, html: string, text: string])[] = [
  [
    'marks are left out, and what they mark stays',
    '<p>Builds and <strong>on-call</strong>, <code>a &lt; b</code></p>\n<p>Ask &amp; tell</p>',
    'Builds and on-call, a < b Ask & tell',
  ],
  ['a link is its text', '<p><a href="https://x.example/?a=1&gt;2">Runbook</a></p>', 'Runbook'],
  ['an entity that was typed is decoded once', '<p>&amp;lt;</p>', '&lt;'],
  ['there may be none', '', ''],
]

for (const [name, descriptionHtml, text] of cases) {
  test(`plain descriptions: ${name}`, () => {
    assert.equal(plainDescription({ descriptionHtml }), text)
  })
}
