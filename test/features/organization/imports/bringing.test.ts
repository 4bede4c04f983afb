import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createServer, type Server } from '#program/server.ts'
import { openBrowser } from '#test/support/browser.ts'
import { writeZip } from '#test/support/exports/archives.ts'
import { slackExport } from '#test/support/exports/slack.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-bringing-'))
after(() => rmSync(root, { recursive: true, force: true }))

let count = 0
let archive: Buffer
before(async () => {
  archive = readFileSync(await writeZip(join(root, 'export.zip'), slackExport()))
})

const config = { logLevel: 'silent', rateLimits: false } as const

/** A server without an organization, and what a browser does with it. */
async function fresh(data = join(root, `data-${count++}`)) {
  const server = await createServer({ data, port: 0, config })
  return { data, server, ...browserOf(server, tokenOf(server)) }
}

const tokenOf = ({ setupUrl }: Server) => new URL(setupUrl ?? '').searchParams.get('token') ?? ''

function browserOf(server: Server, token: string) {
  const headers = { 'Setup-Token': token, 'Tus-Resumable': '1.0.0' }
  const upload = `${server.url}/setup/import/upload`
  async function page(path = `/setup/import?token=${token}`, cookie = '') {
    const response = await fetch(server.url + path, { headers: { cookie }, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  async function post(path: string, fields: Record<string, string> = {}, cookie = '') {
    const response = await fetch(`${server.url}/setup/import/${path}`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ token, organization: 'Our team', ...fields }),
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    page,
    post,
    begin: (name: string, length: number, more = {}) =>
      fetch(upload, {
        method: 'POST',
        headers: {
          ...headers,
          'Upload-Length': String(length),
          'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
          ...more,
        },
      }),
    part: (offset: number, bytes: Uint8Array<ArrayBuffer>) =>
      fetch(upload, {
        method: 'PATCH',
        headers: {
          ...headers,
          'Upload-Offset': String(offset),
          'Content-Type': 'application/offset+octet-stream',
        },
        body: bytes,
      }),
    async offset() {
      const reply = await fetch(upload, { method: 'HEAD', headers })
      return [reply.status, reply.headers.get('upload-offset')]
    },
    async state() {
      const reply = await fetch(`${server.url}/setup/import/state`, { headers })
      return [reply.status, reply.ok ? ((await reply.json()) as { step: string }).step : '']
    },
    async until(step: string) {
      for (;;) {
        const { step: now } = (await (
          await fetch(`${server.url}/setup/import/state`, { headers })
        ).json()) as { step: string }
        if (now === step) return
        if (now !== 'looking' && now !== 'importing') assert.fail(`${now}: ${(await page()).text}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const bytesOf = (buffer: Buffer) => new Uint8Array(buffer) as Uint8Array<ArrayBuffer>
const names = (data: string) =>
  readdirSync(data)
    .filter((name) => !/^(lock|parley\.db-|control|reserve)/.test(name))
    .sort()

describe('a founder brings a team along', async () => {
  let it: Awaited<ReturnType<typeof fresh>>
  before(async () => {
    it = await fresh()
  })
  after(() => it.server.close())

  test('the set-up page offers it', async () => {
    const { text } = await it.page(`/setup?token=${tokenOf(it.server)}`)
    assert.match(text, /Import your team/)
    assert.match((await it.page()).text, /Export file/)
  })

  test('the file comes in parts, from where the last one ended', async () => {
    const bytes = bytesOf(archive)
    assert.equal((await it.begin('Team export.zip', bytes.length)).status, 201)
    const half = bytes.length >> 1
    assert.equal((await it.part(0, bytes.slice(0, half))).status, 204)
    assert.equal((await it.part(0, bytes.slice(0, half))).status, 409)
    assert.deepEqual(await it.offset(), [200, String(half)])
    assert.match((await it.page()).text, /of Team export\.zip have been uploaded/)
    assert.equal((await it.post('look')).status, 400, 'half a file is not looked at')
    assert.equal((await it.part(half, bytes.slice(half))).status, 204)
  })

  test('what is in it is shown before anything is done', async () => {
    assert.equal((await it.post('look')).status, 303)
    await it.until('found')
    const { text } = await it.page()
    assert.match(text, /From Slack/)
    assert.match(text, /<th scope="row">Messages<\/th><td>\d+/)
    assert.match(text, /<th scope="row">Files<\/th><td>0<\/td><td>6<\/td>/)
    assert.match(text, /Files: 3 to be fetched from Slack\. The first one failed: it could not be/)
    assert.match(text, /<option value="U1"[^>]*>Olga Owner \(Owner\) · olga@example\.com/)
    assert.doesNotMatch(text, /deploy/i, 'bots are nobody to be')
    assert.doesNotMatch(text, /psst|xoxe/)
    assert.notEqual(it.server.setupUrl, undefined)
  })

  test('a person without an address needs one, and nobody takes that of another', async () => {
    const password = 'correct horse'
    const refused = async (fields: Record<string, string>, reason: RegExp) => {
      const { status, text } = await it.post('start', { password, ...fields })
      assert.equal(status, 400)
      assert.match(text, reason)
    }
    await refused({ person: 'U3', email: '' }, /address/)
    await refused({ person: 'U3', email: 'BEN@example.com' }, /the address of Ben Admin/)
    await refused({ person: 'U9', email: 'x@example.com' }, /Choose which person you are/)
    await refused({ person: 'U3', email: 'x@example.com', password: 'x' }, /[Pp]assword/)
    await refused({ person: 'U1', organization: ' ' }, /name is missing/)
    await refused({ person: '', email: 'x@example.com', full_name: '' }, /name/i)
  })

  test('it is imported, its report read, and its owner let in once', async () => {
    const gäst = { person: 'U3', email: 'gast@example.com', password: 'correct horse' }
    assert.equal((await it.post('start', gäst)).status, 303)
    await it.until('done')
    assert.match((await it.page()).text, /Your team is here/)
    assert.deepEqual(names(it.data), ['files', 'parley.db'])
    const csv = (await it.post('links')).text
    assert.match(csv, /^"olga@example\.com","Olga Owner","http:\/\/[^"]+"$/m)
    assert.doesNotMatch(csv, /gast@|gone@/)
    const again = (await it.post('links')).text
    const urls = [csv, again].map((text) => /"(http[^"]+)"/.exec(text)?.[1] ?? '')
    const statuses = await Promise.all(urls.map(async (url) => (await fetch(url)).status))
    assert.notEqual(statuses[0], 200, 'links that were made anew end the earlier ones')
    assert.equal(statuses[1], 200)
    const entered = await it.post('enter')
    assert.equal(entered.status, 303)
    const cookie = entered.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const mine = await fetch(`${it.server.url}/json/users/me`, { headers: { cookie } })
    const rows = it.server.context.store.db.$client.prepare('SELECT name FROM realm').all()
    assert.deepEqual(rows, [{ name: 'Our team' }])
    const { email, is_owner } = (await mine.json()) as { email: string; is_owner: boolean }
    assert.deepEqual([email, is_owner], ['gast@example.com', true])
    assert.equal((await it.post('enter')).status, 403)
    assert.equal((await it.page()).status, 303, 'to the log-in page')
  })

  test('the owner logs in with the password that they chose', async () => {
    const body = new URLSearchParams({ username: 'gast@example.com', password: 'correct horse' })
    const reply = await fetch(`${it.server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
    assert.equal(reply.status, 200)
  })
})

describe('what goes wrong leaves the set-up page as it was', () => {
  async function withFile(name: string, bytes: Uint8Array<ArrayBuffer>) {
    const made = await fresh()
    await made.begin(name, bytes.length)
    await made.part(0, bytes)
    return made
  }

  test('a folder of several servers: they are named, and the field for one is in sight', async () => {
    const files = ['Red', 'Blue'].map((name, i) => [
      `${name}.json`,
      JSON.stringify({ guild: { id: `${i}1`, name }, channel: { id: `${i}2` }, messages: [] }),
    ])
    const path = await writeZip(join(root, 'servers.zip'), Object.fromEntries(files))
    const it = await withFile('servers.zip', bytesOf(readFileSync(path)))
    const ending = async (fields: Record<string, string>) => {
      await it.post('look', fields)
      for (;;) if ((await it.state())[1] !== 'looking') break
      return (await it.page()).text
    }
    const asked = await ending({})
    assert.match(asked, /role="alert">The export has several servers\..* import: Blue, Red\./)
    assert.match(asked, /<details open>\s*<summary>More options/)
    assert.match(await ending({ team: 'blue' }), /From Discord: <strong>Blue<\/strong>/)
    await it.server.close()
  })

  test('a file that is no export: its reason names the file, not the folder', async () => {
    const it = await withFile('notes.txt', bytesOf(Buffer.from('hello')))
    await it.post('look')
    for (;;) if ((await it.state())[1] !== 'looking') break
    const { text } = await it.page()
    assert.match(text, /role="alert">This does not look like an export of/)
    assert.doesNotMatch(text, new RegExp(it.data))
    assert.match((await it.page(`/setup?token=${tokenOf(it.server)}`)).text, /Create the org/)
    await it.server.close()
  })

  test('a server that stops in the middle: the file is still there at the next start', async () => {
    const it = await withFile('export.zip', bytesOf(archive))
    await it.post('look')
    await it.server.close()
    const next = await fresh(it.data)
    assert.deepEqual(await next.offset(), [200, String(archive.length)])
    await next.post('look')
    await next.until('found')
    await next.post('start', { person: 'U1', password: 'correct horse' })
    await next.server.close()
    assert.deepEqual(
      names(it.data).filter((name) => name.startsWith('parley-import')),
      [],
    )
    const last = await createServer({ data: it.data, port: 0, config })
    assert.equal(existsSync(join(it.data, 'importing')), false)
    await last.close()
  })

  test('it can be stopped, and the file forgotten', async () => {
    const it = await withFile('export.zip', bytesOf(archive))
    await it.post('stop')
    assert.deepEqual(await it.offset(), [404, null])
    assert.deepEqual(names(it.data), ['files', 'parley.db'])
    await it.server.close()
  })

  test('someone who sets an organization up meanwhile keeps it', async () => {
    const it = await withFile('export.zip', bytesOf(archive))
    await it.post('look')
    await it.until('found')
    await it.post('start', { person: 'U1', password: 'correct horse' })
    const body = new URLSearchParams({
      token: tokenOf(it.server),
      organization: 'Ours',
      full_name: 'Ann',
      email: 'ann@example.com',
      password: 'correct horse',
    })
    const set = await fetch(`${it.server.url}/setup`, { method: 'POST', body, redirect: 'manual' })
    if (set.status === 303) {
      while (names(it.data).includes('importing'))
        await new Promise((resolve) => setTimeout(resolve, 20))
      const rows = it.server.context.store.db.$client.prepare('SELECT name FROM realm').all()
      assert.deepEqual(rows, [{ name: 'Ours' }])
    }
    await it.server.close()
  })
})

describe('who may', () => {
  let it: Awaited<ReturnType<typeof fresh>>
  before(async () => {
    it = await fresh()
  })
  after(() => it.server.close())

  test('a wrong token opens nothing and uploads nothing', async () => {
    const wrong = browserOf(it.server, 'f'.repeat(64))
    assert.equal((await wrong.page()).status, 403)
    assert.equal((await wrong.begin('x.zip', 10)).status, 403)
    assert.deepEqual(await wrong.offset(), [403, null])
    assert.deepEqual(await wrong.state(), [403, ''])
    for (const path of ['look', 'start', 'stop', 'enter', 'links'])
      assert.equal((await wrong.post(path)).status, 403)
  })

  test('a file that the disk has no room for is refused before it comes', async () => {
    const reply = await it.begin('x.zip', 10 ** 15 - 1)
    assert.deepEqual(
      [reply.status, await reply.json()],
      [
        400,
        {
          result: 'error',
          msg: 'The server’s disk has no room for this file.',
          code: 'BAD_REQUEST',
        },
      ],
    )
    assert.equal((await it.begin('x.zip', 0)).status, 400)
  })

  test('a part beyond the announced length is refused', async () => {
    await it.begin('../../x/.zip', 4)
    assert.equal((await it.part(0, bytesOf(Buffer.from('12345')))).status, 413)
    assert.deepEqual(readdirSync(join(it.data, 'bringing', 'file')), ['_.._x_.zip'])
  })

  test('without a token, the page of an owner is behind the log-in', async () => {
    assert.equal((await it.page('/setup/import')).status, 403)
  })
})

describe('an owner of an organization in which nobody has written', () => {
  const account = { full_name: 'Olga New', email: 'olga@new.example', password: 'correct horse' }

  /** An organization that has just been set up, and its owner's browser. */
  async function setUp() {
    const { data, server } = await fresh()
    const browser = openBrowser(server.url)
    const token = tokenOf(server)
    await browser.go('/setup', { token, organization: 'Empty', ...account })
    return { data, server, browser }
  }

  async function admitted(browser: ReturnType<typeof openBrowser>) {
    const reply = await browser.fill(
      '/setup/import',
      { wanted: 'import', password: account.password },
      '/setup/import/confirm',
    )
    return new URL(reply.headers.get('location') ?? '', 'http://x').searchParams.get('token') ?? ''
  }

  test('shows the password, imports in its place, and logs in as before', async () => {
    const { browser, server } = await setUp()
    const wrong = await browser.fill(
      '/setup/import',
      { wanted: 'import', password: 'wrong' },
      '/setup/import/confirm',
    )
    assert.deepEqual([wrong.status, /Wrong password/.test(wrong.text)], [400, true])
    const token = await admitted(browser)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const upload = (method: string, more: Record<string, string>, body?: Uint8Array<ArrayBuffer>) =>
      fetch(`${server.url}/setup/import/upload`, {
        method,
        headers: { cookie, 'Setup-Token': token, 'Tus-Resumable': '1.0.0', ...more },
        ...(body && { body }),
      })
    const foreign = await fetch(`${server.url}/setup/import/upload`, {
      method: 'HEAD',
      headers: { 'Setup-Token': token, 'Tus-Resumable': '1.0.0' },
    })
    assert.equal(foreign.status, 403, 'the key is no good without the session')
    const bytes = bytesOf(archive)
    const filename = Buffer.from('export.zip').toString('base64')
    await upload('POST', {
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${filename}`,
    })
    const part = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    assert.equal((await upload('PATCH', part, bytes)).status, 204)
    await browser.go('/setup/import/look', { token })
    const seen = async (heading: RegExp) => {
      for (;;) {
        const { text } = await browser.go(`/setup/import?token=${token}`)
        if (heading.test(text)) return text
        if (/role="alert">/.test(text)) assert.fail(text)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const found = await seen(/What will be imported<\/h1>/)
    assert.match(found, /You keep logging in as olga@new\.example/)
    assert.doesNotMatch(found, /type="password"/)
    await browser.go('/setup/import/start', { token, organization: 'Ours', person: 'U1' })
    await seen(/Your team is here<\/h1>/)
    assert.equal((await browser.go('/setup/import/enter', { token })).status, 303)
    const body = new URLSearchParams({ username: account.email, password: account.password })
    const key = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
    assert.equal(key.status, 200)
    const later = await browser.go('/setup/import')
    assert.match(later.text, /Someone has posted here/)
    const links = await browser.fill(
      '/setup/import',
      { wanted: 'links', password: account.password },
      '/setup/import/confirm',
    )
    assert.match(links.text, /^"ben@example\.com","Ben Admin","http/m)
    await server.close()
  })

  test('may no longer once someone has written, also with the page open', async () => {
    const { browser, server } = await setUp()
    const token = await admitted(browser)
    assert.match((await browser.go(`/setup/import?token=${token}`)).text, /Export file/)
    const key = new URLSearchParams({ username: account.email, password: account.password })
    const login = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body: key })
    const { api_key } = (await login.json()) as { api_key: string }
    const said = await fetch(`${server.url}/api/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${account.email}:${api_key}`).toString('base64')}`,
      },
      body: new URLSearchParams({ type: 'stream', to: 'general', topic: 'x', content: 'hello' }),
    })
    assert.equal(said.status, 200)
    assert.match((await browser.go(`/setup/import?token=${token}`)).text, /Someone has posted here/)
    assert.equal((await browser.go('/setup/import/look', { token })).status, 403)
    await server.close()
  })

  test('a member learns only that it is for owners', async () => {
    const { browser, server } = await setUp()
    const { db } = server.context.store
    db.$client.prepare("UPDATE users SET role = 400 WHERE email = 'olga@new.example'").run()
    await server.close()
    const again = await createServer({ data: server.context.data?.path ?? '', port: 0, config })
    const member = openBrowser(again.url)
    for (const [name, value] of browser.cookies) member.cookies.set(name, value)
    assert.match((await member.go('/setup/import')).text, /Only owners/)
    await again.close()
  })
})
