import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** A page in a real browser, in which no script of the page runs. */
export interface BrowserPage {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>
  /** Types into the field that a selector finds, as a person does. */
  type(selector: string, text: string): Promise<void>
  /** Clicks on what a selector finds, and waits for the page that comes. */
  click(selector: string): Promise<void>
  /** The address that is shown. */
  url(): Promise<string>
  /** The page as it is now, as HTML. */
  html(): Promise<string>
  close(): Promise<void>
}

/** Where Chromium is on this machine; undefined where it is not. */
export function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

type Members = Record<string, unknown>
interface Message {
  id?: number
  method?: string
  result?: Members
  error?: { message: string }
}

/** Starts Chromium and opens one page. It is spoken to by the DevTools protocol, over pipes. */
export async function openChromium(program: string): Promise<BrowserPage> {
  const profile = mkdtempSync(join(tmpdir(), 'parley-chromium-'))
  const browser = spawn(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const call = protocol(browser)
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
  const page = (method: string, params: Members = {}) => call(method, params, String(sessionId))
  await page('Page.enable')
  await page('Emulation.setScriptExecutionDisabled', { value: true })

  async function find(selector: string): Promise<number> {
    const { root } = (await page('DOM.getDocument')) as { root: { nodeId: number } }
    const found = await page('DOM.querySelector', { nodeId: root.nodeId, selector })
    if (!found.nodeId) throw new Error(`There is no ${selector} on the page.`)
    return Number(found.nodeId)
  }

  return {
    async open(url) {
      const loaded = call.next('Page.loadEventFired')
      await page('Page.navigate', { url })
      await loaded
    },
    async type(selector, text) {
      await page('DOM.focus', { nodeId: await find(selector) })
      await page('Input.insertText', { text })
    },
    async click(selector) {
      const nodeId = await find(selector)
      await page('DOM.scrollIntoViewIfNeeded', { nodeId })
      const { model } = (await page('DOM.getBoxModel', { nodeId })) as {
        model: { content: number[] }
      }
      const [left = 0, top = 0, right = 0, , , bottom = 0] = model.content
      const at = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 }
      const loaded = call.next('Page.loadEventFired')
      await page('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
      await page('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
      await loaded
    },
    async url() {
      const { root } = (await page('DOM.getDocument')) as { root: { documentURL: string } }
      return root.documentURL
    },
    async html() {
      const { outerHTML } = await page('DOM.getOuterHTML', { nodeId: await find('html') })
      return String(outerHTML)
    },
    async close() {
      const ended = new Promise((done) => browser.once('exit', done))
      await call('Browser.close').catch(() => browser.kill())
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Calls of the protocol: each message ends in a NUL. */
function protocol(browser: ChildProcess) {
  const [, , , input, output] = browser.stdio as unknown as [0, 0, 0, Writable, Readable]
  const waiting = new Map<number, { done(result: Members): void; fail(error: Error): void }>()
  const listeners = new Set<{ method: string; done(): void }>()
  let last = 0
  let text = ''
  output.setEncoding('utf8')
  output.on('data', (part: string) => {
    text += part
    for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
      take(JSON.parse(text.slice(0, end)) as Message)
      text = text.slice(end + 1)
    }
  })
  browser.once('exit', () => {
    for (const { fail } of waiting.values()) fail(new Error('The browser has ended.'))
  })

  function take({ id, method, result = {}, error }: Message): void {
    const call = waiting.get(id ?? 0)
    waiting.delete(id ?? 0)
    if (error) call?.fail(new Error(error.message))
    else call?.done(result)
    for (const listener of listeners) {
      if (listener.method !== method) continue
      listeners.delete(listener)
      listener.done()
    }
  }

  async function call(method: string, params: Members = {}, sessionId?: string): Promise<Members> {
    const id = ++last
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return await new Promise((done, fail) => void waiting.set(id, { done, fail }))
  }
  call.next = (method: string): Promise<void> =>
    new Promise((done) => void listeners.add({ method, done }))
  return call
}
