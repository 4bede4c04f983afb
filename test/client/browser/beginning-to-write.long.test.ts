import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientDrawn, openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composed, composes } from '#test/support/composed.ts'
import { eventually } from '#test/support/eventually.ts'
import { give } from '#test/support/give.ts'
import { hold } from '#test/support/hold.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** Writes as an input method does, first as a composition. */
async function compose(page: Page, text: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const size = { selectionStart: text.length, selectionEnd: text.length }
  await devtools.send('Input.imeSetComposition', { text, ...size })
  await devtools.send('Input.insertText', { text })
  await devtools.detach()
}

describe('whoever writes before the box has all of its code', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  const address = (topic: string) => `#narrow/channel/${server.channels.public}-x/topic/${topic}`
  await server.as('member').patch('/settings', { enter_sends: false })
  const { page } = await site.logIn('member', { hash: '#inbox' })

  /** Opens a topic as a page at rest, whose code for writing comes when it is let through. */
  async function atRest(topic: string): Promise<() => void> {
    await server.say('othello', 'public', topic, 'Shall we?')
    const letCome = await hold(page, /\/write-\w+\.js$/)
    await page.goto('/health')
    await page.goto(`/${address(topic)}`)
    await clientDrawn(page)
    await page.locator('[data-message-id]').getByText('Shall we?').first().waitFor()
    return letCome
  }

  const focus = () => box(page).focus()
  const type = (text: string) => page.keyboard.type(text)
  const press = (key: string) => page.keyboard.press(key)

  /** Files stand below what is written, wherever the caret is. */
  const file = /^(?=[\s\S]*\[notes\.txt\]\(\/user_uploads\/)[\s\S]*and more/

  /** Ways to begin, and the text that each gives, or all of it. */
  // biome-ignore format: a table reads best in columns
  const ways: readonly [way: string, begin: () => Promise<unknown>, given: string | RegExp][] = [
    ['a key',              async () => { await focus(); await type('Key') },                            'Key'],
    ['a click',            async () => { await box(page).click(); await type('Click') },                'Click'],
    ['a composition',      async () => { await focus(); await compose(page, 'にほん') },                'にほん'],
    ['a plain paste',      async () => { await focus(); await press('ControlOrMeta+V') },               'Pasted'],
    ['a rich paste',       async () => { await focus(); await give(page, 'paste', { html: '<b>Rich</b>', text: 'Rich' }) }, '**Rich**'],
    ['a pasted file',      async () => { await focus(); await give(page, 'paste', { file: 'notes.txt' }) }, file],
    ['a dropped file',     async () => { await give(page, 'drop', { file: 'notes.txt' }) },             file],
    ['the key to answer',  async () => { await press('r'); await type('Answer') },                      'Answer'],
    ['the key to quote',   async () => { await press('>'); await box(page).and(page.locator(':focus')).waitFor() }, /@_\*\*Othello[\s\S]*quote\nShall we\?\n```\n* and more$/],
  ]

  for (const [way, begin, given] of ways) {
    test(`${way}, and what is typed after it, arrives whole`, async () => {
      await page.evaluate(() => localStorage.clear())
      const letCome = await atRest(`begun by ${way}`)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate(() => navigator.clipboard.writeText('Pasted'))
      await begin()
      await page.waitForTimeout(200)
      await type(' and more')
      letCome()
      if (given instanceof RegExp) await composes(page, given)
      else await eventually(() => composed(page), `${given} and more`)
    })
  }

  test('the key for a new conversation is followed by its topic and its text', async () => {
    const letCome = await atRest('begun anew')
    await press('c')
    await type('A topic')
    letCome()
    await page.locator('.compose .topic-field input').waitFor()
    await press('Tab')
    await type('The text')
    await composes(page, /^The text$/)
    assert.equal(await page.locator('.compose .topic-field input').inputValue(), 'A topic')
  })

  test('a draft is shown, and what is typed goes to its end', async () => {
    await server.as('member').post('/drafts', {
      drafts: [
        {
          type: 'stream',
          to: [server.channels.public],
          topic: 'begun before',
          content: '> Begun\n\nbefore',
          timestamp: Math.floor(Date.now() / 1000),
        },
      ],
    })
    const letCome = await atRest('begun before')
    letCome()
    await box(page).focus()
    await press('ControlOrMeta+End')
    await type(' and on')
    await composes(page, /^> Begun\n\nbefore and on$/)
  })

  /** What needs more than the box has yet, with what follows it; `⏎` is Enter. */
  // biome-ignore format: a table reads best in columns
  const written: readonly [what: string, write: string, becomes: string, sent?: string][] = [
    ['a suggestion that is taken',    '@othe⏎and more',        '@**Othello, the Moor of Venice** and more'],
    ['a list that goes on',           '- one⏎two⏎three',       '- one\n- two\n- three'],
    ['a block of code',               '```⏎code⏎```⏎after',    '```\ncode\n```\nafter'],
    ['a message that is sent',        'Hello⌘there',           'there',   'Hello'],
    ['a link that is sent',           'http://a.example⌘then', 'then',    'http://a.example'],
    ['an input method after a list',  '- one⏎か⏎two',          '- one\n- か\n- two'],
    ['letters that are bold',         'ⓑbold',                 '**bold**'],
    ['what is deleted again',         '- one⏎abc⌫⌫d',          '- one\n- ad'],
  ]
  for (const [what, write, becomes, sent] of written) {
    test(`${what} waits in its order`, async () => {
      await page.evaluate(() => localStorage.clear())
      const topic = `more of ${what}`
      const letCome = await atRest(topic)
      await focus()
      for (const key of write) {
        if (key === '⏎') await press('Enter')
        else if (key === '⌘') await press('ControlOrMeta+Enter')
        else if (key === 'ⓑ') await press('ControlOrMeta+B')
        else if (key === '⌫') await press('Backspace')
        else if (key === 'か') await compose(page, key)
        else await type(key)
      }
      letCome()
      await eventually(() => composed(page), becomes)
      if (sent !== undefined) {
        await page.locator('[data-message-id]').getByText(sent, { exact: true }).waitFor()
      }
      await box(page).fill('')
    })
  }
})
