import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { apply } from '#client/compose/text-edits.ts'
import {
  blockInsertion,
  finished,
  partsOf,
  quotesIn,
  withBody,
} from '#client/compose/text-parts.ts'

const said = '@_**Iago|11** [said](http://x.example/#narrow/channel/3/topic/a/near/7):'
const quote = `${said}\n\`\`\`quote\nTwo\nlines\n\`\`\`\n`
const nested = `${said}\n\`\`\`\`quote\nIt is:\n\`\`\`js\nlet a\n\`\`\`\n\`\`\`\`\n`
const file = '[plan.pdf](/user_uploads/1/ab/plan.pdf)'
const pending = '[Uploading plan.pdf… (k3x9a1)]()'
const call = '[Join video call.](https://jitsi.example.com/0a1b)'
const picture = '[cat](https://media.example.com/cat.gif?size=2)'
const links = [file, `!${file}`, pending, call, picture]

// What may stand in a message, in any order: also what only begins as one of the parts does.
const pieces = fc.oneof(
  fc.constantFrom(
    quote,
    nested,
    ...links,
    `${said}\n`,
    '```quote\n',
    '```\n',
    '~~~js\n',
    '\n',
    '\n\n',
    ' ',
  ),
  fc.constantFrom(
    'Hello ',
    `See ${file} `,
    '[docs](https://x.example/)',
    '[]()',
    '[a]()',
    '@_**Iago|11**',
  ),
  fc.string({ maxLength: 6 }),
)
const texts = fc.array(pieces, { maxLength: 9 }).map((all) => all.join(''))
const runs = { numRuns: 2000 }

describe('the parts of a text', () => {
  test('are together the text, whatever it is', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { head, body, tail } = partsOf(text)
        assert.equal(head + body + tail, text)
      }),
      runs,
    )
  })

  test('stay what they are when something else is typed between them', () => {
    fc.assert(
      fc.property(texts, fc.stringMatching(/^[a-z`*\n ]{0,12}$/), (text, typed) => {
        const before = partsOf(text)
        const after = partsOf(withBody(before, typed))
        assert.equal(after.body, typed)
        assert.equal(after.head.trimEnd(), before.head.trimEnd())
        assert.equal(after.tail.trim(), before.tail.trim())
      }),
      runs,
    )
  })

  test('change nothing by being put together again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = withBody(partsOf(text), partsOf(text).body)
        assert.equal(withBody(partsOf(once), partsOf(once).body), once)
        assert.equal(once.replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''))
      }),
      runs,
    )
  })

  test('are quotes only where they begin the text, with all that they quote', () => {
    const { quotes, length } = quotesIn(`${quote}${nested}And ${quote}`)
    assert.equal(length, quote.length + nested.length)
    assert.deepEqual(
      quotes.map(({ senderName, senderId, content }) => [senderName, senderId, content]),
      [
        ['Iago', 11, 'Two\nlines'],
        ['Iago', 11, 'It is:\n```js\nlet a\n```'],
      ],
    )
    for (const other of [` ${quote}`, `> ${quote}`, quote.replace('\n```\n', ''), `${said} so`]) {
      assert.equal(quotesIn(other).length, 0, other)
    }
  })

  const bodies: readonly [text: string, body: string][] = [
    [`Look\n${file}\n`, 'Look'],
    [`Look\n\n${file}\n${pending}\n\n${call}`, 'Look\n'],
    [`${file}\n`, ''],
    [`${quote}${picture}`, ''],
    [`Look ${file}`, `Look ${file}`],
    [`${file}\nLook`, `${file}\nLook`],
    ['See\n[docs](https://x.example/)', 'See\n[docs](https://x.example/)'],
    ['See\n[docs]()', 'See\n[docs]()'],
  ]
  for (const [text, body] of bodies) {
    test(`of ${JSON.stringify(text)} leave ${JSON.stringify(body)} to be typed in`, () => {
      assert.equal(partsOf(text).body, body)
    })
  }
})

describe('a block that is inserted', () => {
  const at = (text: string) => {
    const offset = text.indexOf('¦')
    return { text: text.replace('¦', ''), start: offset, end: offset }
  }
  const rows: readonly [before: string, inserted: string, after: string][] = [
    ['¦', quote.trimEnd(), quote],
    ['Yes¦', quote.trimEnd(), `${quote}Yes`],
    [`${quote}¦`, nested.trimEnd(), quote + nested],
    [`${quote}One¦`, nested.trimEnd(), `${quote}One\n${nested}`],
    ['On¦e', file, `One\n${file}\n`],
    [`¦One\n${file}\n`, call, `One\n${file}\n${call}\n`],
    ['On¦e', '| a |', 'On\n| a |\ne'],
  ]
  for (const [before, inserted, after] of rows) {
    test(`into ${JSON.stringify(before.slice(0, 12))} makes ${JSON.stringify(after.slice(0, 40))}`, () => {
      const selected = at(before)
      assert.equal(apply(selected.text, blockInsertion(selected, inserted)), after)
    })
  }
})

describe('a text that is sent', () => {
  const rows: readonly [text: string, sent: string][] = [
    ['Hello \n\n', 'Hello'],
    [`Look\n${file}\n`, `Look\n${file}`],
    [`\`\`\`js\nlet a\n${file}`, `\`\`\`js\nlet a\n\`\`\`\n${file}`],
    [`~~~quote\n\`\`\`\nlet a\n${file}`, `~~~quote\n\`\`\`\nlet a\n\`\`\`\n~~~\n${file}`],
    [`\`\`\`\nlet a\n\`\`\`\n${file}`, `\`\`\`\nlet a\n\`\`\`\n${file}`],
    ['```\nlet a', '```\nlet a'],
  ]
  for (const [text, sent] of rows) {
    test(`as ${JSON.stringify(sent)} has no link in a block that nobody closed`, () => {
      assert.equal(finished(text), sent)
    })
  }
})
