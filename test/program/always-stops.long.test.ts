import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import { commandOf } from '#test/support/programs.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stops-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a server stops at once while its ACME server cannot be reached, and its log names the reason', async (t) => {
  const data = newFolder()
  const ports = [await freePort(), await freePort(), await freePort()].map(String)
  const directory = `https://127.0.0.1:${ports[2]}/directory`
  const log = join(data, 'log')
  const [command = '', ...args] = commandOf(
    'src/main.ts',
    ...[
      'serve',
      '--data',
      join(data, 'data'),
      '--domain',
      'chat.example.com',
      '--host',
      '127.0.0.1',
    ],
    ...['--port', ports[0] ?? '', '--http-port', ports[1] ?? ''],
    ...['--acme-directory', directory],
  )
  const child = spawn(command, args, {
    env: { ...process.env, PARLEY_LOG_FILE: log, PARLEY_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const said = () => readFileSync(log, 'utf8')
  while (!said().includes('no certificate could be obtained')) await sleep(50)
  const reason = `The ACME server ${directory} cannot be reached: connect ECONNREFUSED`
  assert.ok(said().includes(reason), said())
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a damaged database names the file and what to do, at a start and in a command', async () => {
  const data = newFolder()
  const server = await startServer({ data })
  for (let i = 0; i < 200; i++) await server.say('member', 'public', 'damage', 'x'.repeat(3000))
  await server.close()
  const file = join(data, 'parley.db')
  const whole = readFileSync(file)
  const pages = whole.length / 4096
  let found = 0
  for (let part = 0; part < 8 && found === 0; part++) {
    const handle = openSync(file, 'r+')
    writeSync(handle, whole)
    for (let i = 1; i < pages / 8; i++) {
      writeSync(
        handle,
        Buffer.alloc(4096, 0xee),
        0,
        4096,
        Math.floor((part * pages) / 8 + i) * 4096,
      )
    }
    closeSync(handle)
    for (const args of [
      ['serve', '--port', '0'],
      ['user', 'list'],
    ]) {
      const run = spawnSync(
        process.execPath,
        [...commandOf('src/main.ts', ...args, '--data', data).slice(1)],
        { encoding: 'utf8', timeout: 8000, killSignal: 'SIGKILL' },
      )
      if (run.status !== 1) continue
      found += 1
      assert.match(run.stderr, /parley\.db.* is( not a database, or is)? damaged: /)
      assert.match(run.stderr, /^For help, run: parley help data-folder-not-usable$/m)
    }
  }
  assert.ok(found > 0)
})

test('a data folder that is deleted or replaced under the server refuses writes from then on', async () => {
  for (const replace of [false, true]) {
    const data = newFolder()
    const server = await startServer({ data })
    const first = await server.say('member', 'public')
    const health = async () => {
      const reply = await server.server.fetch(new Request(`${server.url}/health`))
      return reply.status
    }
    const [file, aside] = [join(data, 'parley.db'), join(data, 'aside')]
    renameSync(file, aside)
    if (replace) closeSync(openSync(file, 'w'))
    const send = { type: 'channel', to: 'Verona', topic: 'lost', content: 'x' }
    // The place of the file is looked at some times a second.
    const sent = async () => (await server.as('owner').post('/messages', send)).status
    while ((await sent()) !== 500) await sleep(20)
    assert.equal(await sent(), 500)
    assert.equal((await server.as('member').get(`/messages/${first}`)).result, 'success')
    assert.equal(await health(), 503)
    renameSync(aside, file)
    assert.equal((await server.as('owner').post('/messages', send)).result, 'success')
    await server.close()
    assert.ok(statSync(file).size > 0)
  }
})

test('a data folder below /proc is refused', { skip: !existsSync('/proc') }, async () => {
  const { code, err } = await parley(['serve', '--port', '0', '--data', '/proc/x/y'])
  assert.equal(code, 1)
  assert.match(err, /^Cannot use the data folder \/proc\/x\/y: /)
})

test('output that cannot be written is said in a line', { skip: !existsSync('/dev/full') }, () => {
  const full = openSync('/dev/full', 'w')
  const [command = '', ...args] = commandOf('src/main.ts', 'config')
  const run = spawnSync(command, args, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
  closeSync(full)
  assert.equal(run.status, 1)
  assert.match(run.stderr, /^The output could not be written: .*ENOSPC.*\n$/)
})

test('the server of a checkout stops in order when npm is gone', async (t) => {
  const data = newFolder()
  const npm = spawn('npm', ['start', '--', '--data', data, '--port', '0'], {
    env: { ...process.env, PARLEY_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(() => {
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended.
    }
  })
  await new Promise<void>((ready) => {
    let said = ''
    npm.stdout.on('data', (part: Buffer) => {
      said += part.toString()
      if (/Address {2}http:\S+\n/.test(said)) ready()
    })
  })
  assert.ok(existsSync(join(data, 'control.json')))
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  while (existsSync(join(data, 'control.json'))) await sleep(50)
  assert.equal(existsSync(join(data, 'parley.db-wal')), false)
})
