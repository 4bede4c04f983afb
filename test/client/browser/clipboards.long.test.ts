import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composes, emptyBox } from '#test/support/composed.ts'
import { eventually } from '#test/support/eventually.ts'
import { hold } from '#test/support/hold.ts'

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

const code = 'if (a) {\n    return b\n}'
const codeLines =
  '<div><span style="color: #c586c0;font-weight: bold;">if</span><span> (a) {</span></div><div><span style="font-style: italic;">    return</span> b</div><div>}</div>'
const vsCode = (font: string, background: string) =>
  `<meta charset='utf-8'><div style="color: #ccc;background-color: ${background};font-family: ${font};font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;">${codeLines}</div>`
const codeTable = (number: string, cell: string) =>
  `<table><tbody>${code
    .split('\n')
    .map((line, at) => `<tr><td ${number}="${at}"></td><td ${cell}><b>${line}</b></td></tr>`)
    .join('')}</tbody></table>`
const wordItem = (level: number, sign: string, words: string, how = '') =>
  `<p class=MsoListParagraph style='${how}text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`
const word = (inner: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style>p.MsoNormal {margin:0cm}</style></head><body lang=EN-GB><!--StartFragment-->${inner}<!--EndFragment--></body></html>`
const docs = (inner: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1a2b">${inner}</b><br class="Apple-interchange-newline">`
const docsSpan = (words: string, weight = 400, more = '') =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;font-weight:${weight};font-style:normal;${more}white-space:pre;white-space:pre-wrap;">${words}</span>`

// biome-ignore format: a table reads best in columns
const clipboards: [from: string, html: string, text: string, markdown: string][] = [
  ['VS Code',                    vsCode("Consolas, 'Courier New', monospace", '#1f1f1f'), code, code],
  ['VS Code with Fira Code',     vsCode("'Fira Code'", '#ffffff'),      code, code],
  ['VS Code with SF Mono',       vsCode('SF Mono', '#002b36'),          code, code],
  ['a list in VS Code',          vsCode('Iosevka', '#fff').replace('if', '- if'), `- ${code}`, `- ${code}`],
  ['JetBrains',                  `<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body><pre style="background-color:#2b2b2b;color:#a9b7c6;font-family:'JetBrains Mono';font-size:9.8pt;"><span style="color:#cc7832;font-weight:bold;">if </span>(a) {<br>    return b<br>}</pre></body></html>`, code, code],
  ['Visual Studio',              `<html><body><!--StartFragment--><pre style="font-family:Cascadia Mono;font-size:13px;color:black;background:white;"><span style="color:blue;">if</span> (a) {\n    return b\n}</pre></body></html>`, code, code],
  ['an editor without a box',    codeLines, code, code],
  ['Windows Terminal',           `<!DOCTYPE><HTML><HEAD></HEAD><BODY><DIV STYLE="display:inline-block;white-space:pre;background-color:#0C0C0C;font-family:Cascadia Mono,Consolas,monospace;"><SPAN STYLE="color:#CCCCCC;font-weight:bold;">$ ls</SPAN><BR>  a  b</DIV></BODY></HTML>`, '$ ls\r\n  a  b', '$ ls\n  a  b'],
  ['a file of GitHub',           codeTable('data-line-number', 'class="blob-code"'), 'x', code],
  ['a file of Sourcegraph',      `<meta charset="utf-8"><div>${codeTable('data-line', 'class="code"')}</div>`, code.replace(/^/gm, '\t'), code],
  ['an answer of an assistant',  '<pre><div><div>js</div><button>Copy</button></div><code class="language-js">let a\n  b</code></pre>', 'js\nlet a\n  b', '```js\njs\nlet a\n  b\n```'],
  ['code beside words',          `See ${codeTable('data-line-number', '')}`, 'x', 'See\n\n| | **if (a) {** |\n| --- | --- |\n| | **return b** |\n| | **}** |'],
  ['a table without rows',       '<table></table>',                     'There', 'There'],
  ['Excel',                      `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td {}</style></head><body><table border=0><!--StartFragment--><col width=64><tr height=20><td class=xl65>Name</td><td>Sum</td></tr><tr><td>Rent</td><td align=right>950</td></tr><!--EndFragment--></table></body></html>`, 'Name\tSum\r\nRent\t950\r\n', '| Name | Sum |\n| --- | --- |\n| Rent | 950 |'],
  ['one cell of Excel',          '<table><tr><td>950</td></tr></table>', '950\r\n', '950\n'],
  ['a list of Word',             word(wordItem(1, '·', 'First <b>item</b>') + wordItem(1, '·', 'Second item')), '·\tFirst item\r\n·\tSecond item', '- First **item**\n- Second item'],
  ['a list in a list of Word',   word(`<p class=MsoNormal>Todo:</p>${wordItem(1, '·', 'a')}${wordItem(2, 'o', 'b', 'margin-left:72.0pt;')}${wordItem(2, 'o', 'c')}${wordItem(1, '·', 'd')}`), 'Todo:', 'Todo:\n\n- a\n  - b\n  - c\n- d'],
  ['a numbered list of Word',    word(wordItem(1, '3.', 'a') + wordItem(2, 'a)', 'b') + wordItem(1, '4.', 'c')), 'x', '3. a\n  1. b\n4. c'],
  ['runs of Word',               word('<p class=MsoNormal><b><span lang=EN-GB>Hel</span></b><b><span>lo</span></b> you<o:p></o:p></p>'), 'Hello you', '**Hello** you'],
  ['bold over paragraphs',       '<b><p>one</p><p>two</p></b>',         'one\n\ntwo', '**one**\n\n**two**'],
  ['bold over lines and items',  '<strong>one<br>two<ul><li>three</li></ul></strong>', 'x', '**one**\n**two**\n\n- **three**'],
  ['bold with blanks',           'a<b> word </b>b',                     'a word b', 'a **word** b'],
  ['bold within bold',           '<b>one <span style="font-weight:700">two</span></b>', 'one two', '**one two**'],
  ['bold blanks',                'a<b> </b><i>b</i>',                   'a b', 'a *b*'],
  ['Google Docs',                docs(`<p dir="ltr">${docsSpan('Plain ')}${docsSpan('bold', 700)}${docsSpan(' and ')}${docsSpan('gone', 400, 'text-decoration:line-through;')}</p>`), 'Plain bold and gone', 'Plain **bold** and ~~gone~~'],
  ['a list of Google Docs',      docs(`<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${docsSpan('one')}</p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation">${docsSpan('two', 700)}</p></li></ul></ul>`), 'one\ntwo', '- one\n  - **two**'],
  ['a heading of Google Docs',   docs(`<h1 dir="ltr">${docsSpan('Title')}</h1><p dir="ltr">${docsSpan('Text')}</p>`), 'Title\nText', '# Title\n\nText'],
  ['Slack',                      `<meta charset='utf-8'><b data-stringify-type="bold">Ship</b><span> it </span><img data-stringify-type="emoji" data-stringify-emoji=":+1:" alt="+1" src="https://a.test/1.png"><span class="c-mrkdwn__br" data-stringify-type="paragraph-break"></span><code data-stringify-type="code" class="c-mrkdwn__code">npm ci</code>`, 'Ship it\n\nnpm ci', '**Ship** it :+1:\n\n`npm ci`'],
  ['Gmail',                      '<div dir="ltr">Hi Jo,<div><br></div><div>see <b>this</b>:</div><div>one line</div><div><br></div><div>Al</div></div>', 'x', 'Hi Jo,\n\nsee **this**:\none line\n\nAl'],
  ['plain lines of Gmail',       '<div dir="ltr">Hi Jo,<div><br></div><div>  see this</div></div>', 'Hi Jo,\n\n  see this', 'Hi Jo,\n\n  see this'],
  ['a title of a page',          '<h1 class="title">A title</h1>',      'A title', 'A title'],
  ['a title with a mark',        '<meta charset="utf-8"><h2>A <code>title</code></h2>', 'A title', 'A `title`'],
  ['a title with its text',      '<h2>Title</h2><p>Text</p>',           'Title\n\nText', '## Title\n\nText'],
  ['a page',                     '<p>See <a href="https://a.test/x">the <b>page</b></a>, <i>please</i>.</p>', 'See the page, please.', 'See [the **page**](https://a.test/x), *please*.'],
  ['code of a page',             '<div class="highlight"><pre><code class="language-js">let a\n  b</code></pre></div>', 'let a\n  b', '```js\nlet a\n  b\n```'],
]

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
