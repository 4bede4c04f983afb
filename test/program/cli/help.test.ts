import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { operatorPages } from '#features/web/help/contents.ts'
import { loadHelpText } from '#features/web/help/library.ts'
import { findTopic } from '#features/web/help/terminal.ts'
import { helpTopics } from '#program/cli/problems.ts'
import { listen } from '#program/listening/listen.ts'
import { parley } from '#test/support/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-help-'))
after(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

describe('what keeps the server from starting names its help', async () => {
  const busy = createServer()
  await listen(busy, { host: '127.0.0.1', port: 0 })
  after(() => busy.close())
  const { port } = busy.address() as { port: number }
  writeFileSync(at('settings'), 'PARLEY_PROT=80\n')
  writeFileSync(at('no-folder'), '')
  writeFileSync(at('cert.pem'), 'nothing')
  const tls = ['--tls-cert', at('cert.pem'), '--tls-key', at('key.pem')]

  // biome-ignore format: a table reads best in columns
  const rows: [string, string[], NodeJS.ProcessEnv, RegExp][] = [
    ['port-in-use', ['--port', String(port)], {}, /Port \d+ is in use/],
    ['port-not-available', ['--port', '0', '--host', '192.0.2.1'], {}, /Cannot listen on 192\.0\.2\.1/],
    ['data-folder-not-usable', ['--port', '0', '--data', at('no-folder')], {}, /Cannot use the data folder/],
    ['certificate-not-usable', ['--port', '0', ...tls], {}, /certificate .*cert\.pem .*key\.pem cannot be used/],
    ['log-not-writable', ['--port', '0'], { PARLEY_LOG_FILE: at('no-folder/log') }, /The log cannot be written/],
    ['wrong-setting', ['--config', at('settings')], {}, /PARLEY_PROT/],
    ['wrong-setting', ['--port', '0'], { PARLEY_MAX_UPLOAD_MIB: '-1' }, /must be a number of MiB/],
    ['wrong-setting', [], { PARLEY_PORT: 'http' }, /PARLEY_PORT must be a number/],
  ]
  for (const [topic, args, env, message] of rows) {
    test(`${topic}: ${args[0] ?? Object.keys(env)[0]}`, async () => {
      const { code, err } = await parley(['serve', '--data', at('data'), ...args], '', env)
      assert.ok(code > 0)
      assert.match(err, message)
      assert.match(err, new RegExp(`^For help, run: parley help ${topic}\\n$`, 'm'))
    })
  }

  test('each topic is a part of a page', async () => {
    const pages = await loadHelpText()
    for (const topic of helpTopics) assert.match(findTopic(pages, topic) ?? '', /^## /, topic)
  })
})

describe('parley help', () => {
  test('shows each page for operators, with links that it can follow', async () => {
    for (const page of operatorPages) {
      const { code, out } = await parley(['help', page])
      assert.equal(code, 0)
      assert.match(out, /^# /m)
      for (const [, topic = ''] of out.matchAll(/\(parley help ([^)]+)\)/g)) {
        assert.equal((await parley(['help', topic])).code, 0, `${page}: ${topic}`)
      }
    }
  })

  test('shows a part of a page, a command, and what there is', async () => {
    assert.match((await parley(['help', 'backups#litestream'])).out, /^## Litestream\n/)
    assert.match((await parley(['help', 'restore'])).out, /Usage: parley restore/)
    assert.match((await parley(['help', 'mail'])).out, /Usage: parley mail[\s\S]*^# Mail$/m)
    assert.match((await parley(['help'])).out, /Pages of the help: installing, /)
    const unknown = await parley(['help', 'nonsense'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /There is no help about 'nonsense'/)
  })
})
