import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { backUp } from '#program/backup/backup.ts'
import { restore } from '#program/backup/restore.ts'
import { openBrowser } from '#test/support/browser.ts'
import { clientDrawn, openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually, within } from '#test/support/eventually.ts'
import { hold } from '#test/support/hold.ts'
import type { Actor } from '#test/support/server.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const rowWith = (page: Page, text: string) =>
  page.locator('[data-message-id]').filter({ hasText: text })
const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`
const untilKept = (page: Page) =>
  page.waitForFunction(() => localStorage.getItem('parley:kept') !== null)

/** Everything that the database of the browser has, as text. */
const readKept = async (page: Page) => {
  const kept = page.evaluate(async () => {
    // Opening would make it.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'parley')) return ''
    return await new Promise<string>((resolve) => {
      const request = indexedDB.open('parley')
      request.onsuccess = () => {
        const database = request.result
        const names = [...database.objectStoreNames]
        if (names.length === 0) return resolve('')
        const transaction = database.transaction(names)
        const stores = names.map((name) => transaction.objectStore(name).getAll())
        transaction.oncomplete = () => {
          database.close()
          const texts = stores
            .flatMap(({ result }) => result)
            .map((one) =>
              JSON.stringify(one, (_, value) =>
                value instanceof Map || value instanceof Set ? [...value] : value,
              ),
            )
          resolve(texts.join('\n'))
        }
      }
    })
  })
  return await within(kept, 'The database of the browser is read')
}

describe('in a broken world', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  /** What breaks in a browser, before the page's own scripts run. */
  const breakages: Readonly<Record<string, () => void>> = {
    'the storage is full': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    },
    'there is no storage': () => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('refused', 'SecurityError')
          },
        })
      }
    },
    'the database never opens': () => {
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    },
    'the database refuses to open': () => {
      IDBFactory.prototype.open = () => {
        const request = new EventTarget()
        setTimeout(() => {
          Object.assign(request, { error: new DOMException('refused', 'UnknownError') })
          ;(request as IDBOpenDBRequest).onerror?.(new Event('error'))
        })
        return request as IDBOpenDBRequest
      }
    },
    'the database is full': () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    },
    'there are no locks': () => {
      Object.defineProperty(navigator, 'locks', { value: undefined })
    },
  }
  for (const [what, breaks] of Object.entries(breakages)) {
    test(`one reads, writes and sends where ${what}`, async () => {
      const name = `broken ${what}`
      await site.server.say('othello', 'public', name, 'Does it work?')
      const { page, leave } = await site.logIn('prospero', { hash: '#inbox' })
      const broken = await page.context().newPage()
      const problems: string[] = []
      broken.on('pageerror', (error) => problems.push(error.stack ?? error.message))
      await broken.addInitScript(breaks)
      for (const _ of ['at first', 'again']) {
        await broken.goto('about:blank')
        await broken.goto(`/${topic(name)}`)
        await rowWith(broken, 'Does it work?').waitFor()
      }
      await box(broken).fill('It does.')
      // Another tab takes the draft from the server and stores it, which this one hears of.
      await page.waitForFunction(() =>
        Object.entries(localStorage).some(
          ([key, value]) => key.startsWith('parley:drafts:') && value.includes('It does.'),
        ),
      )
      await box(broken).pressSequentially(' Really.')
      assert.equal(await box(broken).inputValue(), 'It does. Really.')
      await box(broken).press('Control+Enter')
      await rowWith(broken, 'It does.').waitFor()
      await box(broken).fill('And')
      assert.deepEqual(problems, [])
      await broken.close()
      await leave()
    })
  }

  test('one is told once that the browser keeps nothing of what is typed', async () => {
    const prospero = site.server.as('prospero')
    await prospero.patch('/settings', { enable_drafts_synchronization: false })
    const whole = await site.logIn('prospero', { hash: topic('unkept') })
    const note = (at: Page) => at.getByText("Your browser's storage is full or blocked.")
    await box(whole.page).fill('Kept')
    await untilKept(whole.page)
    assert.equal(await note(whole.page).count(), 0)

    const page = await whole.page.context().newPage()
    await page.addInitScript(() => {
      const { setItem } = Storage.prototype
      Storage.prototype.setItem = function (key, value) {
        if (this === localStorage) throw new DOMException('full', 'QuotaExceededError')
        setItem.call(this, key, value)
      }
    })
    await page.goto(`/${topic('unheard')}`)
    await box(page).waitFor()
    assert.equal(await note(page).count(), 0, 'nothing would be lost')
    await box(page).fill('Not kept')
    await page.getByText('What you have not sent is lost').waitFor()
    await prospero.patch('/settings', { enable_drafts_synchronization: true })
    await page.getByText('Drafts are saved on the server').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await note(page).waitFor({ state: 'detached' })
    await page.reload()
    await box(page).fill('Again')
    await box(page).fill('Again not kept')
    assert.equal(await note(page).count(), 0)
    await page.close()
    await whole.leave()
  })

  /** What someone does, and what is there when they open the page again. */
  const closings: readonly {
    readonly what: string
    readonly act: (page: Page) => Promise<unknown>
    readonly find: (page: Page) => Promise<unknown>
  }[] = [
    {
      what: 'while one types',
      act: (page) => box(page).pressSequentially('Half a thou'),
      find: async (page) => assert.equal(await box(page).inputValue(), 'Half a thou'),
    },
    {
      what: 'when a message has just been sent',
      act: async (page) => {
        await box(page).fill('Sent and gone')
        await box(page).press('Control+Enter')
      },
      find: async (page) => {
        await page.getByText('Sent and gone').first().waitFor()
        assert.equal(await box(page).inputValue(), '')
      },
    },
    {
      what: 'before the server has got a message',
      act: async (page) => {
        await hold(page, '**/json/messages')
        await box(page).fill('Held up')
        await box(page).press('Control+Enter')
      },
      find: (page) => page.getByText('Held up').first().waitFor(),
    },
    {
      what: 'while a message is edited',
      act: async (page) => {
        await page.evaluate(() => document.querySelector('main')?.focus())
        await page.keyboard.press('ArrowLeft')
        await page.locator('.edit-box .editor-text').fill('What I meant to say')
      },
      find: async (page) => {
        // Not that of the last page's picture.
        const field = page.locator('#app .edit-box .editor-text')
        await field.waitFor()
        assert.equal(await field.inputValue(), 'What I meant to say')
      },
    },
    {
      what: 'while it is loaded',
      act: async (page) => {
        await box(page).fill('Before the reload')
        await hold(page, '**/json/**')
        await page.reload()
      },
      find: async (page) => assert.equal(await box(page).inputValue(), 'Before the reload'),
    },
    {
      what: 'while it keeps what it has for the next start',
      act: async (page) => {
        await box(page).fill('Still typing')
        await page.evaluate(() => {
          IDBTransaction.prototype.commit = () => {}
          Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
          document.dispatchEvent(new Event('visibilitychange'))
        })
      },
      find: async (page) => assert.equal(await box(page).inputValue(), 'Still typing'),
    },
  ]
  for (const [at, { what, act, find }] of closings.entries()) {
    test(`a tab that is closed ${what} loses nothing`, async () => {
      const name = `closing ${at}`
      await site.server.say('member', 'public', name, 'Where one writes')
      const { page, leave } = await site.logIn('member', { hash: topic(name) })
      const first = await page.context().newPage()
      await first.goto(`/${topic(name)}`)
      await rowWith(first, 'Where one writes').waitFor()
      await page.goto('/health')
      await box(first).waitFor()
      await act(first)
      await first.close()
      const next = await page.context().newPage()
      await next.goto(`/${topic(name)}`)
      await next.getByText('Where one writes').or(next.locator('.edit-box')).first().waitFor()
      await box(next).waitFor()
      await find(next)
      await next.close()
      await leave()
      const { messages } = await site.server
        .as('member')
        .get<{ messages: { content: string }[] }>('/messages', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          apply_markdown: false,
          narrow: [{ operator: 'topic', operand: name }],
        })
      const sent = messages.map(({ content }) => content)
      assert.deepEqual(sent, [...new Set(sent)], 'nothing is sent twice')
    })
  }

  /** The session of someone in a browser, as if they had logged in in another tab of it. */
  async function takeSession(page: Page, actor: Actor): Promise<void> {
    const form = openBrowser(site.server.url)
    const { ids, url } = site.server
    await form.fill('/login/', { user_id: String(ids[actor]) }, '/devlogin')
    await page.context().clearCookies()
    await page
      .context()
      .addCookies([...form.cookies].map(([name, value]) => ({ name, value, url })))
  }

  for (const [what, other] of [
    ['is kept for the next start', undefined],
    ['is not kept once another one is logged in in another tab', 'zoe'],
  ] as const) {
    test(`what one account had ${what}`, async () => {
      const text = `For Desdemona only: it ${what}`
      await site.server.say('admin', ['owner'], '', text)
      const { page, leave } = await site.logIn('admin', { hash: '#inbox' })
      await page.goto('/health')
      await page.evaluate(() => {
        localStorage.removeItem('parley:kept')
        indexedDB.deleteDatabase('parley')
      })
      const tab = await page.context().newPage()
      const letThrough = await hold(tab, /\/rest-/)
      const asked = tab.waitForRequest(/\/rest-/)
      await tab.goto('/#narrow/dm/9-Desdemona')
      await rowWith(tab, text).waitFor()
      await asked
      // What is asked for as the other one would end the page before it could keep anything.
      await hold(tab, /\/json\/(events|register)/)
      if (other) await takeSession(page, other)
      letThrough()
      await tab.waitForResponse(/\/rest-/)
      const isKept = async () => (await readKept(page)).includes(text)
      // It is written after five seconds.
      for (let tries = 0; tries < 80 && !(await isKept()); tries++) await page.waitForTimeout(100)
      assert.equal(await isKept(), other === undefined)
      await tab.close()
      await leave()
    })
  }

  test('what is kept of another account is not drawn, even for a moment', async () => {
    await site.server.say('owner', ['admin'], '', 'For Iago alone')
    const person = await site.logIn('admin', { hash: '#narrow/dm/9-Desdemona' })
    const { page } = person
    await rowWith(page, 'For Iago alone').waitFor()
    await untilKept(page)
    await page.goto('about:blank')
    await takeSession(page, 'zoe')
    await hold(page, '**/json/**')
    await page.goto('/#narrow/dm/9-Desdemona')
    await page.getByText('Loading').first().waitFor()
    await page.waitForTimeout(800)
    assert.equal(await rowWith(page, 'For Iago alone').count(), 0)
    assert.equal(await page.evaluate(() => localStorage.getItem('parley:kept')), null)
    await page.unroute('**/json/**')
    await page.reload()
    await clientDrawn(page)
    assert.doesNotMatch(await readKept(page), /For Iago alone/)
    await person.leave()
  })

  for (const part of ['rest', 'keys']) {
    test(`a key that is pressed while ${part} is still being loaded does what it says`, async () => {
      const name = `hasty keys before ${part}`
      const id = await site.server.say('othello', 'public', name, 'To be answered')
      const { page, leave } = await site.logIn('member', { hash: topic(name) })
      await rowWith(page, 'To be answered').waitFor()
      const letCome = await hold(page, new RegExp(`/${part}-\\w+\\.js$`))
      await page.reload()
      await page.locator(`#app [data-message-id="${id}"]`).waitFor()
      await page.locator('#app main').focus()
      for (const key of ['Shift+I', 'd']) await page.keyboard.press(key)
      letCome()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      assert.equal(new URL(page.url()).hash, '#inbox')
      await leave()
    })
  }

  test('what an older version has kept is replaced by a registration', async () => {
    await site.server.say('othello', 'public', 'versions', 'Of any version')
    const { page, leave } = await site.logIn('othello', { hash: topic('versions') })
    await rowWith(page, 'Of any version').waitFor()
    await untilKept(page)
    await page.goto('/health')
    const isOlder = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('parley')
          request.onsuccess = () => {
            const transaction = request.result.transaction('parts', 'readwrite')
            const parts = transaction.objectStore('parts')
            const head = parts.get('head')
            head.onsuccess = () => {
              parts.put({ ...head.result, version: 'older' })
              // Its shape was another one.
              parts.put({ name: 'unseen', everything: 'elsewhere' })
            }
            transaction.oncomplete = () => {
              request.result.close()
              resolve()
            }
          }
        }),
    )
    await within(isOlder, 'The database of the browser is written')
    const registered = page.waitForRequest(/\/json\/register/)
    await page.goto(`/${topic('versions')}`)
    await registered
    await rowWith(page, 'Of any version').waitFor()
    await leave()
  })

  for (const [what, days] of [
    ['two years behind', -730],
    ['two years ahead', 730],
  ] as const) {
    test(`where the device's clock is ${what}, today is the server's`, async () => {
      const name = `clock ${days}`
      await site.server.say('othello', 'public', name, 'Sent today')
      const { page, leave } = await site.logIn('prospero', { hash: '#inbox' })
      const wrong = await page.context().newPage()
      await wrong.addInitScript((offset) => {
        const Real = Date
        const now = () => Real.now() + offset
        class Shifted extends Real {
          constructor(...args: []) {
            super(...(args.length === 0 ? ([now()] as unknown as []) : args))
          }
          static override now = now
        }
        globalThis.Date = Shifted as DateConstructor
      }, days * 86_400_000)
      await wrong.goto(`/${topic(name)}`)
      await rowWith(wrong, 'Sent today').waitFor()
      await wrong.locator('.day').filter({ hasText: 'Today' }).waitFor()
      // What is offered for later is later.
      await box(wrong).fill('In an hour')
      await wrong.getByRole('button', { name: 'Send later' }).click()
      await wrong.getByRole('button', { name: /In one hour/ }).click()
      await wrong
        .getByText(/Scheduled|will be sent/i)
        .first()
        .waitFor()
      const hours = async () => {
        const { scheduled_messages: waiting } = await site.server
          .as('prospero')
          .get<{ scheduled_messages: { scheduled_delivery_timestamp: number }[] }>(
            '/scheduled_messages',
          )
        const at = waiting.at(-1)?.scheduled_delivery_timestamp ?? 0
        // To five minutes.
        return Math.round((at - Date.now() / 1000) / 300) / 12
      }
      await eventually(hours, 1)
      await wrong.close()
      await leave()
    })
  }

  test('after the server was set back to a backup, nothing that was typed is lost', async () => {
    const { server } = site
    await server.say('othello', 'public', 'backup', 'Before the backup')
    const person = await site.logIn('othello', { hash: topic('backup') })
    const { page, leave } = person
    person.expectProblems(/400 \(Bad Request\)/)
    await rowWith(page, 'Before the backup').waitFor()
    await untilKept(page)
    let backup = ''
    await site.restart((data) => {
      backup = `${data}-backup`
      cpSync(data, backup, { recursive: true })
    })
    const lost = await site.server.say('owner', 'public', 'backup', 'After the backup')
    await rowWith(page, 'After the backup').waitFor()
    await box(page).fill('Typed after the backup')
    await page.waitForResponse((response) => response.url().endsWith('/json/drafts'))
    await site.restart((data) => {
      rmSync(data, { recursive: true })
      cpSync(backup, data, { recursive: true })
    })
    const resent = page.waitForResponse((response) => response.url().endsWith('/json/drafts'))
    await rowWith(page, 'After the backup').waitFor({ state: 'detached' })
    await rowWith(page, 'Before the backup').waitFor()
    assert.equal(await box(page).inputValue(), 'Typed after the backup')
    await resent
    // An ID comes a second time.
    const again = await site.server.say('owner', 'public', 'backup', 'Another message')
    assert.equal(again, lost)
    await rowWith(page, 'Another message').waitFor()
    assert.equal(await rowWith(page, 'After the backup').count(), 0)
    const next = await page.context().newPage()
    await next.goto(`/${topic('backup')}`)
    await rowWith(next, 'Another message').waitFor()
    assert.equal(await box(next).inputValue(), 'Typed after the backup')
    rmSync(backup, { recursive: true })
    await leave()
  })

  test('new messages that overtake a restored backup lose nothing that was typed either', async () => {
    const { server } = site
    await server.say('othello', 'public', 'overtaken', 'Before the backup')
    const person = await site.logIn('othello', { hash: topic('overtaken') })
    const { page, leave } = person
    person.expectProblems(/400 \(Bad Request\)/)
    await rowWith(page, 'Before the backup').waitFor()
    await untilKept(page)
    const folder = mkdtempSync(join(tmpdir(), 'parley-overtaken-'))
    const [backup, restored] = [join(folder, 'backup'), join(folder, 'restored')]
    await backUp(server.server.context, backup)
    await restore(backup, restored)
    const lost = await server.say('owner', 'public', 'overtaken', 'After the backup')
    await rowWith(page, 'After the backup').waitFor()
    await box(page).fill('Typed after the backup')
    await page.waitForResponse((response) => response.url().endsWith('/json/drafts'))
    await page.goto('about:blank')
    await site.restart((data) => {
      rmSync(data, { recursive: true })
      cpSync(restored, data, { recursive: true })
    })
    for (let id = 0; id <= lost; ) id = await site.server.say('owner', 'public', 'other', 'New')

    await page.goto(`/${topic('overtaken')}`)
    await rowWith(page, 'Before the backup').waitFor()
    await rowWith(page, 'After the backup').waitFor({ state: 'detached' })
    const contents = async () =>
      (
        await site.server.as('othello').get<{ drafts: { content: string }[] }>('/drafts')
      ).drafts.map(({ content }) => content)
    assert.equal(await box(page).inputValue(), 'Typed after the backup')
    await eventually(async () => (await contents()).includes('Typed after the backup'), true)
    rmSync(folder, { recursive: true })
    await leave()
  })
})
