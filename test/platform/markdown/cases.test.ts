import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { html } from './markdown.ts'

/** Worked cases that are kept apart from the project; `MARKDOWN_CASES` may name another file. */
const file =
  process.env.MARKDOWN_CASES ??
  fileURLToPath(new URL('../../../../shared/spec/markdown-cases.json', import.meta.url))

interface Cases {
  regular_tests: {
    name: string
    input: string
    expected_output: string
    translate_emoticons?: boolean
  }[]
  linkify_tests: [source: string, template: string, address: string][]
}

/** Cases older than the form that clients parse today, and why they differ. */
const outdated = new Set([
  // Previews by a thumbnail service that no client asks anymore.
  'two_inline_images',
  'only_named_inline_image',
])

const skip = existsSync(file) ? false : `there are no worked cases at ${file}`
const realmUrl = 'http://zulip.testserver'

test('at least 95 % of the worked documents have the HTML that they say, and all but the outdated', {
  skip,
}, () => {
  const { regular_tests: documents } = readCases()
  const different = documents.filter((document) => {
    const translateEmoticons = document.translate_emoticons ?? false
    const shown = html(document.input, { translateEmoticons, realmUrl })
    return withoutHighlighting(shown) !== withoutHighlighting(document.expected_output)
  })
  const names = different.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => !outdated.has(name)),
    [],
  )
  assert.ok(different.length <= documents.length * 0.05, names.join(' '))
})

test('all worked addresses', { skip }, () => {
  for (const [source, template, address] of readCases().linkify_tests) {
    const link = `<a href="${hrefOf(address)}">${address}</a>`
    const shown = html(source, { realmUrl, previewsEnabled: false })
    assert.equal(
      shown,
      template.replace('%s', () => link),
      source,
    )
  }
})

function readCases(): Cases {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function withoutHighlighting(shown: string): string {
  return shown.replace(/<code>.*?<\/code>/gs, (code) => code.replace(/<\/?span[^>]*>/g, ''))
}

function hrefOf(address: string): string {
  if (/^(?:https?|bitcoin):/.test(address)) return address
  return /^[^/]+@/.test(address) ? `mailto:${address}` : `http://${address}`
}
