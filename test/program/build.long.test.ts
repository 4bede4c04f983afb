import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { transform } from 'esbuild'
import type { BackupPlan, Config } from '#platform/config.ts'
import type { FixtureOptions } from '#program/fixture/options.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import type { Listening } from '#program/listening/options.ts'
import { nodeProblem } from '#program/node-version.ts'
import type {
  BackupPlan as PublishedBackups,
  Config as PublishedConfig,
  FixtureOptions as PublishedFixture,
  Listening as PublishedListening,
  ServerOptions as PublishedOptions,
  createServer as published,
} from '#program/parley.d.cts'
import { createServer, type ServerOptions } from '#program/server.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { startProgram } from '#test/support/programs.ts'

const work = mkdtempSync(join(tmpdir(), 'parley-build-'))
const dist = join(work, 'dist')
const home = join(work, 'home')
/** Far from any installed package. */
const cwd = join(work, 'elsewhere')
const env = { HOME: home, XDG_CACHE_HOME: undefined, PARLEY_LOG_LEVEL: 'silent' }

/** What the build said. */
let said = ''

before(() => {
  for (const folder of [home, cwd]) mkdirSync(folder)
  said = execFileSync(process.execPath, ['build.mjs', '--draft', dist], { encoding: 'utf8' })
})
after(() => rmSync(work, { recursive: true }))

/** Starts `parley dev`. */
async function startDev(program: readonly string[], ...more: readonly string[]) {
  const { url, stop } = await startProgram([...program, 'dev', '--port', '0', ...more], {
    cwd,
    env,
  })
  return {
    stop,
    ask: async (path: string, init: RequestInit): Promise<string> =>
      await (await fetch(url + path, { method: 'POST', ...init })).text(),
  }
}

/** The program with another addon, as that of another version is: it has one byte more. */
function anotherVersion(file: string): string {
  const source = readFileSync(file, 'utf8')
  const [packed = ''] = /(?<=^\/\/better_sqlite3\.node )\S+/m.exec(source) ?? []
  const addon = Buffer.concat([brotliDecompressSync(Buffer.from(packed, 'base64')), Buffer.of(0)])
  const repacked = brotliCompressSync(addon, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  }).toString('base64')
  const [own = ''] = /(?<=sha256: ?")[0-9a-f]{64}/.exec(source) ?? []
  const other = join(work, 'other.cjs')
  const changed = source
    .replace(packed, () => repacked)
    .replace(own, createHash('sha256').update(addon).digest('hex'))
  writeFileSync(other, changed)
  return other
}

const programs: Record<string, readonly string[]> = {
  'parley.cjs': [process.execPath, join(dist, 'parley.cjs')],
  parley: [join(dist, 'parley')],
}

test('two builds in folders of another depth are equal byte for byte', (t) => {
  if (process.platform !== 'linux') return t.skip('it takes links to all packages: cp -l')
  if (lstatSync('node_modules').isSymbolicLink()) return t.skip('the packages are elsewhere')
  mkdirSync('dist', { recursive: true })
  const copy = mkdtempSync('dist/another-')
  try {
    const sources = ['.build', 'LICENSE', 'build.mjs', 'drizzle', 'package-lock.json']
    const others = ['package.json', 'src', 'tsconfig.json']
    execFileSync('cp', ['-R', ...sources, ...others, copy])
    const linked = spawnSync('cp', ['-RlP', 'node_modules', copy])
    if (linked.status !== 0) return t.skip('this file system has no links to files')
    execFileSync(process.execPath, ['build.mjs', '--draft', 'dist'], {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [one, two] = [dist, join(copy, 'dist')].map((folder) =>
      ['parley', 'parley.cjs', 'parley.d.cts'].map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
    )
    assert.deepEqual(one, two)
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/**
 * What a start may compile, in bytes, and how many modules it may evaluate. What few need is imported
 * dynamically, which makes a part of it; what every start needs is worth higher numbers.
 */
const most = { bytes: 2_480_000, modules: 1470 }

test('a start compiles and evaluates no more than it needs', () => {
  const [, bytes, modules] = /loads (\d+) bytes of script, (\d+) modules/.exec(said) ?? []
  for (const [what, found, ceiling] of [
    ['bytes', Number(bytes), most.bytes],
    ['modules', Number(modules), most.modules],
  ] as const) {
    assert.ok(found <= ceiling, `${found} ${what}: import what few need dynamically`)
    // A ceiling that is far away would hide what is added.
    assert.ok(found > 0.96 * ceiling, `only ${found} ${what}: lower the ceiling`)
  }
})

for (const [name, command] of Object.entries(programs)) {
  describe(name, () => {
    const cache = join(home, '.cache/parley')
    let server: Awaited<ReturnType<typeof startDev>>
    before(async () => {
      await (await startDev(command)).stop()
      const [file = '', ...others] = readdirSync(cache)
      assert.deepEqual(others, [])
      writeFileSync(join(cache, file), 'damaged')
      server = await startDev(command)
    })
    after(() => server.stop())

    test('unpacks its addon once, and again when that was damaged', () => {
      const [file = '', ...others] = readdirSync(cache)
      assert.deepEqual(others, [])
      const sha256 = createHash('sha256')
        .update(readFileSync(join(cache, file)))
        .digest('hex')
      assert.equal(file, `${sha256}.node`)
    })

    test('decodes pictures in a thread of its own, and stops with it', async () => {
      const email = 'iago@zulip.com'
      const basic = Buffer.from(`${email}:${fixtureApiKey(email)}`).toString('base64')
      const body = new FormData()
      body.append('file', new File([new Uint8Array(pngPicture())], 'me.png'))
      const headers = { authorization: `Basic ${basic}` }
      const reply = await server.ask('/api/v1/users/me/avatar', { headers, body })
      assert.equal(JSON.parse(reply).result, 'success')
    })

    test('loads what only some messages need', async () => {
      const content = '```python\nif a: pass\n```\n$$x^2$$ :octopus: example.com'
      const email = 'iago@zulip.com'
      const reply = await server.ask('/api/v1/messages/render', {
        headers: { authorization: `Basic ${btoa(`${email}:${fixtureApiKey(email)}`)}` },
        body: new URLSearchParams({ content }),
      })
      const { rendered } = JSON.parse(reply)
      assert.match(rendered, /<span class="k">if<\/span>/, 'highlighting')
      assert.match(rendered, /class="katex"/, 'formulas')
      assert.match(rendered, /emoji-1f419/, 'emoji names')
      assert.match(rendered, /href="http:\/\/example\.com"/, 'top-level domains')
    })

    test('speaks to assistants, which is a part that has much in common with the program', async () => {
      const email = 'iago@zulip.com'
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }
      const reply = await server.ask('/mcp', {
        headers: {
          authorization: `Basic ${btoa(`${email}:${fixtureApiKey(email)}`)}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      })
      assert.match(reply, /"serverInfo"/)
    })

    test('says what to do instead of what it does not know, and exits with 2', async () => {
      const [program = '', ...args] = command
      const child = spawn(program, [...args, 'fly'], { cwd, env })
      let said = ''
      for await (const part of child.stderr.setEncoding('utf8')) said += part
      assert.match(said, /parley --help/)
      assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 2)
    })
  })
}

describe('an older Node', () => {
  const older = join(work, 'older.cjs')
  const sentence = String(nodeProblem('20.20.2'))
  const program = join(dist, 'parley.cjs')

  before(() => {
    writeFileSync(older, `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`)
  })

  test('is told in one sentence that it is too old, and nothing else', () => {
    const options = { cwd, env, encoding: 'utf8' } as const
    const args = ['--require', older, program, 'dev']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
    assert.deepEqual([status, stdout, stderr], [1, '', `${sentence}\n`])
  })

  test('gets an error with this sentence where it embeds the server', () => {
    const script = join(cwd, 'embed-older.cjs')
    writeFileSync(
      script,
      `require(${JSON.stringify(older)})
try { require(${JSON.stringify(program)}) } catch (error) { console.log(error.message) }`,
    )
    const printed = execFileSync(process.execPath, [script], { cwd, env, encoding: 'utf8' })
    assert.equal(printed, `${sentence}\n`)
  })

  test('reads the sentence on a screen where nobody catches the error', () => {
    const args = ['--require', older, '--eval', `require(${JSON.stringify(program)})`]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.ok(stderr.includes(`Error: ${sentence}`))
    assert.ok(stderr.length < 2000, `${stderr.length} characters`)
  })
})

test('the executable replaces itself by a newer one, after a backup', () => {
  const [own, newer, data] = [join(work, 'own'), join(work, 'newer'), join(work, 'upgraded')]
  mkdirSync(own)
  // A second name of the file, which the upgrade then gives to another one.
  linkSync(join(dist, 'parley'), join(own, 'parley'))
  writeFileSync(newer, '#!/bin/sh\necho Parley 9.9.9\n', { mode: 0o755 })
  const sum = createHash('sha256').update(readFileSync(newer)).digest('hex')
  const options = { cwd, env, encoding: 'utf8', input: 'a long password' } as const
  const parley = (...args: string[]) => execFileSync(join(own, 'parley'), args, options)
  parley(...'init --org Org --email ada@example.com --full-name Ada --data'.split(' '), data)
  const printed = parley('upgrade', newer, '--sum', sum, '--data', data)
  assert.match(printed, /^Backed up a database[\s\S]*is now version 9\.9\.9\. A running server/)
  assert.equal(readdirSync(join(data, 'before-upgrade')).length, 1)
  // The newer one reads no password.
  assert.equal(execFileSync(join(own, 'parley'), { encoding: 'utf8' }), 'Parley 9.9.9\n')
})

test('Node reads the source fast, and V8 keeps it once, at one byte a character', () => {
  const whole = readFileSync(join(dist, 'parley.cjs'), 'utf8')
  assert.doesNotMatch(whole, /[\u0100-\uffff]/, 'beyond Latin-1')
  const [read = '', kept = ''] = whole.split('function parleyKeptLines() {\n')
  assert.doesNotMatch(read, /[\u0080-\uffff]/, 'beyond ASCII before the licences')
  assert.doesNotMatch(read, /["'`][\w+/=]{5000}/, 'bytes in a literal')
  assert.ok(kept.length > read.length)
})

test('two versions at once each use an addon of their own', async () => {
  const cache = join(home, '.cache/parley')
  const data = join(work, 'older')
  const older = [process.execPath, join(dist, 'parley.cjs')]
  const server = await startDev(older, '--data', data)
  const [own = '', ...more] = readdirSync(cache)
  assert.deepEqual(more, [])
  const before = statSync(join(cache, own))
  const newer = [process.execPath, anotherVersion(join(dist, 'parley.cjs'))]
  const other = await startDev(newer)
  const [file, ...others] = readdirSync(cache).filter((name) => name !== own)
  assert.match(String(file), /^[0-9a-f]{64}\.node$/)
  assert.deepEqual(others, [])
  const { ino, mtimeMs } = statSync(join(cache, own))
  assert.deepEqual([ino, mtimeMs], [before.ino, before.mtimeMs])
  await other.stop()
  // The older one loads its addon once more, in the thread that checks the copy.
  const [program = '', ...args] = older
  const backup = [...args, 'backup', join(work, 'backup'), '--data', data]
  const printed = execFileSync(program, backup, { cwd, env, encoding: 'utf8' })
  assert.match(printed, /^Backed up a database/)
  await server.stop()
  rmSync(join(cache, String(file)))
})

/** Fails to compile unless both types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
/** What an embedding program cannot set: the program decides it. */
type Inner = 'fixture' | 'localOnly' | 'behindSocket'

describe('embedding', () => {
  const options = { data: ':memory:', port: 0, fixture: true, config: { logLevel: 'silent' } }

  test('the published types have every option, of the same type', () => {
    const config: Same<Required<PublishedConfig>, Omit<Config, Inner>> = true
    const backups: Same<PublishedBackups, BackupPlan> = true
    const listening: Same<PublishedListening, Listening> = true
    const fixture: Same<keyof PublishedFixture, keyof FixtureOptions> = true
    const options: Same<
      keyof PublishedOptions,
      Exclude<keyof ServerOptions, 'clock' | 'log' | 'task' | 'connectionLimits'>
    > = true
    assert.ok(config && backups && listening && fixture && options)
  })

  test('loads neither an HTTP client nor HTTP/2 for its first replies', () => {
    const script = join(cwd, 'embed.cjs')
    writeFileSync(
      script,
      `const { get } = require('node:http')
const { createServer } = require(${JSON.stringify(join(dist, 'parley.cjs'))})
const ask = (url) => new Promise((resolve) => get(url, (reply) => reply.resume().on('end', () => resolve(reply.statusCode))))
createServer(${JSON.stringify(options)}).then(async (server) => {
  const said = []
  for (const path of ['/health', '/api/v1/server_settings', '/api/v1/users', '/', '/login/', '/emails/', '/help/', '/nothing'])
    said.push(await ask(server.url + path))
  await server.close()
  const heavy = /deps\\/undici|internal\\/http2|internal\\/webstreams/
  console.log(JSON.stringify([said, process.moduleLoadList.filter((name) => heavy.test(name))]))
})`,
    )
    const printed = execFileSync(process.execPath, [script], { cwd, env, encoding: 'utf8' })
    assert.deepEqual(JSON.parse(printed), [[200, 200, 401, 303, 200, 200, 200, 404], []])
  })

  test('says so where it was bundled into another file', async () => {
    const bundled = join(cwd, 'bundled.cjs')
    const { code } = await transform(readFileSync(join(dist, 'parley.cjs'), 'utf8'))
    writeFileSync(bundled, code)
    const script = `require(${JSON.stringify(bundled)}).createServer(${JSON.stringify(options)})
      .catch(({ message }) => console.log(message))`
    assert.equal(
      execFileSync(process.execPath, ['-e', script], { cwd, env, encoding: 'utf8' }),
      'Comments of parley.cjs are gone that the program reads: leave the file out of bundles.\n',
    )
  })

  test('the published types describe it', async () => {
    const create: typeof published = createServer
    const server = await create(options)
    assert.equal((await fetch(`${server.url}/health`)).status, 200)
    assert.equal(server.setupUrl, undefined)
    await server.close()
  })
})
