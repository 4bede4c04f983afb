import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { heapMegabytes } from '#test/bench/client/page.ts'
import { clientDrawn, openSite, type Person } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import type { Actor } from '#test/support/server.ts'

const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`

describe('a page at which nobody acts', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  test('holds nothing of the views that it has left', async () => {
    for (let i = 0; i < 30; i++) {
      for (const name of ['one', 'other'])
        await site.server.say('othello', 'public', name, `Of ${name}: ${i}`)
    }
    const { page, leave } = await site.logIn('member', { hash: topic('one') })
    const devtools = await page.context().newCDPSession(page)
    const main = page.getByRole('main')
    const views = [
      [topic('one'), main.getByText('Of one: 29')],
      ['#inbox', main.getByRole('heading', { name: 'Inbox' })],
      [topic('other'), main.getByText('Of other: 29')],
      ['#recent', main.getByRole('heading', { name: 'Recent conversations' })],
    ] as const

    /** What the page holds after it was led through all views some times. */
    async function heldAfter(rounds: number) {
      for (let i = 0; i < rounds; i++) {
        for (const [hash, sign] of views) {
          await page.evaluate((next) => location.assign(next), hash)
          await sign.waitFor()
        }
      }
      const megabytes = await heapMegabytes({ page, devtools })
      const { nodes } = await devtools.send('Memory.getDOMCounters')
      return { megabytes, nodes }
    }
    const before = await heldAfter(5)
    const later = await heldAfter(15)
    assert.ok(later.nodes < 2 * before.nodes, `${before.nodes} elements, then ${later.nodes}`)
    const grown = later.megabytes - before.megabytes
    assert.ok(grown < 3, `It has grown by ${grown} MB.`)
    await leave()
  })

  const notLoaded = (page: Page) => page.getByText('This part could not be loaded.').first()
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const offline = (page: Page, is: boolean) => page.context().setOffline(is)

  /** Opens a topic in a page at which nobody has acted. */
  async function atRest(name: string, actor: Actor = 'member'): Promise<Person> {
    await site.server.say('othello', 'public', name, 'Shall we?\n```\ncode\n```')
    const person = await site.logIn(actor, { hash: topic(name) })
    await person.page.locator('#app [data-message-id]').getByText('Shall we?').waitFor()
    await box(person.page).waitFor()
    return person
  }

  test('tells that what a key does cannot be loaded, and tries again with the next', async () => {
    const { page, leave } = await atRest('keys')
    const file = /\/keys-\w+\.js$/
    await page.route(file, (route) => route.abort())
    await page.keyboard.press('d')
    await notLoaded(page).waitFor()
    await page.unroute(file)
    await page.keyboard.press('d')
    await page.waitForURL(/#drafts$/)
    await leave()
  })

  /** What is done first, without a network and once more with it, and what is there then. */
  const firsts: readonly [
    what: string,
    act: (page: Page) => Promise<unknown>,
    sign: (page: Page) => Locator,
  ][] = [
    [
      'a key',
      (page) => page.keyboard.press('i'),
      (page) => page.getByRole('menuitem', { name: 'Quote and reply' }),
    ],
    [
      'a key that begins a conversation',
      (page) => page.keyboard.press('c'),
      (page) => page.locator('.compose .topic-field input:focus'),
    ],
    [
      'the button of a message',
      async (page) => {
        await page.getByText('Shall we?').last().hover()
        await page.getByRole('button', { name: 'More actions' }).click()
      },
      (page) => page.getByRole('menuitem', { name: 'Quote and reply' }),
    ],
    [
      'a name',
      (page) => page.locator('.message-sender').click(),
      (page) => page.locator('.card').getByText('Othello'),
    ],
    [
      'the button that copies code',
      async (page) => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.locator('.code-copy').click()
      },
      (page) => page.locator('.code-copy svg:not(:has(rect))'),
    ],
  ]
  for (const [what, act, sign] of firsts) {
    test(`without a network tells that ${what} needs one, and does it once it is back`, async () => {
      const { page } = await atRest(what)
      await offline(page, true)
      await act(page)
      await notLoaded(page).waitFor()
      await offline(page, false)
      await act(page)
      await sign(page).waitFor()
      await page.context().close()
    })
  }

  test('without a network takes what is written, and sends it once it is back', async () => {
    const { page, leave } = await atRest('written')
    await offline(page, true)
    await box(page).focus()
    await page.keyboard.type('Written @without')
    await page.keyboard.press('Control+Enter')
    await notLoaded(page).waitFor()
    await page.keyboard.type('Half a thou')
    await offline(page, false)
    await page.locator('#app [data-message-id]').getByText('Written @without').waitFor()
    await notLoaded(page).waitFor({ state: 'detached' })
    assert.equal(await box(page).inputValue(), 'Half a thou')
    await box(page).fill('')
    await leave()
  })

  test('in another tab of the same browser, the first act needs a network as well', async () => {
    const { page } = await atRest('tabs')
    const other = await page.context().newPage()
    await other.goto(`/${topic('tabs')}`)
    await clientDrawn(other)
    await offline(page, true)
    for (const each of [other, page]) {
      await each.bringToFront()
      await each.keyboard.press('d')
      await notLoaded(each).waitFor()
    }
    await offline(page, false)
    for (const each of [other, page]) {
      await each.bringToFront()
      await each.keyboard.press('d')
      await each.getByRole('heading', { name: 'Drafts' }).waitFor()
    }
    await page.context().close()
  })

  test('keeps what is written without a network while the session ends, and leads back to it', async () => {
    const person = await atRest('ended', 'cordelia')
    const { page } = person
    await offline(page, true)
    await box(page).focus()
    await page.keyboard.type('Half a thought')
    await site.server.as('cordelia').del('/users/me/sessions')
    person.expectProblems(/401 \(Unauthorized\)/)
    await offline(page, false)
    await page.keyboard.press('Control+k')
    await page.waitForURL(/\/login\//)
    await page.getByRole('button', { name: 'Cordelia' }).click()
    await clientDrawn(page)
    assert.equal(new URL(page.url()).hash, topic('ended'))
    await eventually(() => box(page).inputValue(), 'Half a thought')
    await page.context().close()
  })

  test('takes keys and counts what is unread once the files for them can be loaded', async () => {
    const { page } = await site.logIn('member', { hash: topic('counted') })
    const file = /\/rest-\w+\.js$/
    await page.route(file, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => file.test(request.url()))
    await page.reload()
    await failed
    await site.server.say('othello', ['member'], '', 'Do you see this?')
    assert.doesNotMatch(await page.title(), /\d/)
    await page.keyboard.press('d')
    await page.unroute(file)
    await page.keyboard.press('d')
    await page.waitForURL(/#drafts$/)
    await eventually(async () => /\d/.test(await page.title()), true)
    await page.context().close()
  })
})
