import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import {
  box,
  type EngineWindow,
  keys,
  openWindow,
  rowOf,
  send,
} from '#test/support/engine-window.ts'
import { eventually } from '#test/support/eventually.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { engines } from '#test/support/webdriver.ts'

const { backspace, control, shift } = keys
const clear = [`${control}a`, backspace]

/** What engines do each in their own way, and the client has to make up for. */
describe('the client', { skip: engines.every(({ missing }) => missing) && 'no engine' }, () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ clock: systemClock })
  })
  after(() => server.close())

  for (const engine of engines) {
    describe(`in ${engine.name}`, { skip: engine.missing }, () => {
      let window: EngineWindow
      before(async () => {
        window = await openWindow(engine, server)
      })
      after(() => window?.browser.close())

      const sideways =
        '(box => box.scrollWidth - box.clientWidth)(document.querySelector(arguments[0]))'
      const text = 'document.querySelector(arguments[0])?.value'

      test('in Arabic, an empty box shows its placeholder, and has nothing to scroll', async () => {
        const { browser, open, reload, see } = window
        const language = (code: string) =>
          server.as('member').patch('/settings', { default_language: code })
        await language('ar')
        await reload()
        await see('document.documentElement.dir', 'rtl')
        await open('arabic')
        await see(sideways, 0, box)
        await browser.press(box, 'Latin')
        await see('getComputedStyle(document.querySelector(arguments[0])).direction', 'ltr', box)
        for (const key of clear) await browser.press(box, key)
        await see(sideways, 0, box)
        await language('en')
        await reload()
        await see('document.documentElement.dir', 'ltr')
      })

      test('a copied message is pasted with its formats, and plain by Ctrl+Shift+V', async () => {
        const { browser, open, see, shows } = window
        const topic = await open('copied')
        const id = await server.say('othello', 'public', topic, 'plain **bold** and `code`')
        await shows('plain bold and code')
        await browser.run(
          'getSelection().selectAllChildren(document.querySelector(arguments[0]))',
          `${rowOf(id)}  .rendered`,
        )
        await browser.press('main', `${control}c`)
        await browser.press(box, `${control}v`)
        await see(text, 'plain **bold** and `code`', box)
        for (const key of clear) await browser.press(box, key)
        await browser.press(box, `${control}${shift}v`)
        await see(text, 'plain bold and code', box)
        for (const key of clear) await browser.press(box, key)
      })

      test('the offer of notifications promises what there is, and says what becomes of it', async () => {
        const { browser, reload, see } = window
        await browser.run("localStorage.removeItem('parley:notices-asked')")
        // It waits until there is something to be notified of.
        await server.say('othello', ['member'], '', `Are you there, in ${engine.name}?`)
        await reload()
        const card = "document.querySelector('.permission-card')"
        await see(`${card} !== null`, true)
        const promised = await browser.run<string>(`return ${card}.textContent`)
        const canPush = await browser.run<boolean>("return 'PushManager' in window")
        const when = canPush ? 'even while this page is closed' : 'while this page is open'
        assert.ok(promised.includes(when), promised)
        await browser.run("Notification.requestPermission = async () => 'denied'")
        await browser.click('.permission-card .button-primary')
        await see(`${card} === null`, true)
        await see("document.querySelector('.toasts').textContent.includes('stay off')", true)
      })

      test('what is dropped as a file is added to the message', async () => {
        const { browser, open, see } = window
        await open('dropped')
        await browser.run(
          `const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File(['Words'], 'words.txt', { type: 'text/plain' }))
          const init = { dataTransfer, bubbles: true, cancelable: true }
          document.querySelector(arguments[0]).dispatchEvent(new DragEvent('drop', init))`,
          box,
        )
        const chip = "document.querySelector('.compose .attached-file')"
        await see(`${chip}?.textContent.includes('words.txt')`, true)
        await browser.press(box, send)
        await see(`${chip} === null`, true)
      })

      test('a control that something opened by the mouse focuses has no ring, after a key it has', async () => {
        const { browser, open, see } = window
        await open('copied')
        const ring = "document.activeElement.matches('[role=menu] :focus-visible')"
        await browser.click('main [aria-label="Topic menu"]')
        await see("document.activeElement.closest('[role=menu]') !== null", true)
        assert.equal(await browser.run(`return ${ring}`), false)
        await browser.press('[role=menu]', keys.down)
        await see(ring, true)
        await browser.press('[role=menu]', keys.escape)
        await see("document.querySelector('[role=menu]') === null", true)
      })

      test('a page that is left writes once what it keeps for the next one', async () => {
        const { browser, reload, see } = window
        await see("localStorage['parley:kept'] !== undefined", true)
        await browser.run(
          `const { transaction } = IDBDatabase.prototype
          IDBDatabase.prototype.transaction = function (...given) {
            const { writes } = sessionStorage
            if (given[1] === 'readwrite') sessionStorage.writes = Number(writes ?? 0) + 1
            return transaction.apply(this, given)
          }
          addEventListener('pagehide', () => sessionStorage.removeItem('writes'), true)`,
        )
        await reload()
        assert.equal(await browser.run('return sessionStorage.writes'), '1')
      })

      test('the console has neither errors of scripts nor breaches of policies', async () => {
        await eventually(() => window.browser.problems(), [])
      })
    })
  }
})
