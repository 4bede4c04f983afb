// Runs the built programs as a user would, from another folder: the development organization, and
// a new organization that is set up, used, stopped and started again.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const work = mkdtempSync(join(tmpdir(), 'parley-smoke-'))
const cwd = join(work, 'elsewhere')
const env = { ...process.env, XDG_CACHE_HOME: join(work, 'cache'), PARLEY_LOG_LEVEL: 'warn' }
const running = new Set()

function startIn(folder, [program, ...first], ...args) {
  const child = spawn(program, [...first, ...args], { cwd: folder, env })
  child.stderr.pipe(process.stderr)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

const start = (command, ...args) => startIn(cwd, command, ...args)

/** Runs a command to completion and returns its output. */
async function run(command, args, input = '', folder = cwd) {
  const child = startIn(folder, command, ...args)
  child.stdin.end(input)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(code, 0, `${args.join(' ')} exited with ${code}`)
  return printed
}

/** Starts a server; resolves once it has answered a health check. */
async function serve(command, ...args) {
  const started = performance.now()
  const child = start(command, ...args, '--port', '0')
  const exit = once(child, 'exit')
  let printed = ''
  let url
  for await (const part of child.stdout.setEncoding('utf8')) {
    printed += part
    url = printed.match(/http:\S+(?=\s)/)?.[0]
    if (url) break
  }
  assert.ok(url, `No address in what it printed:\n${printed}`)
  const health = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) })
  assert.equal(health.status, 200)
  console.log(`   ${args[0]} answered after ${Math.round(performance.now() - started)} ms`)
  return {
    async call(method, path, params, login) {
      const form = new URLSearchParams(params)
      const reading = method === 'GET'
      const response = await fetch(`${url}/api/v1${path}${reading ? `?${form}` : ''}`, {
        method,
        signal: AbortSignal.timeout(5000),
        headers: login ? { authorization: `Basic ${btoa(`${login.email}:${login.api_key}`)}` } : {},
        ...(!reading && { body: form }),
      })
      const reply = await response.json()
      assert.equal(reply.result, 'success', `${method} ${path}: ${JSON.stringify(reply)}`)
      return reply
    },
    /** Fetches what a browser would. */
    async open(path) {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(5000) })
      assert.equal(response.status, 200, path)
      return await response.text()
    },
    async stop() {
      child.kill('SIGTERM')
      assert.deepEqual(await exit, [0, null])
    },
  }
}

async function readBack(server, login, id, content) {
  const { message } = await server.call('GET', `/messages/${id}`, { apply_markdown: false }, login)
  assert.equal(message.content, content)
}

async function tryDev(command) {
  const server = await serve(command, 'dev')
  const login = await server.call('POST', '/dev_fetch_api_key', { username: 'iago@zulip.com' })
  const message = { type: 'channel', to: 'Verona', topic: 'smoke', content: 'Is it **on**?' }
  const { id } = await server.call('POST', '/messages', message, login)
  await readBack(server, login, id, message.content)
  assert.match(await server.open('/'), />\s*King Hamlet\s*</)
  // The worker's file, like the script of the web client, is inside the program.
  assert.match(await server.open('/sw.js'), /addEventListener/)
  await server.stop()
}

async function tryOwn(command, data) {
  const owner = { username: 'ada@example.com', password: 'analytical engine' }
  const init = ['init', '--org', 'Engines', '--email', owner.username, '--full-name', 'Ada']
  await run(command, [...init, '--data', data], owner.password)
  const server = await serve(command, 'serve', '--data', data)
  const login = await server.call('POST', '/fetch_api_key', owner)
  const message = { type: 'direct', to: JSON.stringify([login.user_id]), content: 'Note to self' }
  const { id } = await server.call('POST', '/messages', message, login)
  await run(
    command,
    ['user', 'add', '--email', 'bob@example.com', '--full-name', 'Bob', '--data', data],
    'difference engine',
  )
  assert.match(await run(command, ['user', 'list', '--data', data]), /bob@example\.com/)
  await server.stop()
  await run(command, ['backup', `${data}.tar.gz`, '--data', data])
  await run(command, ['restore', `${data}.tar.gz`, '--data', `${data}-restored`])
  const again = await serve(command, 'serve', '--data', `${data}-restored`)
  assert.match(await run(command, ['check', '--data', `${data}-restored`]), /is in order/)
  await readBack(again, login, id, message.content)
  await again.stop()
}

/** What the release page has: the sums hold, the archive runs, and npm installs the package. */
async function tryRelease() {
  const dist = resolve('dist')
  await run(['sha256sum'], ['--check', '--quiet', 'SHA256SUMS'], '', dist)
  const files = readdirSync(dist)
  const archive = files.find((name) => name.endsWith('.tar.gz'))
  const unpacked = join(work, 'unpacked')
  mkdirSync(unpacked)
  await run(['tar'], ['-xzf', join(dist, archive), '-C', unpacked])
  const program = join(unpacked, archive.replace('.tar.gz', ''), 'parley')
  assert.match(await run([program], ['--version']), /^Parley \d/)
  const installed = join(work, 'installed')
  mkdirSync(installed)
  const tarball = join(
    dist,
    files.find((name) => name.endsWith('.tgz')),
  )
  await run(['npm'], ['install', '--offline', '--no-audit', '--prefix', installed, tarball])
  const npx = ['npx', '--offline', '--prefix', installed]
  assert.match(await run(npx, ['parley', '--version']), /^Parley \d/)
  // Not by npx, which a signal ends before the program.
  await tryDev([join(installed, 'node_modules/.bin/parley')])
}

try {
  mkdirSync(cwd)
  const programs = { parley: ['dist/parley'], 'parley.cjs': [process.execPath, 'dist/parley.cjs'] }
  for (const [name, command] of Object.entries(programs)) {
    console.log(name)
    const last = command.pop()
    await tryDev([...command, resolve(last)])
    await tryOwn([...command, resolve(last)], join(work, name))
  }
  console.log('release')
  await tryRelease()
} finally {
  for (const child of running) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
}
