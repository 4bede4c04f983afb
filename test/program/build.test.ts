import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { workerPath } from '#features/web-client/views.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import type { createServer as published } from '#program/parley.d.cts'
import { createServer } from '#program/server.ts'
import { pngPicture } from '#test/support/pictures.ts'

const work = mkdtempSync(join(tmpdir(), 'parley-build-'))
const dist = join(work, 'dist')
const home = join(work, 'home')
/** Far from any installed package. */
const cwd = join(work, 'elsewhere')
const env = { HOME: home, PARLEY_LOG_LEVEL: 'silent' }

before(() => {
  for (const folder of [home, cwd]) mkdirSync(folder)
  execFileSync(process.execPath, ['build.mjs', dist], { stdio: ['ignore', 'ignore', 'inherit'] })
})
after(() => rmSync(work, { recursive: true }))

/** Starts `parley dev`, asks `path` once, and stops it. @returns the body of the answer */
async function ask(
  [program = '', ...args]: readonly string[],
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const options = [...args, 'dev', '--port', '0']
  const child = spawn(program, options, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  let url: string | undefined
  for await (const printed of child.stdout.setEncoding('utf8')) {
    url = String(printed).match(/http:\S+/)?.[0]
    if (url) break
  }
  assert.ok(url, 'It did not say where it listens.')
  const reply = await fetch(`${url}${path}`, { method: 'POST', ...init })
  const body = await reply.text()
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
  return body
}

const programs: Record<string, readonly string[]> = {
  'parley.cjs': [process.execPath, join(dist, 'parley.cjs')],
  parley: [join(dist, 'parley')],
}

for (const [name, command] of Object.entries(programs)) {
  describe(name, () => {
    test('serves from any folder, with no package near', async () => {
      const path = '/api/v1/dev_fetch_api_key?username=iago@zulip.com'
      const { result, user_id } = JSON.parse(await ask(command, path))
      assert.deepEqual([result, user_id], ['success', 11])
    })

    test('decodes pictures in a thread of its own, and stops with it', async () => {
      const email = 'iago@zulip.com'
      const basic = Buffer.from(`${email}:${fixtureApiKey(email)}`).toString('base64')
      const body = new FormData()
      body.append('file', new File([new Uint8Array(pngPicture())], 'me.png'))
      const headers = { authorization: `Basic ${basic}` }
      const reply = await ask(command, '/api/v1/users/me/avatar', { headers, body })
      assert.equal(JSON.parse(reply).result, 'success')
    })

    test('serves the files of the web client', async () => {
      const script = await ask(command, workerPath, { method: 'GET' })
      assert.match(script, /addEventListener\(["']fetch["']/)
    })

    test('unpacks its addon once, and again when that was damaged', async () => {
      const cache = join(home, '.cache/parley')
      const [file = '', ...others] = readdirSync(cache)
      assert.deepEqual(others, [])
      writeFileSync(join(cache, file), 'damaged')
      await ask(command, '/dev/reset')
      const sha256 = createHash('sha256')
        .update(readFileSync(join(cache, file)))
        .digest('hex')
      assert.deepEqual(readdirSync(cache), [`${sha256}.node`])
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

test('V8 can keep the source at one byte a character', () => {
  assert.doesNotMatch(readFileSync(join(dist, 'parley.cjs'), 'utf8'), /[\u0100-\uffff]/)
})

describe('embedding', () => {
  const options = { data: ':memory:', port: 0, fixture: true, config: { logLevel: 'silent' } }

  test('an ES module imports createServer from the one file, which then runs nothing else', () => {
    const script = join(cwd, 'embed.mjs')
    writeFileSync(
      script,
      `import { createServer } from ${JSON.stringify(join(dist, 'parley.cjs'))}
const server = await createServer(${JSON.stringify(options)})
const { status } = await server.fetch(new Request('http://parley.test/health'))
await server.close()
console.log(status)`,
    )
    assert.equal(execFileSync(process.execPath, [script, 'fly'], { cwd, env }).toString(), '200\n')
  })

  test('the published types describe it', async () => {
    const create: typeof published = createServer
    const server = await create(options)
    assert.equal((await fetch(`${server.url}/health`)).status, 200)
    assert.equal(server.setupUrl, undefined)
    await server.close()
  })
})
