import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html, rendered } from './markdown.ts'

/*
 * Each kind of syntax between all kinds of neighbours: what people write in any script, without a
 * space, before and behind it.
 */

const unspaced = ['日本', 'こんにちは', 'カー', '한국', 'ไทย', 'ລາວ', 'ខ្មែ', 'မြန်'] // biome-ignore format: words
const spaced = ['привет', 'Ελλ', 'éé', 'שלום', 'سلام', 'हिंद']
const emoji = ['🎉', '👍🏽', '❤️', '🇩🇪', '👩‍👩‍👧', '1️⃣']
const marks = [...'、。，：；！？（）「」『』【】“”„«»‘’—…']
const ascii = [...'/.,:;!?()[]{}<>+-=&|\'"%^$']
const spaces = ['', ' ', '\n', '\u3000']

const all = [...unspaced, ...spaced, ...emoji, ...marks, ...ascii, ...spaces]
const words = ['a', 'Z', '7', '_', '\\']

/** The kinds of references, with the part of the HTML that shows that one was read. */
const references: readonly [source: string, mark: string][] = [
  ['@**Desdemona**', 'data-user-id="8"'],
  ['@_**Desdemona|8**', 'data-user-id="8"'],
  ['@**all**', 'data-user-id="*"'],
  ['@**topic**', 'topic-mention'],
  ['@*crew*', 'data-user-group-id="5"'],
  ['#**general**', 'data-stream-id="2"'],
  ['#**general>plans**', 'stream-topic'],
]

describe('a mention or a link to a channel', () => {
  for (const [source, mark] of references) {
    test(`${source} is read behind all but ASCII letters, digits, _ and a backslash`, () => {
      for (const before of all) {
        for (const behind of all) {
          const text = `${before}${source}${behind}`
          assert.ok(html(text).includes(mark), text)
        }
      }
      for (const before of words) assert.ok(!html(`${before}${source}`).includes(mark), before)
    })
  }

  test('follows another at once, or behind any mark', () => {
    for (const between of ['', '/', '+', '&', '、', 'と', '🎉', ' ']) {
      const { mentions } = rendered(`@**Desdemona**${between}@**Othello**`)
      assert.deepEqual(mentions.userIds, [8, 10], between)
    }
  })
})

describe('a URL', () => {
  const hrefs = (text: string) =>
    [...html(text, { previewsEnabled: false }).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  const neighbours = [...unspaced, ...emoji, ...marks, '', ' ']

  for (const url of ['https://example.com', 'http://x.org/a/b', 'https://例え.jp/パス?q=1#x']) {
    test(`${url} begins behind letters of other scripts, emoji and their marks, and ends before them`, () => {
      for (const before of [...neighbours, ...spaced]) {
        for (const behind of [...emoji, ...marks, '', ' ', '"x"', '<b>']) {
          // An emoji that begins with a digit goes on with it.
          if (behind === '1️⃣' || (behind === '<b>' && before === '<')) continue
          const text = `${before}${url}${behind}`
          assert.deepEqual(hrefs(text).length, 1, text)
          const [href = ''] = hrefs(text)
          assert.equal(decodeURI(href), url, text)
        }
      }
    })
  }

  test('ends with its host where a word without spaces follows', () => {
    for (const behind of unspaced) {
      assert.deepEqual(hrefs(`見てhttps://example.com${behind}`), ['https://example.com'])
    }
  })

  test('ends before a parenthesis that is not closed', () => {
    assert.deepEqual(hrefs('https://x.org/a(b'), ['https://x.org/a'])
    assert.deepEqual(hrefs('https://x.org/a_(b)/(c'), ['https://x.org/a_(b)/'])
  })

  test('has a host', () => {
    for (const text of [
      'http://.',
      'https://-',
      'http://@',
      'http://u:p@',
      'http://:80',
      'http://_',
    ]) {
      assert.deepEqual(hrefs(text), [], text)
    }
  })

  test('does not begin within an ASCII word', () => {
    for (const before of ['a', 'Z', '7', '_']) assert.deepEqual(hrefs(`${before}http://x.org`), [])
  })
})

test('a linkifier matches between letters of scripts without spaces, emoji and all marks', () => {
  const linkifiers = [
    { id: 1, pattern: 'チケット(?P<id>\\d+)', urlTemplate: 'https://x.org/{id}' },
    { id: 2, pattern: 'HELP-(?P<id>\\d+)', urlTemplate: 'https://x.org/{id}' },
  ]
  for (const source of ['チケット12', 'HELP-12']) {
    for (const before of [...unspaced, ...emoji, ...marks, '', ' ', '(']) {
      for (const behind of [...unspaced, ...emoji, ...marks, '', ' ', ')']) {
        if (behind === '1️⃣') continue
        const text = `${before}${source}${behind}`
        assert.ok(html(text, { linkifiers }).includes('href="https://x.org/12"'), text)
      }
    }
    for (const before of ['a', '7', 'б']) {
      assert.ok(!html(`${before}${source}`, { linkifiers }).includes('href'), before)
    }
    for (const behind of ['a', 'б']) {
      assert.ok(!html(`${source}${behind}`, { linkifiers }).includes('href'), behind)
    }
  }
})
