import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { patience } from './eventually.ts'
import { freePort } from './free-port.ts'

/** A browser with another engine than Chromium's, driven by WebDriver. */
export interface EngineBrowser {
  open(url: string): Promise<void>
  /** Runs the body of a function in the page. @returns what that returns, as JSON */
  run<T>(body: string, ...values: readonly unknown[]): Promise<T>
  click(selector: string): Promise<void>
  /** Presses keys in a field: `\uE008` is Shift, `\uE009` Control, `\uE007` Enter. */
  press(selector: string, keys: string): Promise<void>
  /** What the console has of errors in scripts and of breaches of the page's policies. */
  problems(): Promise<readonly string[]>
  close(): Promise<void>
}

/** A browser that may be missing on this machine. */
export interface Engine {
  readonly name: string
  /** Why its stories are skipped here; false: it is there. */
  readonly missing: string | false
  open(): Promise<EngineBrowser>
}

/** Makes a command of WebDriver, as one protocol has it. */
type Command = (name: string, params?: object) => Promise<unknown>
type Found = { readonly [key: string]: string }

function missing(...names: readonly string[]): string | false {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...miniBrowserFolders]
  const lacks = names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
  return lacks.length > 0 && `there is no ${lacks.join(' and no ')} on this machine`
}

/** Where Debian has the browser that comes with WebKitGTK. */
const miniBrowserFolders = ['4.1', '4.0', '6.0'].flatMap((version) =>
  ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-${version}`),
)

/** Processes of one browser, with a home of their own. */
function startProcesses() {
  const home = mkdtempSync(join(tmpdir(), 'parley-engine-'))
  const started: ChildProcess[] = []
  function end(): void {
    process.off('exit', end)
    for (const { pid } of started.reverse()) {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  // Nothing else would end them when the tests are broken off.
  process.on('exit', end)
  return {
    home,
    end,
    start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
      const child = spawn(program, args, {
        // A group of its own, which ends with all that it has started.
        detached: true,
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        env: { ...process.env, HOME: home, LANG: 'C.UTF-8', ...env },
      })
      started.push(child)
      return child
    },
  }
}

type Processes = ReturnType<typeof startProcesses>

/** Tries until it works: a program that was started needs some time. */
async function soon<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries > 150) throw error
      await after(200)
    }
  }
}

/** What both protocols share. */
function pageOf(command: Command): Pick<EngineBrowser, 'open' | 'run' | 'click' | 'press'> {
  async function find(selector: string): Promise<string> {
    const found = (await command('FindElement', {
      using: 'css selector',
      value: selector,
    })) as Found
    return Object.values(found)[0] ?? ''
  }
  return {
    open: async (url) => void (await command('Navigate', { url })),
    run: async (body, ...values) =>
      (await command('ExecuteScript', { script: body, args: values })) as never,
    // A page that has just been opened needs a moment until it takes either.
    click: (selector) =>
      soon(async () => void (await command('ElementClick', { id: await find(selector) }))),
    press: (selector, text) =>
      soon(async () => void (await command('ElementSendKeys', { id: await find(selector), text }))),
  }
}

/** Firefox speaks Marionette: `length:[0,id,command,params]`, answered by `length:[1,id,error,value]`. */
function marionette(socket: Socket): Command {
  let rest = Buffer.alloc(0)
  let last = 0
  const waiting = new Map<number, (error: unknown, value: unknown) => void>()
  socket.on('data', (part: Buffer) => {
    rest = Buffer.concat([rest, part])
    for (;;) {
      const colon = rest.indexOf(':')
      const end = colon + 1 + Number(rest.subarray(0, colon))
      if (colon < 0 || rest.length < end) return
      const message = JSON.parse(rest.subarray(colon + 1, end).toString())
      rest = rest.subarray(end)
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3])
    }
  })
  return (name, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, (error, value) => {
        if (error) reject(new Error(`${name}: ${JSON.stringify(error)}`))
        else resolve(value && typeof value === 'object' && 'value' in value ? value.value : value)
      })
      const command = name.includes(':') ? name : `WebDriver:${name}`
      const text = JSON.stringify([0, last, command, params])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

const firefoxPrefs = {
  // Without a screen there is neither a mouse nor what it points at, unless this says so.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

async function openFirefox({ home, start, end }: Processes): Promise<EngineBrowser> {
  const port = await freePort()
  const prefs = Object.entries({ ...firefoxPrefs, 'marionette.port': port })
  const lines = prefs.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`)
  writeFileSync(join(home, 'user.js'), lines.join(''))
  const program = missing('firefox-esr') ? 'firefox' : 'firefox-esr'
  start(program, ['--headless', '--marionette', '--remote-allow-system-access', '--profile', home])
  const socket = await soon(async () => {
    const each = connect(port, '127.0.0.1')
    await once(each, 'connect')
    return each
  })
  const command = marionette(socket)
  await command('NewSession', { capabilities: {} })
  return {
    ...pageOf(command),
    async problems() {
      await command('Marionette:SetContext', { value: 'chrome' })
      const script = `return Services.console.getMessageArray().flatMap((each) => {
        if (!(each instanceof Ci.nsIScriptError)) return []
        const isPage = /^(content javascript|CSP|CORS|DOM.*)/i.test(each.category)
        return isPage && each.sourceName.startsWith('http') && !(each.flags & 1)
          ? [each.category + ': ' + each.errorMessage] : []
      })`
      const said = (await command('ExecuteScript', { script, args: [] })) as string[]
      await command('Marionette:SetContext', { value: 'content' })
      return said
    },
    async close() {
      socket.destroy()
      end()
    },
  }
}

/** The addresses of WebDriver's commands, below that of the session. */
const webKitPaths: Readonly<Record<string, (params: { id?: string }) => string>> = {
  Navigate: () => '/url',
  ExecuteScript: () => '/execute/sync',
  FindElement: () => '/element',
  ElementClick: ({ id }) => `/element/${id}/click`,
  ElementSendKeys: ({ id }) => `/element/${id}/value`,
}

async function openWebKit({ start, end }: Processes): Promise<EngineBrowser> {
  const screen = start('Xvfb', [
    '-displayfd',
    '3',
    '-screen',
    '0',
    '1440x900x24',
    '-nolisten',
    'tcp',
  ])
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await freePort()
  start('WebKitWebDriver', [`--port=${port}`], { DISPLAY: `:${String(display).trim()}` })
  async function call(path: string, body: object): Promise<unknown> {
    // It may never answer, as for a script that leaves its page.
    const signal = AbortSignal.timeout(3 * patience())
    const init = { method: 'POST', body: JSON.stringify(body), signal }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  const binary = miniBrowserFolders.map((folder) => join(folder, 'MiniBrowser')).find(existsSync)
  const options = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
  await soon(() => fetch(`http://127.0.0.1:${port}/status`))
  const session = await call('/session', { capabilities: { alwaysMatch: options } })
  const { sessionId } = session as { sessionId: string }
  const page = pageOf((name, params = {}) =>
    call(`/session/${sessionId}${webKitPaths[name]?.(params)}`, params),
  )
  return {
    ...page,
    run: (body, ...values) => page.run(`${listening}\n${body}`, ...values),
    problems: () => page.run(`${listening}\nreturn JSON.parse(sessionStorage.heard ?? '[]')`),
    close: async () => end(),
  }
}

/** A driven WebKit tells nobody what its console has, so each page notes it from its first script on. */
const listening = `if (!window.isHeard) {
  window.isHeard = true
  const note = (text) => {
    sessionStorage.heard = JSON.stringify([...JSON.parse(sessionStorage.heard ?? '[]'), text])
  }
  addEventListener('error', ({ message }) => message && note(message))
  addEventListener('unhandledrejection', ({ reason }) => note('rejected: ' + reason))
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    note(effectiveDirective + ': ' + blockedURI))
}`

/** Ends all that a browser has started when it does not open. */
const opened = (open: (processes: Processes) => Promise<EngineBrowser>) => async () => {
  const processes = startProcesses()
  try {
    return await open(processes)
  } catch (error) {
    processes.end()
    throw error
  }
}

/** The engines besides Chromium's. */
export const engines: readonly Engine[] = [
  {
    name: 'Firefox',
    missing: missing('firefox-esr') && missing('firefox'),
    open: opened(openFirefox),
  },
  {
    name: 'WebKit',
    missing: missing('WebKitWebDriver', 'MiniBrowser', 'Xvfb'),
    open: opened(openWebKit),
  },
]
