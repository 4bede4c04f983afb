// Runs the built programs as a user would, from another folder: the development organization, and
// a new organization that is set up, used, stopped and started again. Then the files of the release, on
// each Node that is named: smoke.mjs [path of a Node ...]
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { targets } from '../.build/targets.ts'
import { emulatorFor } from '../.build/verify.ts'

const work = mkdtempSync(join(tmpdir(), 'parley-smoke-'))
const cwd = join(work, 'elsewhere')
const env = { ...process.env, XDG_CACHE_HOME: join(work, 'cache'), PARLEY_LOG_LEVEL: 'warn' }
const running = new Set()
/** An emulator takes its time. */
const patienceMs = 30_000
let programs = 0

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
  const health = await fetch(`${url}/health`, { signal: AbortSignal.timeout(patienceMs) })
  assert.equal(health.status, 200)
  console.log(`   ${args[0]} answered after ${Math.round(performance.now() - started)} ms`)
  return {
    async call(method, path, params, login) {
      const form = new URLSearchParams(params)
      const reading = method === 'GET'
      const response = await fetch(`${url}/api/v1${path}${reading ? `?${form}` : ''}`, {
        method,
        signal: AbortSignal.timeout(patienceMs),
        headers: login ? { authorization: `Basic ${btoa(`${login.email}:${login.api_key}`)}` } : {},
        ...(!reading && { body: form }),
      })
      const reply = await response.json()
      assert.equal(reply.result, 'success', `${method} ${path}: ${JSON.stringify(reply)}`)
      return reply
    },
    /** Fetches what a browser would. */
    async open(path) {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(patienceMs) })
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

const release = resolve('dist/release')
const findFile = (pattern) => readdirSync(release).find((name) => pattern.test(name))

/** The sums hold, and install.sh and the archive for this platform work. */
async function tryRelease() {
  await run(['sha256sum'], ['--check', '--quiet', 'SHA256SUMS'], '', release)
  await run(['sh'], [join(release, 'install.sh'), join(work, 'bin')])
  assert.match(await run([join(work, 'bin/parley')], ['--version']), /^Parley \d/)
  console.log(
    readFileSync(join(release, 'NOTES.md'), 'utf8')
      .match(/^\| parley.*$/gm)
      .join('\n'),
  )
}

/** The executable for Linux on arm64, where something can run it. */
async function tryArm() {
  const target = targets.find(({ name }) => name === 'linux-arm64')
  const emulator = emulatorFor(target)
  const executable = resolve('dist/linux-arm64/parley')
  if (!emulator) console.log('   skipped: no qemu-aarch64, or no libc6-arm64-cross')
  else await tryDev([...emulator, executable])
}

/** The npm package, installed by npm and run by a Node. */
async function tryPackage(node) {
  const installed = join(work, `installed-${programs++}`)
  const tarball = join(release, findFile(/^parley-[\d.]+\.tgz$/))
  mkdirSync(installed)
  await run(['npm'], ['install', '--offline', '--no-audit', '--prefix', installed, tarball])
  const program = join(installed, 'node_modules/parley/parley.cjs')
  await tryDev([node, program])
  const script = join(installed, 'embed.mjs')
  writeFileSync(
    script,
    `import { createServer } from 'parley'
const server = await createServer({ data: ':memory:', port: 0, fixture: true, config: { logLevel: 'silent' } })
console.log((await server.fetch(new Request(server.url + '/health'))).status)
await server.close()`,
  )
  // Imported, the program does not take the command line for its own.
  assert.equal(await run([node], [script, 'fly']), '200\n')
}

try {
  mkdirSync(cwd)
  const commands = { parley: ['dist/parley'], 'parley.cjs': [process.execPath, 'dist/parley.cjs'] }
  for (const [name, command] of Object.entries(commands)) {
    console.log(name)
    const last = command.pop()
    await tryDev([...command, resolve(last)])
    await tryOwn([...command, resolve(last)], join(work, name))
  }
  console.log('release')
  await tryRelease()
  console.log('parley for linux-arm64')
  await tryArm()
  for (const node of [process.execPath, ...process.argv.slice(2)]) {
    console.log(
      `npm package on Node ${(await run([node], ['-p', 'process.versions.node'])).trim()}`,
    )
    await tryPackage(node)
  }
} finally {
  for (const child of running) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
}
