import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import {
  oldBrowserScript,
  oldestBrowsers,
  tooOldId,
  tooOldMark,
} from '#features/web/web-client/old-browsers.ts'
import { openBrowser } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

/** What a browser may lack. */
const features = {
  'CSS.supports': (window: Stub) => {
    window.CSS = {}
  },
  CSS: (window: Stub) => {
    delete (window as Partial<Stub>).CSS
  },
  'light-dark()': (window: Stub) => {
    window.CSS = { supports: () => false }
  },
  popovers: (window: Stub) => {
    delete window.document.documentElement.showPopover
  },
  checkVisibility: (window: Stub) => {
    delete window.document.documentElement.checkVisibility
  },
  toSpliced: (window: Stub) => runInContext('delete Array.prototype.toSpliced', window),
}

type Stub = ReturnType<typeof stub>

/** As much of a page as the script touches. */
function stub() {
  const done: string[] = []
  const elements: Record<string, object> = {
    app: { parentNode: { replaceChild: (shown: string) => done.push(`shown: ${shown}`) } },
    [tooOldId]: { content: 'the notice' },
  }
  const listeners: (() => void)[] = []
  const window = {
    done,
    load: () => {
      for (const listener of listeners) listener()
    },
    window: {},
    CSS: { supports: () => true } as { supports?: () => boolean },
    document: {
      documentElement: {
        showPopover: (() => {}) as (() => void) | undefined,
        checkVisibility: (() => true) as (() => boolean) | undefined,
        setAttribute: (name: string) => done.push(name),
      },
      getElementById: (id: string) => elements[id],
      addEventListener: (_type: string, listener: () => void) => listeners.push(listener),
    },
  }
  window.window = window
  createContext(window)
  return window
}

function doneIn(lacking: readonly ((window: Stub) => void)[]): string[] {
  const window = stub()
  for (const lack of lacking) lack(window)
  runInContext(oldBrowserScript, window)
  window.load()
  return window.done
}

describe('a browser that is too old', () => {
  const told = [tooOldMark, 'shown: the notice']
  test('is told so where it lacks any of what the client needs, or all of it', () => {
    for (const [name, lack] of Object.entries(features))
      assert.deepEqual(doneIn([lack]), told, name)
    const { CSS: lackCss, ...others } = features
    assert.deepEqual(doneIn([...Object.values(others), lackCss]), told)
  })

  test('is told nothing where it has all of it', () => {
    assert.deepEqual(doneIn([]), [])
  })

  test('understands the script, which has the syntax of 2009 only', () => {
    assert.doesNotMatch(oldBrowserScript, /=>|`|\b(?:let|const|class|async|await|of)\b|\?\.|\?\?/)
  })

  test('gets a page in the language of the person, with the releases and a link', async () => {
    const server = await startServer()
    after(server.close)
    const browser = openBrowser(server.url)
    await browser.fill('/login/', { user_id: String(server.ids.member) }, '/devlogin')
    for (const [language, title] of [
      ['en', 'This browser is too old'],
      ['de', 'Dieser Browser ist zu alt'],
      ['ar', 'هذا المتصفح قديم جدًا'],
    ] as const) {
      await server.as('member').patch('/settings', { default_language: language })
      const { text } = await browser.go('/')
      const [, notice = ''] = /<template id="too-old">(.*?)<\/template>/s.exec(text) ?? []
      assert.match(notice, new RegExp(`<h1>${title}</h1>`))
      for (const [name, release] of Object.entries(oldestBrowsers)) {
        assert.ok(notice.includes(`${name} ${release}`), `${language}: ${notice}`)
      }
      assert.match(notice, /href="\/connect"/)
      assert.match(notice, /href="\/help\/"/)
      assert.ok(text.indexOf(oldBrowserScript) < text.indexOf('id="program"'))
    }
  })
})
