import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '#test/support/free-port.ts'
import { startIrc } from './irc.ts'
import { historyLength, historyMark, markOf } from './organizations.ts'
import { closePage, openPage } from './page.ts'
import type { Subject } from './subject.ts'

/*
 * The Lounge, a web client for IRC, to compare with. It is no dependency: `--lounge` installs it
 * outside of the repository, and later runs use what is there.
 */

const version = '4.5.2'
const folder = join(tmpdir(), `parley-bench-lounge-${version}`)
const program = join(folder, 'node_modules/thelounge')
const password = 'a password for the bench'

/** A running one, with an IRC server that has what the organization of the bench has. */
export interface Lounge {
  readonly subject: Subject
  /** Bytes of what its page loads first. */
  readonly files: { readonly scripts: readonly Buffer[]; readonly styles: readonly Buffer[] }
  stop(): Promise<void>
}

/** Installs it where it is missing. @throws Error npm's, without a network, say */
export function installLounge(): void {
  if (existsSync(program)) return
  mkdirSync(folder, { recursive: true })
  const manifest = {
    private: true,
    dependencies: { thelounge: version },
    // Its own wish is a commit on GitHub; the release has the same interface.
    overrides: { 'irc-framework': '4.14.0' },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

export const isLoungeInstalled = (): boolean => existsSync(program)

/**
 * Starts it and logs in.
 *
 * @param channels how many channels there are, besides the long one
 */
export async function startLounge(
  browser: Browser,
  home: string,
  channels: number,
): Promise<Lounge> {
  const irc = await startIrc()
  const port = await freePort()
  writeHome(home, port, irc.port, channels)
  const child = spawn(process.execPath, ['-e', starter], {
    env: { ...process.env, THELOUNGE_HOME: home, LOUNGE: program },
    stdio: 'ignore',
  })
  const stop = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    irc.close()
  }
  try {
    const subject = await logIn(browser, `http://127.0.0.1:${port}`)
    return { subject, files: listFiles(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function logIn(browser: Browser, origin: string): Promise<Subject> {
  await waitFor(origin)
  const row = '.msg[data-type="message"]'
  const measured = await openPage(browser, row)
  const { page } = measured
  await page.goto(origin)
  await page.fill('#signin-username', 'bench')
  await page.fill('#signin-password', password)
  await page.click('button[type="submit"]')
  // It joins one of them a second.
  await page.waitForFunction(
    () => {
      const all = '.channel-list-item[data-type="channel"]'
      return document.querySelector(all) && !document.querySelector(`${all}.parted-channel`)
    },
    undefined,
    { timeout: 120_000 },
  )
  const item = (name: string) => `.channel-list-item[data-name="${name}"]`
  await page.locator(item('#topic0')).click()
  await page.waitForFunction(
    ([rows, mark]) =>
      [...document.querySelectorAll(rows)].at(-1)?.textContent?.includes(mark) ?? false,
    [row, markOf(0)] as const,
  )
  const storage = await page.context().storageState()
  await closePage(measured)
  const go = (name: string) => `document.querySelector(${JSON.stringify(item(name))}).click()`
  return {
    address: `${origin}/`,
    storage,
    row,
    scroller: '#chat .chat',
    textBox: '#input',
    go: (conversation) => go(`#topic${conversation}`),
    mark: markOf,
    history: {
      go: go('#history'),
      newest: historyMark(historyLength - 1),
      oldest: historyMark(0),
    },
  }
}

/** Its command line wants Node 22, for a storage that is turned off here. */
const starter = `
const Module = require('node:module')
const load = Module._load
Module._load = (name, ...rest) =>
  name === 'node:sqlite' ? { DatabaseSync: class {} } : load(name, ...rest)
const server = process.env.LOUNGE + '/dist/server/'
require(server + 'config.js').default.setHome(process.env.THELOUNGE_HOME)
require(server + 'server.js').default({ dev: false })
`

function writeHome(home: string, port: number, ircPort: number, channels: number): void {
  for (const each of ['users', 'packages/node_modules']) {
    mkdirSync(join(home, each), { recursive: true })
  }
  writeFileSync(join(home, 'packages/package.json'), '{"private":true,"dependencies":{}}')
  // Whatever the folder above says of its files.
  writeFileSync(join(home, 'package.json'), '{"type":"commonjs"}')
  const config = { public: false, host: '127.0.0.1', port, messageStorage: [], maxHistory: 20_000 }
  writeFileSync(join(home, 'config.js'), `module.exports = ${JSON.stringify(config)}`)
  const { hashSync } = createRequire(join(program, 'package.json'))('bcryptjs')
  const names = [...Array.from({ length: channels }, (_, i) => `#topic${i}`), '#history']
  const network = {
    uuid: '6b7f7c0e-7b1b-4d6f-9d3a-000000000001',
    name: 'Bench',
    host: '127.0.0.1',
    port: ircPort,
    tls: false,
    nick: 'reader',
    username: 'reader',
    realname: 'reader',
    channels: names.map((name) => ({ name })),
  }
  const user = { password: hashSync(password, 4), log: false, networks: [network] }
  writeFileSync(join(home, 'users/bench.json'), JSON.stringify(user))
}

async function waitFor(origin: string): Promise<void> {
  for (let tries = 400; ; tries--) {
    try {
      await fetch(origin)
      return
    } catch (error) {
      if (tries === 0) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

function listFiles(): Lounge['files'] {
  const assets = join(program, 'public/assets')
  const read = (extension: string) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(extension))
      .map((name) => readFileSync(join(assets, name)))
  return { scripts: read('.js'), styles: read('.css') }
}
