import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { backUp } from '#program/backup/backup.ts'
import { restore } from '#program/backup/restore.ts'
import { success } from '#test/support/replies.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

// What the process makes is open to everyone unless it says otherwise.
process.umask(0)
const root = mkdtempSync(join(tmpdir(), 'parley-rights-'))
after(() => rmSync(root, { recursive: true }))
const data = join(root, 'data')

/** Paths below a folder that others than the owner can use, and how many paths there are. */
function others(folder: string): { open: string[]; count: number } {
  const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  const open = paths.filter((path) => (statSync(join(folder, path)).mode & 0o077) !== 0)
  return { open, count: paths.length }
}

async function fill(server: TestServer): Promise<void> {
  const owner = server.as('owner')
  const authorization = `Basic ${btoa(`${owner.email}:${owner.apiKey}`)}`
  const body = new FormData()
  body.set('file', new File(['secret'], 'secret.txt'))
  const init = { method: 'POST', headers: { authorization }, body }
  assert.equal((await fetch(`${server.url}/api/v1/user_uploads`, init)).status, 200)
  assert.equal((await owner.post('/export/realm')).result, 'success')
  await owner.watch('message')
  await server.say('member', 'public')
  await server.settled()
}

test('nobody but its owner can read anything in a data folder or a backup', async () => {
  const server = await startServer({ data })
  await fill(server)
  const running = others(data)
  assert.deepEqual(running.open, [])
  assert.ok(running.count > 8, `${running.count} paths`)
  assert.ok(existsSync(join(data, 'parley.db-wal')))
  const backup = join(root, 'backups', 'today')
  mkdirSync(join(root, 'backups'), { mode: 0o700 })
  await backUp(server.server.context, backup)
  assert.deepEqual(
    await server
      .as('owner')
      .get('/users/me')
      .then((r) => r.result),
    success.result,
  )
  await server.close()
  assert.deepEqual(others(data).open, [])
  assert.deepEqual(others(backup).open, [])
  // A backup that went through other hands.
  chmodSync(join(backup, 'parley.db'), 0o644)
  const copy = join(root, 'copy')
  await restore(backup, copy)
  assert.deepEqual(others(copy).open, [])
})

test('a database that others could read is taken from them at the start', async () => {
  for (const name of ['parley.db', 'lock']) chmodSync(join(data, name), 0o644)
  chmodSync(data, 0o755)
  const server = await startServer({ data })
  assert.deepEqual(others(data).open, [])
  await server.close()
})

const notRoot = process.geteuid?.() !== 0 && 'only root can act for another user'

test('what root makes in the folder of a service belongs to the service', {
  skip: notRoot,
}, async () => {
  const service = 4321
  const parent = mkdtempSync(join(tmpdir(), 'parley-service-'))
  after(() => rmSync(parent, { recursive: true }))
  const data = join(parent, 'data')
  const secret = join(parent, 'secret')
  mkdirSync(data)
  writeFileSync(secret, 'of root')
  linkSync(secret, join(data, 'secret'))
  symlinkSync(secret, join(data, 'link'))
  chownSync(data, service, service)
  const args = ['--data', data, '--email', 'ann@example.com', '--full-name', 'Ann']
  const made = await parley(['init', '--org', 'Acme', ...args], 'correct horse')
  assert.equal(made.code, 0, made.err)
  const owners = (readdirSync(data, { recursive: true }) as string[]).map(
    (name) => [name, lstatSync(join(data, name)).uid] as const,
  )
  assert.ok(owners.some(([name]) => name === 'files'))
  const ofRoot = owners.filter(([, uid]) => uid !== service).map(([name]) => name)
  assert.deepEqual(ofRoot.sort(), ['link', 'secret'])
  assert.equal(statSync(secret).uid, 0)
})
