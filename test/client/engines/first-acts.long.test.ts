import { after, afterEach, before, describe, test } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import { type EngineWindow, openWindow } from '#test/support/engine-window.ts'
import { startProxy, type TestProxy } from '#test/support/proxy.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { engines } from '#test/support/webdriver.ts'

/** Something that is done for the first time, so that no browser has the files for it. */
interface FirstAct {
  readonly what: string
  lose(proxy: TestProxy): Promise<void>
  act(window: EngineWindow): Promise<void>
  again(window: EngineWindow): Promise<void>
  /** An element of what is there then. */
  readonly sign: string
}

const pressKey = ({ browser }: EngineWindow) => browser.press('main', 'c')

const acts: readonly FirstAct[] = [
  {
    what: 'a key while connections are refused',
    lose: (proxy) => proxy.cut(),
    act: pressKey,
    again: pressKey,
    sign: '.compose .topic-field input:focus',
  },
  {
    what: 'settings while a gateway answers 503',
    lose: (proxy) => proxy.fail(503),
    act: ({ browser }) => browser.run("location.assign('#settings/profile')"),
    again: ({ browser }) => browser.click('.failure button'),
    sign: '#field-full_name',
  },
]

describe('a page that has lost its network', {
  skip: engines.every(({ missing }) => missing) && 'no engine',
}, () => {
  let server: TestServer
  let proxy: TestProxy
  before(async () => {
    server = await startServer({ clock: systemClock })
    proxy = await startProxy(server.url)
  })
  afterEach(() => proxy.restore())
  after(async () => {
    await proxy.close()
    await server.close()
  })

  for (const engine of engines) {
    describe(`in ${engine.name}`, { skip: engine.missing }, () => {
      let window: EngineWindow
      before(async () => {
        window = await openWindow(engine, { ...server, url: proxy.url })
      })
      after(() => window?.browser.close())

      for (const { what, lose, act, again, sign } of acts) {
        test(`tells that it cannot load what it needs, and does once it is back: ${what}`, async () => {
          const { open, reload, see } = window
          await open(what)
          await reload()
          // Its file has what listens to keys as well.
          await see("document.querySelector('.search-box') !== null", true)
          await lose(proxy)
          await act(window)
          await see("document.body.textContent.includes('This part could not be loaded.')", true)
          await proxy.restore()
          await again(window)
          await see('document.querySelector(arguments[0]) !== null', true, sign)
        })
      }
    })
  }
})
