import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { SourceOptions } from '#features/organization/imports/source.ts'
import { createServer, type Server } from '#program/server.ts'
import { type FormBrowser, openBrowser } from '#test/support/browser.ts'
import { createRandom, isWhole, seed } from '#test/support/drawing.ts'
import { type Files, writeTarGz, writeZip } from '#test/support/exports/archives.ts'
import { documentsOf, examples, isForPeople } from '#test/support/exports/examples.ts'
import { slackExport } from '#test/support/exports/slack.ts'
import { filesWith, variationsOf } from '#test/support/exports/variations.ts'

// What a founder uploads in a browser is previewed and comes in, or is refused in words, whatever is in it.

/** How many variations of each source are tried each time, and with `--all`. */
const each = isWhole ? 10 : 1

const root = mkdtempSync(join(tmpdir(), 'parley-variations-'))
after(() => rmSync(root, { recursive: true, force: true }))

let count = 0
const account = {
  full_name: 'Fia Founder',
  email: 'fia@owner.example.org',
  password: 'correct horse',
}

interface Upload {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly options: SourceOptions
}

async function uploadOf(
  files: Files,
  isZip: boolean,
  options: SourceOptions = {},
): Promise<Upload> {
  const name = isZip ? 'export.zip' : 'export.tar.gz'
  const path = await (isZip ? writeZip : writeTarGz)(join(root, name), files)
  return { name, bytes: new Uint8Array(readFileSync(path)), options }
}

async function startServer(): Promise<{ server: Server; browser: FormBrowser; token: string }> {
  const config = { logLevel: 'silent', rateLimits: false } as const
  const server = await createServer({ data: join(root, `data-${count++}`), port: 0, config })
  const token = new URL(server.setupUrl ?? '').searchParams.get('token') ?? ''
  return { server, browser: openBrowser(server.url), token }
}

/** What the page says went wrong. */
const problemIn = (page: string) => /(?<!<noscript>)<p role="alert">([^<]*)/.exec(page)?.[1]

/** @returns the key of the page on which an owner imports; undefined: it tells why they cannot */
async function admit(browser: FormBrowser): Promise<string | undefined> {
  const { text } = await browser.go('/setup/import')
  if (/so it is only possible before anyone has posted\. Someone has posted here\./.test(text)) {
    return undefined
  }
  const typed = { wanted: 'import', password: account.password }
  const reply = await browser.fill('/setup/import', typed, '/setup/import/confirm')
  const token = new URL(reply.headers.get('location') ?? '', 'http://x').searchParams.get('token')
  assert.ok(token, text)
  return token
}

/** Uploads an export, previews it, chooses an owner at random, and imports it. @returns how it ended */
async function bring(
  { browser, server, token }: Awaited<ReturnType<typeof startServer>>,
  { bytes, name, options }: Upload,
  random: () => number,
): Promise<'done' | 'refused'> {
  const page = async () => (await browser.go(`/setup/import?token=${token}`)).text
  const headers = () => ({
    cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    'Setup-Token': token,
    'Tus-Resumable': '1.0.0',
  })
  const send = async (method: string, more: Record<string, string>, body?: typeof bytes) => {
    const url = `${server.url}/setup/import/upload`
    const sent = { method, headers: { ...headers(), ...more }, ...(body && { body }) }
    return (await fetch(url, sent)).status
  }
  async function settled(): Promise<string> {
    for (;;) {
      const reply = await fetch(`${server.url}/setup/import/state`, { headers: headers() })
      const { step } = (await reply.json()) as { step: string }
      if (step !== 'looking' && step !== 'importing') return step
      await wait(20)
    }
  }
  async function refused(): Promise<'refused'> {
    const text = await page()
    const problem = problemIn(text)
    assert.ok(problem !== undefined && isForPeople(problem), problem ?? text)
    assert.doesNotMatch(problem, /Something went wrong/)
    return 'refused'
  }
  const metadata = `filename ${Buffer.from(name).toString('base64')}`
  const announced = { 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata }
  assert.equal(await send('POST', announced), 201)
  const part = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  assert.equal(await send('PATCH', part, bytes), 204)
  const looking = { token, ...(options.team !== undefined && { team: options.team }) }
  assert.equal((await browser.go('/setup/import/look', looking)).status, 303)
  if ((await settled()) !== 'found') return await refused()
  const found = await page()
  assert.match(found, /What will be imported<\/h1>/)
  const keys = [...found.matchAll(/<option value="([^"&]*)"/g)].map(([, key]) => key ?? '')
  const person = keys[Math.floor(random() * keys.length)] ?? ''
  const claim = { token, organization: 'Our team', ...account }
  const chosen = await browser.go('/setup/import/start', { ...claim, person })
  if (chosen.status !== 303) {
    assert.ok(isForPeople(problemIn(chosen.text) ?? ''), chosen.text)
    const other = await browser.go('/setup/import/start', { ...claim, person: '' })
    assert.equal(other.status, 303, problemIn(other.text))
  }
  return (await settled()) === 'done' ? 'done' : await refused()
}

/** Imports an export, and what came in once more over itself, as far as that is possible. */
async function bringTwice(upload: Upload, isSetUp: boolean, random: () => number) {
  const it = await startServer()
  const { browser, server } = it
  const answers = async (hasOwner: boolean) => {
    const { status } = await fetch(`${server.url}/api/v1/server_settings`)
    assert.equal(status, hasOwner ? 200 : 400)
  }
  try {
    if (isSetUp) await browser.go('/setup', { token: it.token, organization: 'New', ...account })
    const token = isSetUp ? await admit(browser) : it.token
    assert.ok(token)
    const first = await bring({ ...it, token }, upload, random)
    await answers(isSetUp || first === 'done')
    if (first === 'refused') return [first]
    assert.equal((await browser.go('/setup/import/enter', { token })).status, 303)
    const again = await admit(browser)
    if (again === undefined) return [first, 'has messages']
    const second = await bring({ ...it, token: again }, upload, random)
    await answers(true)
    return [first, second]
  } finally {
    await server.close()
  }
}

for (const [source, example] of Object.entries(examples)) {
  describe(`an export of ${source} in a browser`, async () => {
    const documents = await documentsOf(example)
    const original = filesWith(example.files(), documents)
    const all = [...variationsOf(documents)]
    const random = createRandom(seed + 1)
    const drawn = new Set(
      Array.from({ length: each }, () => all[Math.floor(random() * all.length)]),
    )
    for (const one of drawn) {
      if (!one) continue
      const [isZip, isSetUp] = [random() < 0.5, random() < 0.5]
      const over = isSetUp ? ' over a new organization' : ''
      test(`with ${one.name} comes in or is refused in words${over}`, async () => {
        const { files } = one.make(original, documents)
        await bringTwice(await uploadOf(files, isZip, example.options), isSetUp, random)
      })
    }
  })
}

describe('an export a second time', () => {
  const all = slackExport('http://127.0.0.1:9')
  const lists = Object.entries(all).filter(([path]) => !path.includes('/'))

  test('is not imported over its own messages, and its owner is told why', async () => {
    const ends = await bringTwice(await uploadOf(all, true), false, () => 0)
    assert.deepEqual(ends, ['done', 'has messages'])
  })

  test('comes in over itself if it has no messages', async () => {
    const ends = await bringTwice(
      await uploadOf(Object.fromEntries(lists), true),
      true,
      () => 0.999,
    )
    assert.deepEqual(ends, ['done', 'done'])
  })
})
