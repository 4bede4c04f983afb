import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import type { BackupPlan } from '#platform/config.ts'
import type { SystemContext } from '#platform/context.ts'
import { backupCheck } from '#program/backup/check.ts'
import { restore } from '#program/backup/restore.ts'
import { lastBackup } from '#program/backup/schedule.ts'
import { readConfig } from '#program/config.ts'
import { s3Key, startS3 } from '#test/support/s3.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-schedule-'))
after(() => rmSync(root, { recursive: true }))

const hour = 3600_000
const plan = (to: string, more: Partial<BackupPlan> = {}): BackupPlan => ({
  to,
  hours: 6,
  keep: 2,
  archives: false,
  s3: null,
  ...more,
})
const start = (data: string, backups: BackupPlan) =>
  startServer({ data: join(root, data), config: { backups } })
/** What `/health` says about backups. */
const problem = ({ server }: TestServer) => backupCheck.problem(server.context)
const last = (server: TestServer) => lastBackup(server.server.context.store)

async function pass(server: TestServer, milliseconds: number): Promise<void> {
  server.clock.advance(milliseconds)
  await server.settled()
}

describe('regular backups to a folder', () => {
  const target = join(root, 'regular')
  const listed = () => readdirSync(target).sort()

  test('are made when they are due, and only the newest are kept, beside what is not theirs', async () => {
    const server = await start('data', plan(target))
    await server.settled()
    assert.deepEqual(listed(), ['parley-20260102T000000Z'])
    mkdirSync(join(target, 'parley-by-hand'))
    const id = await server.say('member', 'public', 'backup', 'In the third one')
    await pass(server, 5 * hour)
    assert.equal(listed().length, 2)
    await pass(server, hour)
    await pass(server, 6 * hour)
    assert.deepEqual(listed(), [
      'parley-20260102T060000Z',
      'parley-20260102T120000Z',
      'parley-by-hand',
    ])
    const at = Math.floor(server.clock.now() / 1000)
    const { size, ...found } = last(server) ?? {}
    const to = join(target, 'parley-20260102T120000Z')
    assert.deepEqual(found, { at, succeededAt: at, to, problem: null })
    assert.ok(Number(size) > 100_000)
    await server.close()
    await restore(to, join(root, 'again'))
    const copy = await start('again', plan(join(root, 'elsewhere')))
    const { message } = await copy.as('member').get<{ message: object }>(`/messages/${id}`)
    assert.ok(message)
    await copy.close()
  })

  test('go on after a restart where they were', async () => {
    const server = await start('data', plan(target))
    await server.settled()
    // The clock of this server began anew, before the last backup.
    assert.equal(listed().length, 3)
    assert.ok(last(server)?.succeededAt)
    await server.close()
  })

  test('say when they failed and why, keep the earlier ones, and try again after an hour', async () => {
    const broken = join(root, 'broken')
    writeFileSync(broken, '')
    const server = await start('failing', plan(join(broken, 'target')))
    await server.settled()
    const failed = last(server)
    assert.equal(failed?.succeededAt, null)
    assert.match(String(failed?.problem), /The backup failed: ENOTDIR/)
    assert.match(String(problem(server)), /^The last regular backup failed: .*ENOTDIR/)
    rmSync(broken)
    await pass(server, hour - 60_000)
    assert.equal(last(server)?.succeededAt, null)
    await pass(server, 60_000)
    assert.deepEqual([last(server)?.problem, last(server)?.succeededAt], [null, last(server)?.at])
    assert.equal(readdirSync(join(broken, 'target')).length, 1)
    assert.equal(problem(server), undefined)
    await server.close()
  })

  test('are a problem when one is an hour overdue', () => {
    const folder = join(root, 'overdue')
    mkdirSync(folder)
    const db = { $client: { name: join(folder, 'parley.db'), memory: false } }
    const clock = manualClock(0)
    const config = { backups: plan(target) }
    const server = { store: { db, clock }, clock, config, startedAt: 0 } as unknown as SystemContext
    clock.advance(7 * hour)
    assert.equal(backupCheck.problem(server), undefined)
    clock.advance(1000)
    assert.equal(backupCheck.problem(server), 'No regular backup has been made yet.')
    const made = { at: 7 * 3600, succeededAt: 7 * 3600, to: target, size: 1, problem: null }
    writeFileSync(join(folder, 'last-backup.json'), JSON.stringify(made))
    const restarted = { ...server, store: { db: { ...db }, clock } } as unknown as SystemContext
    assert.equal(backupCheck.problem(restarted), undefined)
    clock.advance(7 * hour)
    assert.equal(
      backupCheck.problem(restarted),
      'A regular backup is overdue: the last one was made at 1970-01-01T07:00:00.000Z.',
    )
  })

  test('say which folder they may not write', async (t) => {
    if (process.getuid?.() === 0) return t.skip('root may write everything')
    const locked = join(root, 'locked')
    mkdirSync(locked, { mode: 0o500 })
    const server = await start('locked-out', plan(join(locked, 'target')))
    await server.settled()
    assert.match(String(last(server)?.problem), /No permission to write .*locked/)
    chmodSync(locked, 0o700)
    await server.close()
  })
})

/** The files below a folder that this process has open, where the system tells. */
function openBelow(folder: string): string[] {
  const links = '/proc/self/fd'
  if (!existsSync(links)) return []
  const files = readdirSync(links).map((number) => {
    const link = join(links, number)
    // Gone is what listed them.
    return lstatSync(link, { throwIfNoEntry: false }) ? readlinkSync(link) : ''
  })
  return files.filter((file) => file.startsWith(folder))
}

describe('regular backups to S3', async () => {
  const s3 = await startS3()
  after(s3.close)
  const access = { endpoint: s3.endpoint, ...s3Key }
  const to = 's3://vault/team/chat'

  test('are signed, read back, restorable, and only the newest are kept', async () => {
    s3.objects.set('vault/team/chat/by-hand.tar.gz', Buffer.from('mine'))
    const server = await start('cloud', plan(to, { s3: access }))
    await server.settled()
    await pass(server, 6 * hour)
    await pass(server, 6 * hour)
    assert.equal(last(server)?.problem, null)
    assert.deepEqual([...s3.objects.keys()].sort(), [
      'vault/team/chat/by-hand.tar.gz',
      'vault/team/chat/parley-20260102T060000Z.tar.gz',
      'vault/team/chat/parley-20260102T120000Z.tar.gz',
    ])
    assert.equal(last(server)?.to, `${to}/parley-20260102T120000Z.tar.gz`)
    const file = join(root, 'fetched.tar.gz')
    writeFileSync(file, s3.objects.get('vault/team/chat/parley-20260102T120000Z.tar.gz') ?? '')
    assert.equal((await restore(file, join(root, 'from-s3'))).failed, false)
    await server.close()
    assert.deepEqual(
      readdirSync(join(root, 'cloud')).filter((name) => name.includes('incomplete')),
      [],
    )
  })

  test('fail with a wrong key, and where S3 keeps something else than was sent', async () => {
    const before = s3.objects.size
    const wrong = await start('wrong', plan(to, { s3: { ...access, secret: 'wrong' } }))
    await wrong.settled()
    assert.match(String(last(wrong)?.problem), /403|SignatureDoesNotMatch/)
    await wrong.close()
    assert.deepEqual(openBelow(join(root, 'wrong')), [])
    s3.damage = true
    const damaged = await start('damaged', plan('s3://vault/other', { s3: access }))
    await damaged.settled()
    assert.match(String(last(damaged)?.problem), /What S3 returned differs/)
    await damaged.close()
    assert.deepEqual([s3.objects.size, s3.open.size], [before, 0])
  })
})

test('the variables of backups are checked at the start', () => {
  const good = { PARLEY_BACKUP_TO: 's3://vault/x', PARLEY_S3_KEY_ID: 'k', PARLEY_S3_SECRET: 's' }
  assert.deepEqual(readConfig(good).backups, {
    to: 's3://vault/x',
    hours: 24,
    keep: 7,
    archives: false,
    s3: {
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      keyId: 'k',
      secret: 's',
    },
  })
  const refused = (more: object, message: RegExp) =>
    assert.throws(() => readConfig({ ...good, ...more }), message)
  refused({ PARLEY_BACKUP_TO: 's3:vault' }, /must be a folder or s3:\/\/BUCKET/)
  refused({ PARLEY_BACKUP_HOURS: '0' }, /PARLEY_BACKUP_HOURS must be a number of hours/)
  refused({ PARLEY_BACKUP_KEEP: 'all' }, /PARLEY_BACKUP_KEEP must be a number of backups/)
  refused({ PARLEY_S3_SECRET: '' }, /needs PARLEY_S3_KEY_ID and PARLEY_S3_SECRET/)
})
