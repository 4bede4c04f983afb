import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDraft, removeLeftDrafts } from '#program/drafts.ts'
import { createServer } from '#program/server.ts'
import { commandOf } from '#test/support/programs.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-drafts-'))
after(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
function newFolder(): string {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  return folder
}

const drafts = (folder: string) => readdirSync(folder).filter((name) => /incomplete/.test(name))

/** A folder with the data of the fixture, whose server has stopped. */
async function stoppedData(): Promise<string> {
  const data = newFolder()
  await (await startServer({ data })).close()
  return data
}

/** Runs a command of the shell and kills it when its draft is there; again if it was done before. */
async function killWith(args: (target: string) => string[], folder: string): Promise<void> {
  for (let i = 0; drafts(folder).length === 0; i += 1) {
    assert.ok(i < 20, 'it is always done before it is killed')
    const [command = '', ...rest] = commandOf('src/main.ts', ...args(join(folder, `left-${i}`)))
    const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
    const exit = once(child, 'exit')
    while (child.exitCode === null && drafts(folder).length === 0) await sleep(1)
    child.kill('SIGKILL')
    await exit
  }
}

describe('what a killed command has begun is removed by the next', () => {
  test('backup into the same folder, under whatever name', async () => {
    const data = await stoppedData()
    const target = newFolder()
    await killWith((to) => ['backup', `${to}.tar.gz`, '--data', data], target)
    const { code, err } = await parley(['backup', join(target, 'whole'), '--data', data])
    assert.equal(code, 0, err)
    assert.deepEqual(drafts(target), [])
    assert.ok(existsSync(join(target, 'whole', 'parley.db')))
  })

  test('export into the same folder, under whatever name', async () => {
    const data = await stoppedData()
    const target = newFolder()
    const exporting = (to: string) => ['export', to, '--format', 'zulip', '--data', data]
    await killWith((to) => exporting(`${to}.tar.gz`), target)
    const { code, err } = await parley(exporting(join(target, 'whole.tar.gz')))
    assert.equal(code, 0, err)
    assert.deepEqual(drafts(target), [])
  })

  test('start of a server, in each folder in the data folder', async () => {
    const data = await stoppedData()
    const places = ['', 'before-upgrade', 'backups'].map((name) => join(data, name))
    for (const place of places) {
      mkdirSync(place, { recursive: true })
      await killWith((to) => ['backup', to, '--data', data], place)
    }
    const server = await createServer({ data, port: 0, config: { logLevel: 'silent' } })
    for (const place of places) assert.deepEqual(drafts(place), [], place)
    await server.close()
  })
})

describe('drafts in a folder', () => {
  test('stay while the process runs that makes them, and as long as it may', async () => {
    const folder = newFolder()
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const own = newDraft(join(folder, 'a'), '.tar.gz')
    const running = own.replace(`-${process.pid}-`, `-${child.pid}-`)
    const elsewhere = own.replace(/[0-9a-f]{8}(?=-\d+-)/, '01234567')
    const earlier = join(folder, '.a.0123456789ab.incomplete')
    const others = ['.a.incomplete', 'a.0123456789ab.incomplete', '.parley-notes'].map((name) =>
      join(folder, name),
    )
    for (const path of [own, running, elsewhere, earlier, ...others]) mkdirSync(path)
    const names = async () => {
      await removeLeftDrafts(folder)
      return readdirSync(folder).sort()
    }
    const named = (...paths: string[]) => paths.map((path) => basename(path)).sort()
    assert.deepEqual(await names(), named(own, running, elsewhere, earlier, ...others))
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(await names(), named(own, elsewhere, earlier, ...others))
    const old = new Date(Date.now() - 25 * 3600_000)
    for (const path of [own, elsewhere, earlier, ...others]) utimesSync(path, old, old)
    assert.deepEqual(await names(), named(...others))
  })

  test('of an earlier process that had the same ID are removed', async () => {
    const folder = newFolder()
    const left = newDraft(join(folder, 'a'))
    mkdirSync(left)
    const before = new Date(performance.timeOrigin - 1000)
    utimesSync(left, before, before)
    await removeLeftDrafts(folder)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('that is missing are not looked for', async () => {
    await removeLeftDrafts(join(root, 'missing'))
  })
})
