import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { probe } from '#platform/pictures/probe.ts'
import { colors } from '#shared/tokens.ts'
import { openBrowser } from '#test/support/browser.ts'
import { plainFetch } from '#test/support/conformance.ts'
import { pixelOf } from '#test/support/pictures.ts'
import { startServer } from '#test/support/server.ts'

interface Icon {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly purpose: string
}

const server = await startServer()
after(server.close)

/** A browser that entered as someone of the development organization. */
async function loggedIn(userId: number = server.ids.member) {
  const browser = openBrowser(server.url)
  const entered = await browser.fill('/login/', {})
  assert.equal(entered.status, 400, 'the form without an address')
  const form = browser.cookies.get('parley_form') ?? ''
  const moved = await browser.go('/devlogin', { form, user_id: String(userId) })
  assert.deepEqual([moved.status, moved.headers.get('location')], [303, '/'])
  return browser
}

const browser = await loggedIn()
const page = await browser.go('/')
const scriptsOf = (text: string) =>
  [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
const scripts = scriptsOf(page.text)
const hashOf = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const types = [
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.woff2', 'font/woff2'],
] as const
const files = [...page.text.matchAll(/\/static\/client\/[\w.-]+/g)].map(([path]) => path)

async function ask(path: string, encoding: string) {
  const response = await plainFetch(server.url + path, {
    headers: { 'accept-encoding': encoding },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, text: String(bytes), bytes }
}

describe('the page of the client', () => {
  test('loads from this server alone, and makes HTML of text in one place', () => {
    const policy = new Map(
      (page.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ')
        return [name, values.join(' ')]
      }),
    )
    assert.deepEqual(Object.fromEntries(policy), {
      'default-src': "'none'",
      'script-src': ["'self'", ...scripts.map(hashOf)].join(' '),
      'style-src': "'self'",
      'img-src': "'self' blob:",
      'media-src': "'self'",
      'font-src': "'self'",
      'connect-src': "'self'",
      'worker-src': "'self'",
      'manifest-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'parley',
    })
  })

  test('holds three scripts, which are the same for all people, and no style', async () => {
    assert.match(page.text, /<link rel="modulepreload" href="[^"]+" id="first-calls">/)
    assert.match(page.text, /<link rel="modulepreload" href="[^"]+" id="program">/)
    assert.equal(scripts.length, 3)
    const outside = page.text.replace(/<script>.*?<\/script>/gs, '')
    assert.equal(/<script|<style|\sstyle=|\son\w+=/.test(outside), false)
    const other = await (await loggedIn(server.ids.admin)).go('/')
    assert.deepEqual(scriptsOf(other.text), scripts)
  })

  test('is compressed', () => {
    assert.equal(page.headers.get('content-encoding'), 'gzip')
  })

  test('is never kept, names hashed files, and says something without JavaScript', () => {
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.ok(files.length >= 3)
    for (const file of files) assert.match(file, /-[A-Z0-9]{8}\.(js|css|woff2)$/)
    assert.match(page.text, /<noscript>.*<a href="\/connect">/s)
    assert.match(page.text, /<link rel="manifest" href="\/manifest\.webmanifest">/)
  })

  test('is drawn in the theme that its user chose, from the first moment', async () => {
    const themeOf = async () => {
      const { text } = await browser.go('/')
      return /<html lang="en" dir="ltr"(?: data-theme="(\w+)")? translate="no">/.exec(text)?.[1]
    }
    const themes = []
    for (const color_scheme of [1, 2, 3]) {
      await server.as('member').patch('/settings', { color_scheme })
      themes.push(await themeOf())
    }
    assert.deepEqual(themes, [undefined, 'dark', 'light'])
    await server.as('member').patch('/settings', { color_scheme: 1 })
  })

  test('gives browsers the colours of the side bars for what is theirs around it', async () => {
    const { light, dark } = colors['paper-side']
    const named = [...page.text.matchAll(/<meta name="theme-color"[^>]* content="([^"]+)">/g)]
    assert.deepEqual(
      named.map(([, colour]) => colour),
      [light, dark],
    )
    const manifest = JSON.parse((await ask('/manifest.webmanifest', 'identity')).text)
    assert.deepEqual([manifest.theme_color, manifest.background_color], [light, light])
  })

  test('is for those who are logged in, and for them alone', async () => {
    const stranger = await openBrowser(server.url).go('/')
    assert.deepEqual([stranger.status, stranger.headers.get('location')], [303, '/login/'])
    const zoe = await loggedIn(server.ids.zoe)
    assert.equal((await zoe.go('/')).status, 200)
    await server.as('owner').del(`/users/${server.ids.zoe}`)
    assert.equal((await zoe.go('/')).headers.get('location'), '/login/')
  })

  test('of a server that is not set up says so', async () => {
    const empty = await startServer({ fixture: false })
    try {
      assert.match((await openBrowser(empty.url).go('/')).text, /not set up yet/)
    } finally {
      await empty.close()
    }
  })
})

describe('the files of the client', () => {
  test('never change under their name, so browsers keep them', async () => {
    for (const file of files) {
      const { status, headers } = await ask(file, 'br')
      assert.equal(status, 200, file)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(headers.get('vary'), 'Accept-Encoding')
      const type = types.find(([extension]) => file.endsWith(extension))?.[1]
      assert.equal(headers.get('content-type'), type)
    }
  })

  test('are compressed as the browser takes it', async () => {
    const [file = ''] = files
    const plain = await ask(file, 'identity')
    assert.equal(plain.headers.get('content-encoding'), null)
    // biome-ignore format: a table reads best in columns
    const table: [string, string | null][] = [
      ['br',                'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate',     'gzip'],
      ['deflate',           null],
      ['br;q=0, gzip',      'gzip'],
    ]
    for (const [accepted, encoding] of table) {
      const { headers, text } = await ask(file, accepted)
      assert.equal(headers.get('content-encoding'), encoding, accepted)
      assert.equal(text, plain.text)
    }
    const raw = await server.server.fetch(
      new Request(server.url + file, { headers: { 'accept-encoding': 'br' } }),
    )
    const bytes = Buffer.from(await raw.arrayBuffer())
    assert.equal(brotliDecompressSync(bytes).toString(), plain.text)
    const zipped = await server.server.fetch(
      new Request(server.url + file, { headers: { 'accept-encoding': 'gzip' } }),
    )
    assert.equal(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString(), plain.text)
  })

  test('of another version are not there', async () => {
    const { status, headers } = await ask('/static/client/main-00000000.js', 'br')
    assert.deepEqual([status, headers.get('cache-control')], [404, 'no-store'])
  })
})

describe('what lets browsers install it', () => {
  test('is a manifest with the name of the organization and icons', async () => {
    const { headers, text } = await ask('/manifest.webmanifest', 'identity')
    assert.equal(headers.get('content-type'), 'application/manifest+json')
    const manifest = JSON.parse(text)
    assert.deepEqual(
      [manifest.name, manifest.start_url, manifest.scope, manifest.display],
      ['Zulip Dev', '/', '/', 'standalone'],
    )
    assert.deepEqual(
      manifest.icons.map(({ sizes, purpose }: Icon) => `${sizes} ${purpose}`),
      ['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'],
    )
    assert.deepEqual(
      manifest.shortcuts.map(({ url }: { url: string }) => url),
      ['/#inbox', '/#narrow/is/dm', '/#narrow/is/mentioned', '/#narrow/is/starred'],
    )
    assert.deepEqual(
      manifest.screenshots.map((shot: Icon & { form_factor: string }) => [
        shot.form_factor,
        shot.sizes,
      ]),
      [
        ['narrow', '585x1266'],
        ['wide', '1280x800'],
      ],
    )
    for (const { src, type } of manifest.screenshots as Icon[]) {
      const { headers, bytes } = await ask(src, 'identity')
      assert.equal(headers.get('content-type'), type)
      assert.equal(String(bytes.subarray(8, 12)), 'WEBP')
      assert.ok(bytes.length < 80 * 1024, `${src}: ${bytes.length} bytes`)
    }
    for (const { src, type, sizes } of manifest.icons as Icon[]) {
      const icon = await plainFetch(server.url + src)
      assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, type])
      const { width, height } = probe(new Uint8Array(await icon.arrayBuffer()))
      assert.equal(`${width}x${height}`, sizes)
    }
  })

  test('is an icon that a mask may cut, and one that has round corners of its own', async () => {
    const corner = async (name: string) => {
      const reply = await plainFetch(`${server.url}/static/client-icon/${name}.png`)
      return pixelOf(new Uint8Array(await reply.arrayBuffer()), 0, 0)[3]
    }
    assert.deepEqual(
      [await corner('192'), await corner('maskable-192'), await corner('touch')],
      [0, 255, 255],
    )
  })

  test('is a worker for the whole site, asked for anew each time', async () => {
    const { status, headers, text } = await ask('/sw.js', 'identity')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.match(headers.get('content-type') ?? '', /^text\/javascript/)
    assert.equal(/\b(import|export)\b/.test(text), false, 'browsers take it for a classic script')
  })
})

describe('the page for people without an account', () => {
  const visit = async (path: string, by = openBrowser(server.url)) => {
    const { status, headers, text } = await by.go(path)
    return { status, to: headers.get('location'), policy: headers.get(policyName), text }
  }
  const policyName = 'content-security-policy'
  const allow = (isAllowed: boolean) =>
    server.as('owner').patch('/realm', { enable_spectator_access: isAllowed })

  test('is not there unless the organization allows it', async () => {
    const { status, to } = await visit('/public/')
    assert.deepEqual([status, to], [303, '/login/'])
  })

  test('is where the address of the server leads, with a script of its own', async () => {
    await allow(true)
    const stranger = await visit('/')
    assert.deepEqual([stranger.status, stranger.to], [303, '/public/'])
    const shown = await visit('/public/')
    await allow(false)
    assert.equal(shown.status, 200)
    assert.equal(shown.policy, page.headers.get(policyName))
    const scripts = [...shown.text.matchAll(/<script [^>]*src="([^"]+)">/g)].map(([, path]) => path)
    assert.match(scripts.join(), /^\/static\/client\/spectator-[A-Z0-9]{8}\.js$/)
  })

  test('leads those who have one to the client', async () => {
    await allow(true)
    const { status, to } = await visit('/public/', browser)
    await allow(false)
    assert.deepEqual([status, to], [303, '/'])
  })
})

test('the address of integrations leads to their page, in the settings', async () => {
  const page = '/#settings/integrations'
  for (const [path, to] of [
    ['', page],
    ['/', page],
    ['/github', `${page}/github`],
    ['/%2F%2Fevil.example', page],
  ]) {
    const { status, headers } = await browser.go(`/integrations${path}`)
    assert.deepEqual([status, headers.get('location')], [303, to], path)
  }
})

test('an open page can ask which client the server has now', async () => {
  const { text } = await ask('/static/client-version', 'identity')
  assert.match(page.text, new RegExp(`<meta name="client-version" content="${text}">`))
})
