import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { openFolder } from '#platform/store/folder.ts'
import { FolderInUse } from '#platform/store/refusals.ts'
import { createServer } from '#program/server.ts'
import { eventually } from '#test/support/eventually.ts'
import { commandOf } from '#test/support/programs.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-holder-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, String(folders++))

/** A log that keeps its messages. */
function keptLog() {
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line).msg) })
  return { log, said }
}

const start = (data: string, log = keptLog().log) => createServer({ data, port: 0, log })

/** What is said of the process that has locked a folder. */
function refusal(data: string): string {
  try {
    openFolder(data).release()
    return 'free'
  } catch (error) {
    assert.ok(error instanceof FolderInUse, String(error))
    return error.message.slice(`The data folder ${data} is in use by `.length)
  }
}

const since = String.raw`, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)\.`

describe('who has locked a data folder is said to those who are refused', () => {
  test('by the name of a command and its process', () => {
    const data = newFolder()
    const held = openFolder(data, 'backup')
    assert.match(refusal(data), new RegExp(`^"parley backup" \\(process ${process.pid}${since}$`))
    held.release()
    assert.equal(refusal(data), 'free')
  })

  test('as a server, which a start refuses at once', async () => {
    const data = newFolder()
    const server = await start(data)
    const { log, said } = keptLog()
    await assert.rejects(start(data, log), {
      message: new RegExp(`by a running Parley \\(process ${process.pid}${since}$`),
    })
    assert.deepEqual(said, [])
    await server.close()
  })

  test('in a command that is refused because of another', async () => {
    const data = newFolder()
    await (await start(data)).close()
    const held = openFolder(data, 'import')
    for (const args of [['check'], ['backup', join(root, 'never')], ['user', 'list']]) {
      const { code, err } = await parley([...args, '--data', data])
      assert.equal(code, 1)
      assert.match(err, /is in use by "parley import" \(process \d+, since .*\nFor help, run: /)
    }
    held.release()
  })

  test('what a killed process left, or another program wrote, names nobody', () => {
    const data = newFolder()
    const held = openFolder(data, 'backup')
    for (const text of ['', '{"pid":0}', '{"pid":4194999,"command":"backup"}']) {
      writeFileSync(join(data, 'lock-holder.json'), text)
      assert.equal(refusal(data), 'a running Parley.')
    }
    held.release()
  })
})

describe('a server that starts waits for a command', () => {
  test('as long as it takes, and says so once', async () => {
    const data = newFolder()
    const held = openFolder(data, 'backup')
    const { log, said } = keptLog()
    const starting = start(data, log)
    await eventually(() => said.length, 1)
    assert.match(
      said[0] ?? '',
      /in use by "parley backup" .* The server starts when that is done\.$/,
    )
    held.release()
    await (await starting).close()
    assert.equal(said.length, 1)
  })

  test('until the operator stops it', async () => {
    const data = newFolder()
    const held = openFolder(data, 'backup')
    const giveUp = new AbortController()
    const { log, said } = keptLog()
    const task = { signal: giveUp.signal, report() {} }
    const starting = createServer({ data, port: 0, log, task })
    starting.catch(() => {})
    await eventually(() => said.length, 1)
    giveUp.abort(new Error('Interrupted.'))
    await assert.rejects(starting, { message: 'Interrupted.' })
    held.release()
    assert.equal(refusal(data), 'free')
  })

  test('of another process, even one that is killed', async (t) => {
    const data = newFolder()
    await (await startServer({ data })).close()
    // Takes the connection of the command, which waits for a greeting.
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1')
    t.after(() => silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const [command = '', ...args] = commandOf(
      'src/main.ts',
      ...['mail', 'test', 'ann@example.com', '--data', data],
    )
    const env = {
      ...process.env,
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${port}`,
      PARLEY_URL: 'https://chat.example.com',
    }
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    await Promise.race([once(silent, 'connection'), once(child, 'exit')])
    const { log, said } = keptLog()
    const starting = start(data, log)
    await eventually(() => said.length, 1)
    assert.match(said[0] ?? '', new RegExp(`"parley mail test" \\(process ${child.pid}, `))
    child.kill('SIGKILL')
    await (await starting).close()
  })
})
