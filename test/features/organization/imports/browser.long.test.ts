import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createServer, type Server } from '#program/server.ts'
import { violations } from '#test/support/axe.ts'
import { clientDrawn } from '#test/support/browser-page.ts'
import { closeChromium, newPage, noChromium, openChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import { writeZip } from '#test/support/exports/archives.ts'
import { slackExport } from '#test/support/exports/slack.ts'

describe('in a real browser', { skip: noChromium }, () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-bringing-browser-'))
  let browser: Browser
  let server: Server
  let page: Page
  /** Sees the same pages without their policy, which axe breaks. */
  let inspector: Page
  const problems: string[] = []
  before(async () => {
    browser = await openChromium()
    server = await createServer({
      data: join(root, 'data'),
      port: 0,
      config: { logLevel: 'silent' },
    })
    page = await newPage(browser, { baseURL: server.url })
    inspector = await newPage(browser, { bypassCSP: true })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
  })
  after(async () => {
    await page.context().close()
    await inspector.context().close()
    await closeChromium(browser)
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function inspect() {
    await inspector.goto(page.url())
    for (const details of await inspector.locator('summary').all()) await details.click()
    assert.deepEqual(await violations(inspector), [], page.url())
  }

  test('a founder brings a team from Slack along, and replies in one of its threads', async () => {
    const file = await writeZip(join(root, 'Team export.zip'), slackExport())
    await page.goto(server.setupUrl ?? '')
    await page.getByRole('link', { name: 'Import your team' }).click()
    await inspect()
    await page.setInputFiles('#file', file)
    await page.getByRole('button', { name: 'Upload and preview' }).click()
    await page.getByRole('heading', { name: 'What will be imported' }).waitFor()
    await inspect()
    await page.fill('#organization', 'Our team')
    await page.selectOption('#person', 'U1')
    assert.equal(await page.inputValue('#email'), 'olga@example.com')
    assert.equal(await page.locator('#full_name').isVisible(), false)
    await page.fill('#password', 'correct horse')
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByRole('heading', { name: 'Your team is here' }).waitFor()
    await inspect()
    const [links] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download links' }).click(),
    ])
    assert.equal(links.suggestedFilename(), 'links.csv')
    await page.getByRole('button', { name: 'Go to the chat' }).click()
    await clientDrawn(page)
    await page.goto('/#narrow/channel/general')
    await page.getByText('Replies in a thread').first().click()
    await page.getByText('And to all').waitFor()
    await page.getByRole('textbox', { name: /message/i }).fill('And here we go on')
    await page.keyboard.press('Control+Enter')
    const reply = server.context.store.db.$client
      .prepare("SELECT topic FROM messages WHERE content = 'And here we go on'")
      .pluck()
    await eventually(() => reply.get() !== undefined, true)
    assert.match(String(reply.get()), /^2024-03-02 Shall we start/)
    await page.getByRole('main').getByText('And here we go on').waitFor()
    assert.deepEqual(problems, [])
  })
})
