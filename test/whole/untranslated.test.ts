import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { languages } from '#platform/translation/languages.ts'
import { createServer, type Server } from '#program/server.ts'
import { type FormBrowser, openBrowser } from '#test/support/browser.ts'
import { disguise, disguiseTexts, latinWords } from '#test/support/disguise.ts'
import { writeZip } from '#test/support/exports/archives.ts'
import { slackExport } from '#test/support/exports/slack.ts'
import { startServer } from '#test/support/server.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-untranslated-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** Makes it the language of an account. */
async function speakDisguise({ url }: Server, username: string, password: string) {
  const body = new URLSearchParams({ username, password })
  const keyed = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
  const { api_key } = (await keyed.json()) as { api_key: string }
  const answer = await fetch(`${url}/api/v1/settings`, {
    method: 'PATCH',
    headers: { authorization: `Basic ${Buffer.from(`${username}:${api_key}`).toString('base64')}` },
    body: new URLSearchParams({ default_language: disguise }),
  })
  assert.equal(answer.status, 200)
}

/** What pages show that is the same in every language. */
const names = [
  'Parley',
  'Slack',
  'Zulip',
  'Mattermost',
  'Discord',
  'Rocket.Chat',
  'Campfire',
  // The example of a line with an address.
  'Ann Example, ann@example.com',
  ...languages.map(({ name }) => name),
]

const inDisguise = { 'accept-language': disguise }
const config = { logLevel: 'silent', rateLimits: false } as const

describe('an import in a browser', () => {
  let server: Server
  let founder: FormBrowser
  let token: string
  let archive: Buffer
  const people = [
    'Olga Owner',
    'Ben Admin',
    'Gäst',
    'Mia Member',
    'olga@example.com',
    'ben@example.com',
  ]
  before(async () => {
    archive = readFileSync(await writeZip(join(root, 'export.zip'), slackExport()))
    const data = join(root, 'import')
    disguiseTexts(data)
    server = await createServer({ data, port: 0, config })
    founder = openBrowser(server.url, inDisguise)
    token = new URL(server.setupUrl ?? '').searchParams.get('token') ?? ''
  })
  after(() => server.close())

  async function upload(name: string, bytes: Uint8Array<ArrayBuffer>) {
    const headers = { 'Setup-Token': token, 'Tus-Resumable': '1.0.0', ...inDisguise }
    const place = `${server.url}/setup/import/upload`
    const begun = await fetch(place, {
      method: 'POST',
      headers: {
        ...headers,
        'Upload-Length': String(bytes.length),
        'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
      },
    })
    assert.equal(begun.status, 201)
    const part = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    await fetch(place, { method: 'PATCH', headers: { ...headers, ...part }, body: bytes })
  }

  const page = async () => (await founder.go(`/setup/import?token=${token}`)).text
  const act = async (name: string, fields: Readonly<Record<string, string>> = {}) =>
    (await founder.go(`/setup/import/${name}`, { token, ...fields })).text

  async function settled() {
    for (;;) {
      const text = await page()
      if (!text.includes('data-watch=')) return text
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  test('shows only texts of the catalogues, whatever happens', async () => {
    const seen: [where: string, page: string][] = []
    const see = (where: string, text: string) => void seen.push([where, text])
    see('set-up', (await founder.go(`/setup?token=${token}`)).text)
    see('choosing', await page())
    await upload('notes.txt', new Uint8Array(Buffer.from('hello')))
    await act('look')
    see('no export', await settled())
    await upload('export.zip', new Uint8Array(archive))
    see('uploaded', await page())
    await act('look')
    see('looking', await page())
    see('found', await settled())
    see('refused', await act('start', { person: 'U9', organization: 'Ours' }))
    see('no password', await act('start', { person: 'U1', organization: 'Ours' }))
    const password = 'correct horse'
    await act('start', { person: 'U1', organization: 'Ours', password })
    see('importing', await page())
    see('done', await settled())
    await act('enter')
    await speakDisguise(server, 'olga@example.com', password)
    see('an owner', (await founder.go('/setup/import')).text)
    const values = [...names, ...people, 'notes.txt', 'export.zip', 'Ours']
    const found = seen.map(([where, text]) => {
      // Examples are names of files and fields of the export.
      const own = text.replaceAll(/, жжжж жж [^<]*</g, '<')
      return [where, latinWords(own, values)]
    })
    assert.deepEqual(
      found,
      seen.map(([where]) => [where, []]),
    )
  })
})

describe('the frame of pages that are in English', () => {
  let server: Server
  let reader: FormBrowser
  before(async () => {
    const data = join(root, 'frames')
    disguiseTexts(data)
    server = await createServer({ data, port: 0, config })
    reader = openBrowser(server.url, inDisguise)
  })
  after(() => server.close())

  /** Elements in English stand for themselves, but for what is marked in them. */
  const withoutEnglish = (page: string) =>
    page.replaceAll(/<(ul|article|nav)[^>]* lang="en".*?<\/\1>/gs, '')

  for (const path of ['/help/', '/help/people/topics', '/help/?q=topic', '/help/?q=xyzzy']) {
    test(`is in the reader's language at ${path}`, async () => {
      const page = (await reader.go(path)).text
      assert.match(page, new RegExp(`<html lang="${disguise}" dir="rtl">`))
      const values = [...names, 'API', 'Topics', 'topic', 'xyzzy']
      assert.deepEqual(latinWords(withoutEnglish(page), values), [])
    })
  }

  test("is in the reader's language in the description of the API", async () => {
    const page = (await reader.go('/api/')).text
    const headings = [...page.matchAll(/<h4>(.*?)<\/h4>|<thead>(.*?)<\/thead>/g)].map(
      ([, heading, columns]) => heading ?? columns ?? '',
    )
    assert.ok(headings.length > 500)
    assert.deepEqual(latinWords(headings.join('\n')), [])
  })
})

test('the steps to set up a service are in the language of who reads them', async () => {
  const data = join(root, 'steps')
  disguiseTexts(data)
  const server = await startServer({ data })
  await server.as('member').patch('/settings', { default_language: disguise })
  const { integrations } = await server
    .as('member')
    .get<{ integrations: { name: string; rendered_steps: string[] }[] }>('/integrations')
  await server.close()
  const found = integrations.map(({ name, rendered_steps }) => [
    name,
    // Names in the service are bold.
    latinWords(rendered_steps.join('\n').replaceAll(/<strong>.*?<\/strong>/g, '')),
  ])
  assert.deepEqual(
    found.filter(([, words]) => words?.length !== 0),
    [],
  )
})
