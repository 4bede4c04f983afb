import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { defaultConfig } from '#platform/config.ts'
import { featureLevel, parleyVersion } from '#platform/version.ts'
import { readableLine } from '#program/cli/log-lines.ts'
import { createBar } from '#program/cli/progress.ts'
import { systemdUnit } from '#program/cli/service.ts'
import { readConfig } from '#program/config.ts'
import { variables } from '#program/variables.ts'
import { eventually } from '#test/support/eventually.ts'
import { commandOf, startProgram } from '#test/support/programs.ts'
import { parley } from '#test/support/shell.ts'
import { tableNames, tablesIn } from '../../../.build/help-tables.ts'
import { followers } from '../../../.build/settings-texts.ts'

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
  test('knows every setting that a text of the program names', () => {
    const source = new URL('src/', root)
    const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(new URL(file, source), 'utf8'))
    const named = new Set(texts.flatMap((text) => text.match(/\bPARLEY_[A-Z0-9_]+\b/g) ?? []))
    // The last is put in by the build.
    for (const other of ['PARLEY_CONFIG', 'PARLEY_RELEASE_KEY']) named.delete(other)
    const known = variables.map(({ name }) => name)
    assert.deepEqual([...named].sort(), [...known].sort())
  })

  test('the help and the types for embedding say what the declarations say', () => {
    for (const { file, follow } of followers) {
      const text = readFileSync(new URL(file, root), 'utf8')
      assert.equal(text, follow(text), 'run "npm run settings"')
    }
    const pages = followers.filter(({ file }) => file.endsWith('.md'))
    const shown = pages.flatMap(({ file }) => tablesIn(readFileSync(new URL(file, root), 'utf8')))
    assert.deepEqual([...new Set(shown)].sort(), [...tableNames].sort())
  })

  test('a variable without a value is as one that is not set', () => {
    const empty = Object.fromEntries(variables.map(({ name }) => [name, '']))
    const usual = { ...defaultConfig, logLevel: 'info' }
    assert.deepEqual(readConfig(empty), usual)
    assert.deepEqual(readConfig({}), usual)
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
    assert.match(wrong.err, /wrong\.env: Unknown setting PARLEY_PROT\. Is PARLEY_PORT meant\?/)
  })

  test('a variable that is no setting is warned of, with the one that is meant', async () => {
    const env = { PARLEY_PROT: '1', PARLEY_SERVICE_HOST: '10.0.0.1', PARLEY_CONFIG: '' }
    const { code, err } = await parley(['config'], '', env)
    assert.equal(code, 0)
    assert.equal(
      err,
      'Warning: Unknown setting PARLEY_PROT. Is PARLEY_PORT meant?\n' +
        'Warning: Unknown setting PARLEY_SERVICE_HOST. "parley config" lists them.\n',
    )
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

function isServing(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => true,
    () => false,
  )
}

describe('signals', () => {
  const dev = commandOf('src/main.ts', 'dev', '--port', '0')

  const noScript = spawnSync('script', ['--version']).error && 'there is no program "script"'

  test('a terminal that closes stops the server', { skip: noScript }, async () => {
    const command = dev.map((each) => `'${each}'`).join(' ')
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, PARLEY_LOG_LEVEL: 'silent' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let said = ''
    // What it prints may come in several pieces.
    while (!/http:[\w./:]+\s/.test(said)) said += (await once(terminal.stdout, 'data')) as [Buffer]
    const url = String(/http:[\w./:]+/.exec(said))
    assert.equal((await fetch(`${url}/health`)).status, 200)
    terminal.kill('SIGKILL')
    while (await isServing(url));
  })

  test('a terminal shows requests that succeed only to someone who asks, and no line begins in another', {
    skip: noScript,
  }, async () => {
    const command = dev.map((each) => `'${each}'`).join(' ')
    for (const level of [undefined, 'info']) {
      const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
        env: { ...process.env, PARLEY_LOG_LEVEL: level },
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      let said = ''
      terminal.stdout.on('data', (part: Buffer) => {
        said += part.toString()
      })
      await eventually(() => /http:[\w./:]+\s/.test(said), true)
      const url = String(/http:[\w./:]+/.exec(said))
      await fetch(`${url}/api/v1/server_settings`)
      await fetch(`${url}/api/v1/not-there`)
      await eventually(() => said.includes('/api/v1/not-there'), true)
      assert.equal(said.includes('/api/v1/server_settings'), level === 'info')
      assert.doesNotMatch(said, /slow commit/)
      const lines = said.split('\n').filter((line) => / info /.test(line))
      assert.ok(lines.length > 0)
      for (const line of lines) {
        assert.ok(line.startsWith('\r\x1b[K'), JSON.stringify(line))
        assert.match(line.slice(4), /^\d\d:\d\d:\d\d\.\d{3} info /)
      }
      terminal.kill('SIGKILL')
      while (await isServing(url));
    }
  })

  test('SIGHUP goes on in a new log file after the other was renamed, and SIGUSR1 and 2 do nothing', async () => {
    const file = join(folder, 'parley.log')
    const env = { PARLEY_LOG_FILE: file, PARLEY_LOG_LEVEL: 'info' }
    const { child, url, stop } = await startProgram(dev, { env })
    await fetch(`${url}/health?one`)
    renameSync(file, `${file}.1`)
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) child.kill(signal)
    while (!existsSync(file)) await fetch(`${url}/health`)
    await fetch(`${url}/api/`)
    // The debugger would listen where it does by default.
    await assert.rejects(fetch('http://127.0.0.1:9229/json/version'))
    await stop()
    assert.match(readFileSync(file, 'utf8'), /"path":"\/api\/"/)
    assert.doesNotMatch(readFileSync(`${file}.1`, 'utf8'), /"path":"\/api\/"/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  test('a log file that cannot be opened is wrong use', async () => {
    const { code, err } = await parley(['dev', '--port', '0'], '', { PARLEY_LOG_FILE: folder })
    assert.equal(code, 2)
    assert.match(err, /^The log cannot be written: /)
  })

  test('a second one ends it at once, while the first waits for a request', async () => {
    const { child, url } = await startProgram(dev)
    const exit = once(child, 'exit')
    const upload = fetch(`${url}/api/v1/user_uploads`, {
      method: 'POST',
      body: new ReadableStream({ pull: () => new Promise(() => {}) }),
      duplex: 'half',
    } as RequestInit).catch(() => {})
    await fetch(`${url}/health`)
    child.kill('SIGINT')
    // Once it refuses connections, it is stopping.
    while (await isServing(url));
    child.kill('SIGINT')
    assert.deepEqual(await exit, [130, null])
    await upload
  })
})
