import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openDatabase } from '#platform/store/open.ts'
import { runCli } from '#program/cli/program.ts'
import { violations } from '#test/support/axe.ts'
import { closeChromium, newPage, noChromium, openChromium } from '#test/support/chromium.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-archive-search-'))
after(() => rmSync(root, { recursive: true, force: true }))

const isWords = (name: string) => /^w\d+\.js$/.test(name)

const hostile = `</script><img src=x onerror="document.title='pwned'"><b>"'&$'`

/** Texts of messages, and what finds them. */
const texts: readonly (readonly [id: number, text: string, ...queries: string[]])[] = [
  [1101, 'Crème brûlée in der Straße', 'creme', 'BRULEE creme', 'strasse', 'straße'],
  [1102, '全員会議は日本語で', '会議', '日本語'],
  [1103, 'Релиз v2.1rc3 готов', 'релиз', '2.1', 'готов рел'],
  [1104, 'we shipped it 🎉 today', '🎉', 'shipped tod'],
  [1105, `a __proto__ constructor ${'long'.repeat(30)}`, '__proto__', 'constructor', 'longlong'],
  [1106, `markup ${hostile}`, 'onerror', 'markup pwned'],
]

before(async () => {
  const imported = await importFiles(zulipExport())
  imported.db.$client.close()
  const { $client } = openDatabase(join(imported.folder, 'parley.db'))
  const escaped = (text: string) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)
  for (const [id, text] of texts) {
    $client
      .prepare('UPDATE messages SET content = ?, rendered_content = ? WHERE id = ?')
      .run(
        text,
        `<p>${escaped(text).replaceAll('&#60;', '&lt;').replaceAll('&#62;', '&gt;')}</p>`,
        id,
      )
  }
  $client.prepare('UPDATE messages SET topic = ?, topic_key = ? WHERE id = 1106').run(hostile, 'h')
  $client.prepare('UPDATE users SET full_name = ? WHERE id = 11').run(hostile)
  $client.prepare('UPDATE channels SET name = ? WHERE id = 101').run(`general ${hostile}`)
  $client.prepare('UPDATE realm SET name = ?').run(hostile)
  $client.close()
  const shell = { out() {}, err() {}, errIsTerminal: false, env: {} }
  const file = join(root, 'archive.tar.gz')
  const args = ['export', file, '--format', 'archive', '--data', imported.folder]
  assert.equal(await runCli(args, shell as never), 0)
  execFileSync('tar', ['-xzf', file, '-C', root])
  rmSync(imported.folder, { recursive: true })
})

describe('the search of an archive on a disk', { skip: noChromium }, () => {
  let browser: Browser
  let page: Page
  let requested: string[] = []
  const said: string[] = []
  before(async () => {
    browser = await openChromium()
    page = await newPage(browser, {})
    page.on('console', (message) => void said.push(message.text()))
    page.on('pageerror', (error) => void said.push(String(error)))
    page.on('request', (request) => void requested.push(request.url().split('/').at(-1) ?? ''))
  })
  after(async () => {
    await page.context().close()
    await closeChromium(browser)
  })
  beforeEach(async () => {
    await page.goto(pathToFileURL(join(root, 'search.html')).href)
    requested = []
  })

  const status = () => page.getByRole('status')
  const results = () => page.locator('#results li')
  const search = (words: string) => page.getByLabel('Words').fill(words)

  for (const [id, text, ...queries] of texts) {
    for (const query of queries) {
      test(`finds "${text.slice(0, 20)}" by "${query}"`, async () => {
        await search(query)
        await page.locator(`#results a[href$="#m${id}"]`).waitFor()
      })
    }
  }

  test('finds the messages that have all words, newest first, and marks the words', async () => {
    await search('message 20')
    await status().getByText('13 messages').waitFor()
    const shown = await results().evaluateAll((items) =>
      items.map((item) => [
        item.querySelector('p')?.textContent,
        [...item.querySelectorAll('mark')].map(({ textContent }) => textContent).join(),
      ]),
    )
    assert.deepEqual(shown.slice(0, 3), [
      ['Message 2001', 'Message,2001'],
      ['Message 2000', 'Message,2000'],
      ['Message 209', 'Message,209'],
    ])
    assert.deepEqual(shown.at(-1), ['Message 20', 'Message,20'])
  })

  test('shows where a message is, and leads there', async () => {
    await search('message 300')
    const link = results().first().getByRole('link')
    assert.equal(await link.textContent(), `#general ${hostile} › plans`)
    const details = results().first().locator('small')
    assert.equal(await details.textContent(), `${hostile}, 2023-11-15 03:13`)
    await link.click()
    await page.waitForURL(/channels\/101\/1-2\.html#m1300$/)
    assert.equal(await page.locator('article:target .text').textContent(), 'Message 300')
  })

  test('puts in the texts of people as text', async () => {
    await search('markup')
    await results().first().waitFor()
    assert.equal(await page.locator('#results img, #results b').count(), 0)
    assert.match((await results().first().textContent()) ?? '', /<img src=x onerror=/)
    assert.equal(await page.title(), 'Search')
    assert.deepEqual(said, [])
  })

  test('loads only the parts of the index that the words need', async () => {
    await search('message 1999')
    await status().getByText('1 message').waitFor()
    const parts = requested.filter((name) => name !== 'index.js' && !isWords(name))
    assert.deepEqual(parts, ['m20.js'])
    assert.ok(requested.filter(isWords).length <= 2, requested.join())
  })

  test('shows more on request, and by keyboard', async () => {
    await search('message')
    await status()
      .getByText(/^\d{4} messages$/)
      .waitFor()
    assert.equal(await results().count(), 25)
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await results().nth(49).waitFor()
    assert.equal(
      await results()
        .nth(25)
        .getByRole('link')
        .evaluate((link) => link === document.activeElement),
      true,
    )
  })

  test('keeps the words for whoever comes back from a message', async () => {
    await search('message 300')
    await results().first().getByRole('link').click()
    await page.goBack()
    await status().getByText('1 message').waitFor()
    assert.equal(await page.getByLabel('Words').inputValue(), 'message 300')
  })

  test('says when nothing has the words, and nothing without words', async () => {
    await search('xyzzy')
    await status().getByText('0 messages').waitFor()
    await search('…')
    await status().getByText('0 messages').waitFor({ state: 'hidden' })
    assert.equal(await results().count(), 0)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`fits on a phone and can be used by everyone, ${colorScheme}`, async () => {
      const viewport = { width: 360, height: 640 }
      const phone = await newPage(browser, { colorScheme, viewport, bypassCSP: true })
      try {
        await phone.goto(pathToFileURL(join(root, 'search.html')).href)
        await phone.getByLabel('Words').fill('creme')
        await phone.locator('#results li').first().waitFor()
        assert.deepEqual(await violations(phone), [])
        const wide = await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        assert.equal(wide, false)
      } finally {
        await phone.context().close()
      }
    })
  }
})
