import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { featureLevel, parleyVersion } from '#platform/version.ts'
import { readableLine } from '#program/cli/log-lines.ts'
import { createBar } from '#program/cli/progress.ts'
import { systemdUnit } from '#program/cli/service.ts'
import { variables } from '#program/variables.ts'
import { programArguments } from '#test/support/programs.ts'
import { parley } from '#test/support/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(folder, { recursive: true }))
const root = new URL('../../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')

test('--version names what there is, and the changelog and package.json agree', async () => {
  const { code, out } = await parley(['--version'])
  assert.equal(code, 0)
  assert.ok(out.startsWith(`Parley ${parleyVersion}\nZulip feature level ${featureLevel}\n`))
  assert.match(out, /\nSQLite 3\.\d+\.\d+\nNode \d+\.\d+\.\d+ for /)
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const [, newest] = /## Changelog\n\n### (\d+\.\d+\.\d+)/.exec(readme) ?? []
  assert.deepEqual([version, newest], [parleyVersion, parleyVersion])
})

describe('parley config', () => {
  test('knows every setting that the program reads and the README documents', () => {
    const source = new URL('src/program/', root)
    const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'variables.ts')
      .map((file) => readFileSync(new URL(file, source), 'utf8'))
    const named = (text: string) => text.match(/PARLEY_[A-Z0-9_]+/g) ?? []
    const ofOptions = variables.filter(({ option }) => option !== undefined)
    const read = new Set([...texts.flatMap(named), ...ofOptions.map(({ name }) => name)])
    read.delete('PARLEY_CONFIG')
    const known = variables.map(({ name }) => name)
    assert.deepEqual([...read].sort(), [...known].sort())
    const documented = new Set(named(readme))
    assert.deepEqual(
      known.filter((name) => !documented.has(name)),
      [],
    )
  })

  test('shows where each value comes from: command line, environment, file or default', async () => {
    const file = join(folder, 'parley.env')
    writeFileSync(file, '# Ours\nPARLEY_PORT=1111\nPARLEY_HOST="::1"\nPARLEY_LIMITS=drafts=5\n')
    const env = { PARLEY_HOST: '0.0.0.0', PARLEY_DATA: '/srv' }
    const { code, out } = await parley(['config', '--config', file, '--data', '/mnt'], '', env)
    assert.equal(code, 0)
    // biome-ignore format: a table reads best in columns
    const rows = [
      ['PARLEY_DATA',   '/mnt',     'command line'],
      ['PARLEY_HOST',   '0.0.0.0',  'environment'],
      ['PARLEY_PORT',   '1111',     'file'],
      ['PARLEY_LIMITS', 'drafts=5', 'file'],
      ['PARLEY_URL',    'the address that the server listens on', 'default'],
    ]
    for (const [name, value, source] of rows) {
      assert.ok(out.includes(`${name} = ${value}  (${source})\n`), name)
    }
  })

  test('never shows a secret', async () => {
    const env = {
      PARLEY_SMTP_URL: 'smtps://us:s3cret@mail.example.com',
      PARLEY_PUSH_SERVICE: 's3cret',
      PARLEY_OWNER_PASSWORD: 's3cret',
      PARLEY_S3_SECRET: 's3cret',
    }
    const { out } = await parley(['config'], '', env)
    assert.equal(out.includes('s3cret'), false)
    assert.ok(out.includes('PARLEY_SMTP_URL = smtps://us:hidden@mail.example.com  (environment)'))
  })

  test('a file that is missing, or has a setting that is none, is wrong use', async () => {
    const missing = await parley(['serve', '--config', join(folder, 'none')])
    assert.equal(missing.code, 2)
    assert.match(missing.err, /The settings cannot be read: .*none/)
    const file = join(folder, 'wrong.env')
    writeFileSync(file, 'PARLEY_PROT=1\n')
    const wrong = await parley(['config'], '', { PARLEY_CONFIG: file })
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /there is no setting PARLEY_PROT/)
  })
})

test('parley service prints a unit that systemd accepts, and a Containerfile', async (t) => {
  const { out } = await parley(['service'], '', { PARLEY_PORT: '8080' })
  assert.match(
    out,
    /\nExecStart=\/\S+.* serve --data \/var\/lib\/parley\nEnvironment=PARLEY_PORT=8080\n/,
  )
  assert.match(
    (await parley(['service', 'containerfile'])).out,
    /\nFROM .*\nRUN .*\nCOPY .*\nENV PARLEY_DATA=/s,
  )
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return t.skip('no systemd here')
  const unit = join(folder, 'parley.service')
  const command = [process.execPath, join(folder, "ann's 100% $cript")]
  writeFileSync(unit, systemdUnit(command, 8080), { mode: 0o644 })
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
})

describe('a bar', () => {
  let now = 0
  let tick = () => {}
  let drawn: string[] = []
  const start = () => {
    now = 0
    drawn = []
    return createBar((text) => drawn.push(text), {
      now: () => now,
      every(_ms, fn) {
        tick = fn
        return () => {
          tick = () => {}
        }
      },
    })
  }

  test('is drawn for what takes longer than two seconds, and removed after it', () => {
    const bar = start()
    bar.draw('Copying', 1, 4)
    bar.clear()
    assert.deepEqual(drawn, [])
    now = 2100
    bar.draw('Copying', 2, 4)
    now = 2150
    bar.draw('Copying', 3, 4)
    now = 2300
    bar.draw('Checking', 0, 0)
    bar.clear()
    assert.deepEqual(drawn, [
      '\r\x1b[KCopying [############............] 50%',
      '\r\x1b[KChecking ...',
      '\r\x1b[K',
    ])
  })

  test('is drawn once for a step that lasts, though it tells nothing new', () => {
    const bar = start()
    bar.draw('Checking', 0, 0)
    for (now = 100; now <= 3000; now += 100) tick()
    bar.clear()
    assert.deepEqual(drawn, ['\r\x1b[KChecking ...', '\r\x1b[K'])
  })

  test('is drawn at once for a step during which nothing can be drawn', () => {
    const bar = start()
    bar.draw('Rewriting', 1, 3, true)
    bar.clear()
    assert.deepEqual(drawn, ['\r\x1b[KRewriting [########................] 33%', '\r\x1b[K'])
  })
})

test('lines of the log are text for people, and cannot write to the terminal', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at x (y.ts:1)' }
  const entry = {
    level: 50,
    time: 45_296_007,
    pid: 1,
    hostname: 'h',
    msg: 'a\x1b[2Jb',
    path: '/',
    err,
  }
  assert.equal(
    readableLine(`${JSON.stringify(entry)}\n`),
    '12:34:56.007 ERROR a\\u001b[2Jb path="/"\n    Error: no\n    at x (y.ts:1)\n',
  )
  assert.equal(readableLine('not JSON\n'), 'not JSON\n')
})

describe('signals', () => {
  async function start() {
    const args = [...programArguments('src/main.ts'), 'dev', '--port', '0']
    const env = { ...process.env, PARLEY_LOG_LEVEL: 'silent' }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [out] = (await once(child.stdout, 'data')) as [Buffer]
    return { child, url: String(/http:\S+/.exec(out.toString())) }
  }

  test('a terminal that closes stops the server as Ctrl-C does', async () => {
    const { child } = await start()
    child.kill('SIGHUP')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('a second one ends it at once, while the first waits for a request', async () => {
    const { child, url } = await start()
    const exit = once(child, 'exit')
    const upload = fetch(`${url}/api/v1/user_uploads`, {
      method: 'POST',
      body: new ReadableStream({ pull: () => new Promise(() => {}) }),
      duplex: 'half',
    } as RequestInit).catch(() => {})
    await fetch(`${url}/health`)
    child.kill('SIGINT')
    // Once it refuses connections, it is stopping.
    while (
      await fetch(`${url}/health`).then(
        () => true,
        () => false,
      )
    );
    child.kill('SIGINT')
    assert.deepEqual(await exit, [130, null])
    await upload
  })
})
