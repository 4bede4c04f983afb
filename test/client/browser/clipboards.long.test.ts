import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composes, emptyBox } from '#test/support/composed.ts'
import { eventually } from '#test/support/eventually.ts'
import { hold } from '#test/support/hold.ts'
import { clipboards } from './clipboards.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

interface Clipboard {
  readonly html?: string
  readonly text?: string
  readonly uris?: string
  readonly rtf?: string
  readonly file?: string
}

/** Pastes what other programs leave in the clipboard. */
async function paste(page: Page, clipboard: Clipboard, where = box(page)): Promise<void> {
  await where.evaluate((element, { html, text, uris, rtf, file }: Clipboard) => {
    const data = new DataTransfer()
    if (html) data.setData('text/html', html)
    if (text) data.setData('text/plain', text)
    if (uris) data.setData('text/uri-list', uris)
    if (rtf) data.setData('text/rtf', rtf)
    if (file) data.items.add(new File(['picture'], file, { type: 'image/png' }))
    const options = { bubbles: true, cancelable: true, clipboardData: data }
    element.dispatchEvent(new ClipboardEvent('paste', options))
  }, clipboard)
}

/** Puts a text into the box, with the selection between two `|`, or the caret at one. */
async function write(page: Page, marked: string): Promise<void> {
  const [before = '', inner = '', rest] = marked.split('|')
  const text = before + inner + (rest ?? '')
  const end = rest === undefined ? before.length : before.length + inner.length
  await box(page).fill(text)
  await box(page).evaluate(
    (area, [from, to]) => (area as HTMLTextAreaElement).setSelectionRange(from, to),
    [before.length, end] as const,
  )
}

async function becomes(page: Page, wanted: string, what: string, where = box(page)): Promise<void> {
  try {
    await page.waitForFunction(
      ([area, exact]) => (area as HTMLTextAreaElement).value === exact,
      [await where.elementHandle(), wanted] as const,
      { timeout: 5000 },
    )
  } catch {
    assert.equal(await where.inputValue(), wanted, what)
  }
}

describe('the clipboards of other programs', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { page } = await site.logIn('member', { hash: '#narrow/channel/4-Denmark/topic/paste' })
  await box(page).waitFor()
  const rich = { html: 'foo <b>bar</b> <a href="https://x.test/">baz</a>', text: 'foo bar baz' }
  const formatted = 'foo **bar** [baz](https://x.test/)'

  test('become Markdown, or stay plain', async () => {
    for (const [from, html, text, markdown] of clipboards) {
      await box(page).fill('')
      await paste(page, { html, text })
      await becomes(page, markdown, from)
    }
  })

  // biome-ignore format: a table reads best in columns
  const places: [at: string, plain: boolean][] = [
    ['a | b', false], ['- |', false], ['> |', false], ['```quote\n|\n```', false], ['```\na\n```\n|', false],
    ['[see |](https://a.test)', false], ['```\n|\n```', true], ['```js\n|', true], ['~~~\n|\n~~~', true], ['````\n```\n|\n````', true],
    ['> ```\n> |\n> ```', true], ['- ```\n  |\n  ```', true], ['run `|` now', true], ['run `a | b`', true], ['``|``', true],
    ['$$|$$', true], ['$$x + |$$', true], ['```math\n|\n```', true], ['see [docs](|)', true], ['@**Ki|ng**', true], ['a\n\n    |', true],
    ['a `b| c` d| e', true], ['a |b\n```\nc| d\n```', true],
  ]
  test('have formats only where these mean something', async () => {
    for (const [at, isPlain] of places) {
      await write(page, at)
      await paste(page, rich)
      const wanted = isPlain ? rich.text : formatted
      await becomes(
        page,
        at.replace(/\|[\s\S]*\||\|/, () => wanted),
        at,
      )
    }
  })

  test('keep an address an address in code, in links, and over lines and mentions', async () => {
    const url = 'https://a.test/x'
    // biome-ignore format: a table reads best in columns
    const table: [at: string, after: string][] = [
      ['see |here| now',           `see [here](${url}) now`],
      ['see| here |now',           `see [here](${url}) now`],
      ['```\ncurl |HERE|\n```',    `\`\`\`\ncurl ${url}\n\`\`\``],
      ['`curl |HERE|`',            `\`curl ${url}\``],
      ['see [docs](|HERE|)',       `see [docs](${url})`],
      ['see [|docs|](b)',          `see [${url}](b)`],
      ['|one\ntwo|',               url],
      ['|@**King Hamlet**|',       url],
      ['a |#**Denmark** b| c',     `a ${url} c`],
      ['$$|x|$$',                  `$$${url}$$`],
      ['|http://old.test|',        url],
    ]
    for (const [at, after] of table) {
      await write(page, at)
      await paste(page, { text: url })
      await becomes(page, after, at)
    }
  })

  test('are files where a file manager copied them, and text where an office program did', async () => {
    // biome-ignore format: a table reads best in columns
    const files: Clipboard[] = [
      { file: 'shot.png' },
      { file: 'shot.png', text: 'shot.png' },
      { file: 'shot.png', text: '/home/me/shot.png', uris: 'file:///home/me/shot.png' },
      { file: 'shot.png', html: '<meta charset="utf-8"><img src="https://a.test/shot.png">', text: 'https://a.test/shot.png' },
    ]
    for (const clipboard of files) {
      await emptyBox(page)
      await paste(page, clipboard)
      await composes(page, /^\[shot\.png\]\(\/user_uploads\//)
    }
    await emptyBox(page)
    const table = '<table><tr><td>a</td><td>b</td></tr></table>'
    await box(page).fill('')
    await paste(page, { file: 'cells.png', html: table, text: 'a\tb' })
    await becomes(page, '| a | b |\n| --- | --- |', 'Excel')
  })

  test('are pictures on demand where an office program copied text with a picture of it', async () => {
    const table = '<table><tr><td>a</td><td>b</td></tr></table>'
    // biome-ignore format: a table reads best in columns
    const both: [what: string, clipboard: Clipboard, shown: string][] = [
      ['cells',        { file: 'cells.png', html: table, text: 'a\tb' },                '| a | b |\n| --- | --- |'],
      ['bold words',   { file: 'words.png', html: '<b>two</b> words', text: 'two words' }, '**two** words'],
      ['plain words',  { file: 'words.png', html: '<p>two words</p>', text: 'two words' }, 'two words'],
      ['text of RTF',  { file: 'words.png', rtf: '{\\rtf1 two}', text: 'two' },         'two'],
    ]
    for (const [what, clipboard, shown] of both) {
      await write(page, 'before |')
      await paste(page, clipboard)
      await page.waitForFunction(
        (part) => document.querySelector<HTMLTextAreaElement>('.editor-text')?.value.includes(part),
        shown,
      )
      await page.getByRole('button', { name: 'Paste as picture' }).click()
      const text = await composes(page, /\[\w+\.png\]\(\/user_uploads\//)
      assert.ok(text.startsWith('before'), what)
      assert.equal(text.includes(shown), false, what)
      await emptyBox(page)
    }
  })

  test('are one step of undo as plain text, and one as Markdown', async () => {
    await box(page).fill('')
    await box(page).pressSequentially('typed ')
    await paste(page, rich)
    await becomes(page, `typed ${formatted}`, 'formatted')
    await box(page).press('Control+z')
    await becomes(page, `typed ${rich.text}`, 'one step back')
    await box(page).press('Control+z')
    await becomes(page, 'typed ', 'two steps back')
    await box(page).press('Control+Shift+z')
    await box(page).press('Control+Shift+z')
    await becomes(page, `typed ${formatted}`, 'again')
  })

  test('are plain after Ctrl+Shift+V, and the next time not', async () => {
    // The key counts for a while only, which is over soon on a busy machine. Pressed by the browser, it
    // would paste what is in the clipboard of the machine as well.
    const key = { key: 'V', code: 'KeyV', ctrlKey: true, shiftKey: true }
    await eventually(async () => {
      await box(page).fill('')
      await box(page).dispatchEvent('keydown', key)
      await paste(page, rich)
      // Formats would come a moment later.
      await page.waitForTimeout(100)
      return await box(page).inputValue()
    }, rich.text)
    await box(page).fill('')
    await box(page).press('End')
    await paste(page, rich)
    await becomes(page, formatted, 'formatted')
  })

  const late = { html: '<b>X</b> y', text: 'X y' }

  /** A window in which what reads formats is held. */
  async function heldWindow(topic: string) {
    const person = await site.logIn('member', { hash: `#narrow/channel/4-Denmark/topic/${topic}` })
    const { page } = person
    await box(page).waitFor()
    const release = await hold(page, /\/html-to-markdown-/)
    return { ...person, page, release }
  }

  test('formats that are read late come where it was pasted, whatever is typed beside it', async () => {
    const { page, release, leave } = await heldWindow('beside')
    await write(page, 'A|B')
    await paste(page, late)
    await becomes(page, 'AX yB', 'plain at once')
    await box(page).press('End')
    await box(page).pressSequentially('typed')
    await box(page).press('Home')
    await box(page).pressSequentially('more ')
    release()
    await becomes(page, 'more A**X** yBtyped', 'formatted')
    const caret = await box(page).evaluate((area) => (area as HTMLTextAreaElement).selectionStart)
    assert.equal(caret, 5)
    await leave()
  })

  test('formats that are read late do not come where it was changed meanwhile, or is gone', async () => {
    const { page, release, leave } = await heldWindow('changed')
    await write(page, 'A|B')
    await paste(page, late)
    await becomes(page, 'AX yB', 'plain at once')
    await box(page).press('Backspace')
    await becomes(page, 'AX B', 'changed')
    await page.evaluate(() => document.querySelector<HTMLElement>('.editor-text')?.focus())
    release()
    await page.waitForFunction(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => name.includes('html-to-markdown')),
    )
    await box(page).pressSequentially('!')
    await becomes(page, 'AX !B', 'left as it is')
    await leave()
  })

  test('formats that are read late come to the conversation that it was pasted in', async () => {
    const { page, release, leave } = await heldWindow('race')
    await box(page).fill('')
    await paste(page, late)
    await becomes(page, 'X y', 'plain at once')
    await page.evaluate(() => location.assign('#narrow/channel/4-Denmark/topic/elsewhere'))
    await page.getByPlaceholder('Message #Denmark › elsewhere').waitFor()
    await box(page).pressSequentially('other')
    release()
    await page.waitForFunction(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => name.includes('html-to-markdown')),
    )
    await page.evaluate(() => location.assign('#narrow/channel/4-Denmark/topic/race'))
    await becomes(page, '**X** y', 'formatted where it was')
    await page.evaluate(() => location.assign('#narrow/channel/4-Denmark/topic/elsewhere'))
    await becomes(page, 'other', 'nothing elsewhere')
    await leave()
  })

  test('formats that are read late come to the message that is edited', async () => {
    await site.server.say('member', 'public', 'edited', 'before')
    const { page, release, leave } = await heldWindow('edited')
    await box(page).press('ArrowUp')
    const edit = page.getByRole('textbox', { name: 'Edit message' })
    await edit.press('End')
    await paste(page, { html: ' <i>after</i>', text: ' after' }, edit)
    await becomes(page, 'before after', 'plain at once', edit)
    release()
    await becomes(page, 'before *after*', 'formatted', edit)
    await leave()
  })
})
