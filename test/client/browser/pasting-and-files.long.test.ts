import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addToMessage } from '#test/support/add-menu.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composed, composes, emptyBox } from '#test/support/composed.ts'
import { postFiles } from '#test/support/files.ts'
import { give } from '#test/support/give.ts'
import { hold } from '#test/support/hold.ts'
import { pngPicture } from '#test/support/pictures.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** Waits until the text in the box is this, or matches it. */
async function becomes(page: Page, wanted: string | RegExp): Promise<void> {
  const source = typeof wanted === 'string' ? undefined : wanted.source
  const text = typeof wanted === 'string' ? wanted : ''
  try {
    await page.waitForFunction(
      ([exact, pattern]) => {
        const value = document.querySelector<HTMLTextAreaElement>('.editor-text')?.value ?? ''
        return pattern === undefined ? value === exact : new RegExp(pattern).test(value)
      },
      [text, source] as const,
    )
  } catch {
    assert.equal(await box(page).inputValue(), String(wanted))
  }
}

const disk = mkdtempSync(join(tmpdir(), 'parley-dropped-'))
after(() => rmSync(disk, { recursive: true }))
mkdirSync(join(disk, 'plans'))
writeFileSync(join(disk, 'beside.txt'), 'Some text')

describe('the compose box', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { page } = await site.logIn('member', { hash: '#narrow/channel/4-Denmark/topic/files' })
  await box(page).waitFor()

  // biome-ignore format: a table reads best in columns
  const pasted: [what: string, html: string, markdown: string][] = [
    ['bold and italic',   '<p>One <b>two</b> <em>three</em></p>',                   'One **two** *three*'],
    ['spaces in marks',   'One <b>two </b>three',                                   'One **two** three'],
    ['a link',            'See <a href="https://example.com/a(b)">this</a>',        'See [this](https://example.com/a%28b%29)'],
    ['a link of a script', '<a href="javascript:alert(1)">Click</a> <i>it</i>',     'Click *it*'],
    ['a heading',         '<h2>Title</h2><p>Text</p>',                              '## Title\n\nText'],
    ['a list',            '<ul><li>one</li><li><i>two</i></li></ul>',               '- one\n- *two*'],
    ['a numbered list',   '<ol start="3"><li>three</li><li>four</li></ol>',         '3. three\n4. four'],
    ['a quotation',       '<blockquote><p>He said</p><p>so</p></blockquote>',       '> He said\n>\n> so'],
    ['code',              'Run <code>a `b`</code>',                                 'Run `` a `b` ``'],
    ['a block of code',   '<pre><code class="language-js">let a\n  b</code></pre>', '```js\nlet a\n  b\n```'],
    ['a table',           '<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td><td><b>2</b></td></tr></table>', '| a | b\\|c |\n| --- | --- |\n| 1 | **2** |'],
    ['an office document', '<b style="font-weight:normal"><span style="font-weight:700">Bold</span> not</b>', '**Bold** not'],
    ['scripts and styles', '<style>p{}</style><script>alert(1)</script><p>Just <s>this</s></p>', 'Just ~~this~~'],
  ]
  test('takes HTML as Markdown', async () => {
    for (const [what, html, markdown] of pasted) {
      await box(page).fill('')
      await give(page, 'paste', { html, text: 'plain' })
      await becomes(page, markdown)
      assert.equal(await box(page).inputValue(), markdown, what)
    }
  })

  test('takes plain text where HTML says no more', async () => {
    await box(page).fill('')
    await give(page, 'paste', { html: '<p>Just words</p>', text: 'Just words' })
    await becomes(page, 'Just words')
  })

  test('makes selected text a link where an address is pasted', async () => {
    await box(page).fill('the page')
    await box(page).selectText()
    await give(page, 'paste', { text: 'https://example.com/' })
    await becomes(page, '[the page](https://example.com/)')
  })

  test('says where files go while they are dragged, and takes them anywhere on the pane', async () => {
    const reports = '#narrow/channel/4-Denmark/topic/reports'
    const { page, leave } = await site.logIn('member', { hash: reports })
    const cover = page.locator('.drop-cover')
    const pane = page.locator('main .pane')
    await box(page).waitFor()
    await give(page, 'dragover', { file: 'report.txt' }, pane)
    await cover.getByText('Drop to add to #Denmark › reports').waitFor()
    await page.evaluate(() => document.dispatchEvent(new DragEvent('dragleave')))
    await cover.waitFor({ state: 'detached' })
    await give(page, 'dragover', { file: 'report.txt' })
    await cover.waitFor()
    await give(page, 'drop', { file: 'report.txt' }, pane)
    await cover.waitFor({ state: 'detached' })
    await composes(page, /^\[report\.txt\]\(\/user_uploads\/[^)]+\)\s*$/)
    await emptyBox(page)
    await give(page, 'dragover', { text: 'only words' }, pane)
    assert.equal(await cover.count(), 0)

    const { cordelia, othello } = site.server.ids
    await page.goto(`/#narrow/dm/${cordelia},${othello}-group`)
    await page.getByPlaceholder(/^Message Cordelia/).waitFor()
    await give(page, 'dragover', { file: 'report.txt' }, pane)
    await cover.getByText(/^Drop to add to your message to Cordelia.*, Othello/).waitFor()

    await page.goto('/#inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await give(page, 'dragover', { file: 'report.txt' }, page.locator('main'))
    await cover.getByText('To send files, open a conversation first.').waitFor()
    await give(page, 'drop', { file: 'report.txt' }, page.locator('main'))
    await page.locator('.toast').getByText('To send files, open a conversation first.').waitFor()
    assert.equal(await cover.count(), 0)
    await leave()
  })

  test('takes no files where one may not send, and says so', async () => {
    const restricted = await site.server.as('owner').post<{ id: number }>('/channels/create', {
      name: 'notices',
      subscribers: [site.server.ids.member],
      can_send_message_group: { direct_members: [site.server.ids.owner], direct_subgroups: [] },
    })
    const reader = await site.logIn('member', {
      hash: `#narrow/channel/${restricted.id}-notices/topic/today`,
    })
    const main = reader.page.locator('main')
    await main.getByText('You are not allowed to post in this channel.').waitFor()
    await give(reader.page, 'dragover', { file: 'report.txt' }, main)
    const refusal = reader.page.locator('.drop-cover.drop-refused')
    await refusal.getByText('You are not allowed to post in this channel.').waitFor()
    await give(reader.page, 'drop', { file: 'report.txt' }, main)
    assert.equal(await box(reader.page).inputValue(), '')
    await reader.leave()
  })

  test('sends files that are pasted, dropped or chosen, and links to them', async () => {
    const link = (name: string) => new RegExp(`^\\[${name}\\]\\(/user_uploads/[^)]+\\)\\s*$`)
    await emptyBox(page)
    await give(page, 'paste', { file: 'pasted.txt' })
    await composes(page, link('pasted.txt'))
    await emptyBox(page)
    await give(page, 'drop', { file: 'dropped.txt' })
    await composes(page, link('dropped.txt'))
    await emptyBox(page)
    await give(page, 'drop', { file: 'beside.txt' }, page.getByRole('navigation').first())
    await composes(page, link('beside.txt'))
    await emptyBox(page)
    const choosing = page.waitForEvent('filechooser')
    await addToMessage(page, 'Attach files')
    const chooser = await choosing
    const file = { name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('Some text') }
    await chooser.setFiles([file])
    await composes(page, link('chosen.txt'))
    await box(page).press('Control+Enter')
    const sent = page.locator('[data-message-id]').getByRole('link', { name: 'chosen.txt' })
    await sent.waitFor()
    const href = (await sent.getAttribute('href')) ?? ''
    assert.equal(await page.evaluate(async (url) => (await fetch(url)).text(), href), 'Some text')
  })

  test('says of a folder that it cannot be sent, and takes the file beside it', async () => {
    await emptyBox(page)
    const files = [join(disk, 'plans'), join(disk, 'beside.txt')]
    const { x = 0, y = 0 } = (await box(page).boundingBox()) ?? {}
    const session = await page.context().newCDPSession(page)
    const data = { items: [], files, dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 10, data })
    }
    await page.locator('.toast').getByText('plans was not sent: It cannot be read').waitFor()
    await composes(page, /^\[beside\.txt\]\(\/user_uploads\/[^)]+\)\s*$/)
    await emptyBox(page)
  })

  test('shows how far a file is, and cancels it', async () => {
    await box(page).fill('Before')
    await hold(page, '**/json/user_uploads')
    await give(page, 'drop', { file: 'slow.txt' })
    await page.getByRole('progressbar', { name: 'slow.txt' }).waitFor()
    assert.match(await composed(page), /^Before\n\[Uploading slow\.txt…/)
    assert.equal(await box(page).inputValue(), 'Before')
    await page.getByRole('button', { name: 'Cancel slow.txt' }).click()
    await page.getByRole('progressbar', { name: 'slow.txt' }).waitFor({ state: 'detached' })
    assert.equal(await composed(page), 'Before')
    await page.unroute('**/json/user_uploads')
    await box(page).fill('')
  })

  test('shows the files of the text below it, and takes them out', async () => {
    await box(page).fill('Look\n')
    await give(page, 'drop', { file: 'notes.txt' })
    await composes(page, /^Look\n\[notes\.txt\]\(/)
    await becomes(page, 'Look')
    const files = page.getByRole('list', { name: 'Files' })
    assert.equal(await files.getByRole('listitem').count(), 1)
    assert.match((await files.textContent()) ?? '', /^TXT\s*notes\.txt/)
    await page.getByRole('button', { name: 'Remove notes.txt' }).click()
    await becomes(page, 'Look')
    assert.equal(await composed(page), 'Look')
    await files.waitFor({ state: 'detached' })
    await box(page).fill('')
  })

  test('says that no channel has the name that one types over another', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    const field = page.getByRole('combobox', { name: 'Channel' })
    await field.fill('Denmark')
    await field.fill('Denmark once')
    await page.getByRole('status').filter({ hasText: 'No matching channels' }).waitFor()
    assert.equal(await field.inputValue(), 'Denmark once')
    await field.fill('Denmark')
    await page.keyboard.press('Escape')
    await page.goto('#narrow/channel/4-Denmark/topic/files')
  })

  test('shows a few emoji larger where a message has nothing else', async () => {
    const alone = await site.server.say('member', 'public', 'files', ':octopus: :heart:')
    const among = await site.server.say('member', 'public', 'files', 'Well :octopus:')
    const size = (id: number) =>
      page
        .locator(`[data-message-id="${id}"] .emoji`)
        .first()
        .evaluate((emoji) => Number.parseFloat(getComputedStyle(emoji).fontSize))
    assert.ok((await size(alone)) > 1.5 * (await size(among)))
  })

  test('shows files as cards, plays sounds, and names no picture twice', async () => {
    const say = (content: string) => site.server.say('member', 'public', 'files', content)
    const send = async (...file: ConstructorParameters<typeof File>) =>
      (await postFiles(site.server, 'member', [new File(...file)])).url
    const pdf = await send(['%PDF-1.4'], 'plan.pdf', { type: 'application/pdf' })
    const png = await send([new Uint8Array(pngPicture())], 'dot.png', { type: 'image/png' })
    const wav = await send(['RIFF'], 'tone.wav', { type: 'audio/wav' })
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'HEAD' && request.url().endsWith(pdf)) asked += 1
    })
    await say(`[plan.pdf](${pdf})\n[dot.png](${png})`)
    await say(`See [the plan](${pdf}) for more.`)
    await say(`![tone.wav](${wav})`)
    const card = page.locator('.rendered .file-card', { hasText: 'plan' })
    await card.waitFor()
    await card.getByText('8 bytes').waitFor()
    assert.equal(await card.textContent(), 'plan.pdf 8 bytes')
    await say(`[copy.pdf](${pdf})`)
    const again = page.locator('.rendered .file-card', { hasText: 'copy' })
    await again.getByText('8 bytes').waitFor()
    assert.equal(asked, 1)
    assert.equal(await card.getAttribute('data-kind'), 'PDF')
    await page.locator('.message_inline_image img').first().waitFor()
    assert.equal(await page.getByRole('link').filter({ hasText: 'dot.png' }).count(), 0)
    await page.locator('.rendered audio').waitFor()
    assert.equal(await page.getByRole('link', { name: 'the plan' }).getAttribute('class'), null)
  })
})
