import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openBrowser } from '#test/support/browser.ts'
import { sendPicture } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Client, startServer } from '#test/support/server.ts'
import { startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
const data = mkdtempSync(join(tmpdir(), 'parley-operating-'))
const server = await startServer({
  socket: true,
  data,
  config: { ownersOperate: true, smtpUrl: post.url },
})
after(async () => {
  await server.close()
  await post.close()
  rmSync(data, { recursive: true })
})
const owner = server.as('owner')

/** What the web client asks for beside the members of the announced feature level. */
const extended = {
  fetch_event_types: ['realm'],
  client_capabilities: { extended_members: true },
}

interface Status {
  backups: { name: string; bytes: number; made_at: number }[]
  backup_running: boolean
  backup_problem: string | null
  storage: { use: string; bytes: number }[]
  health: { name: string; problem: string | null }[]
}
const statusOf = () => owner.get<Status>('/server/status')

/** A browser of someone, and what it gets for the address of a backup. */
async function openAs(email: string) {
  const browser = openBrowser(server.url)
  const [name = ''] = email.split('@')
  await browser.fill('/login/', { email, password: `${name}-password` })
  const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  const headers = { cookie, 'x-csrftoken': browser.cookies.get('csrftoken') ?? '' }
  return {
    async ask(backup: string, params: Record<string, string> = { password: `${name}-password` }) {
      const path = `${server.url}/json/server/backups/${backup}/download`
      const body = new URLSearchParams(params)
      const response = await fetch(path, { method: 'POST', headers, body })
      return (await response.json()) as { url?: string; msg: string }
    },
    open: (path: string) => fetch(server.url + path, { headers }),
  }
}

/** Opens an address with an API key. */
const openWithKey = ({ email, apiKey }: Client, path: string) =>
  fetch(server.url + path, {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
  })

/** Makes a backup. @returns its name */
async function backUp(): Promise<string> {
  const { name } = await owner.post<{ name: string }>('/server/backups')
  await server.settled()
  server.clock.advance(1000)
  return name
}

describe('operating the server is refused', () => {
  const notOwner = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')
  const calls = [
    ['the status', (client: Client) => client.get('/server/status')],
    ['a backup', (client: Client) => client.post('/server/backups')],
    ['deleting one', (client: Client) => client.del('/server/backups/x')],
    ['a test mail', (client: Client) => client.post('/server/test_mail')],
  ] as const
  for (const [what, call] of calls) {
    test(`${what}, to everyone but owners`, async () => {
      for (const actor of ['admin', 'member', 'guest', 'bot'] as const satisfies Actor[]) {
        assert.deepEqual(await call(server.as(actor)), notOwner, actor)
      }
    })
  }

  test('to owners as well, where the operator does not allow it, and registration says so', async () => {
    const other = await startServer({ socket: true })
    try {
      const state = await other.as('owner').post('/register', extended)
      assert.equal(state.server_owners_operate, false)
      assert.equal(state.server_can_send_mail, false)
      const refused = failure('The operator of this server does not allow owners to do this.')
      for (const [, call] of calls) assert.deepEqual(await call(other.as('owner')), refused)
    } finally {
      await other.close()
    }
  })
})

test('owners make a backup, which other owners see, download and delete', async () => {
  const state = await owner.post('/register', extended)
  assert.equal(state.server_owners_operate, true)
  assert.equal(state.server_can_send_mail, true)
  const backupsOf = { ...extended, event_types: ['server_backups'] }
  const queue = await owner.watchWith(backupsOf)
  const outside = await server.as('admin').watchWith(backupsOf)
  const name = await backUp()
  assert.match(name, /^parley-\d{8}T\d{6}Z\.tar\.gz$/)
  const event = { type: 'server_backups' }
  assert.deepEqual(await queue.drain(), [event, event], 'begun and finished')
  assert.deepEqual(await outside.drain(), [])
  const { backups, backup_running, backup_problem, storage } = await statusOf()
  assert.deepEqual([backup_running, backup_problem], [false, null])
  assert.deepEqual(
    backups.map((backup) => backup.name),
    [name],
  )
  assert.deepEqual(storage.find(({ use }) => use === 'backups')?.bytes, backups[0]?.bytes)

  const browser = await openAs(owner.email)
  const { url = '' } = await browser.ask(name)
  const response = await browser.open(url)
  const archive = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200)
  assert.equal(archive.length, backups[0]?.bytes)
  assert.match(gunzipSync(archive).subarray(0, 100).toString('latin1'), /^parley\.db\0/)
  const admin = await openAs(server.as('admin').email)
  assert.equal((await admin.ask(name)).msg, 'Must be an organization owner')
  assert.equal((await browser.ask('..%2Fparley.db')).msg, 'No such backup')
  assert.equal((await browser.ask(name, { password: 'wrong' })).msg, 'Wrong password!')
  assert.equal((await browser.ask(name, {})).msg, "Missing 'password' argument")
  const byKey = await owner.post(`/server/backups/${name}/download`, { password: 'x' })
  assert.match(byKey.msg, /an API key is not enough/)
  const plain = `/server-backups/${name}`
  const { apiKey } = owner
  const others = [
    fetch(server.url + url),
    fetch(`${server.url}${url}&api_key=${apiKey}`),
    openWithKey(owner, url),
    openWithKey(owner, plain),
    browser.open(plain),
    (await openAs(owner.email)).open(url),
    admin.open(url),
  ]
  for (const other of await Promise.all(others)) assert.equal(other.status, 404)
  server.clock.advance(301_000)
  assert.equal((await browser.open(url)).status, 404)
  await server.settled()
  post.take()

  assert.deepEqual(await owner.del(`/server/backups/${name}`), success)
  assert.deepEqual(await queue.drain(), [event])
  assert.deepEqual((await statusOf()).backups, [])
  const gone = await owner.del(`/server/backups/${name}`)
  assert.deepEqual([gone.code, gone.msg], ['NOT_FOUND', 'No such backup'])
})

test('one backup is made at a time, and five are kept', async () => {
  const both = await Promise.all([owner.post('/server/backups'), owner.post('/server/backups')])
  const refused = both.filter(({ result }) => result === 'error')
  assert.deepEqual(
    refused.map(({ msg }) => msg),
    ['Another backup is being made. Wait until it is done.'],
  )
  await server.settled()
  for (let n = 0; n < 4; n++) {
    server.clock.advance(1000)
    await backUp()
  }
  const sixth = await owner.post('/server/backups')
  assert.deepEqual(sixth, failure('Delete a backup first (limit: 5)'))
  assert.equal((await statusOf()).backups.length, 5)
})

describe('a backup that was asked for before the server was stopped', () => {
  const name = 'parley-20260101T000000Z.tar.gz'
  /** Starts a server again with a folder, in which something is marked. */
  async function restarted(mark: string, use: (owner: Client) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-operating-'))
    const start = () => startServer({ socket: true, data: folder, config: { ownersOperate: true } })
    await (await start()).close()
    mkdirSync(join(folder, 'backups'))
    writeFileSync(join(folder, 'backups', `${name}.${mark}`), '')
    const again = await start()
    try {
      await again.settled()
      await use(again.as('owner'))
    } finally {
      await again.close()
      rmSync(folder, { recursive: true })
    }
  }

  test('is made once it is started again', async () => {
    await restarted('requested', async (client) => {
      const { backups, backup_running, backup_problem } = await client.get<Status>('/server/status')
      assert.deepEqual(
        backups.map((backup) => backup.name),
        [name],
      )
      assert.deepEqual([backup_running, backup_problem], [false, null])
    })
  })

  test('is reported as failed if the server ended while it was made', async () => {
    await restarted('begun', async (client) => {
      const { backups, backup_running, backup_problem } = await client.get<Status>('/server/status')
      assert.deepEqual([backups, backup_running], [[], false])
      assert.equal(
        backup_problem,
        'The server stopped before the backup was finished. Make another one.',
      )
    })
  })
})

test('an owner sees what uploads and pictures made of them take', async () => {
  const before = new Map((await statusOf()).storage.map(({ use, bytes }) => [use, bytes]))
  const { result } = await sendPicture(server, 'owner', '/users/me/avatar', [pngPicture(200, 200)])
  assert.equal(result, 'success')
  server.clock.advance(11 * 60_000)
  const after = new Map((await statusOf()).storage.map(({ use, bytes }) => [use, bytes]))
  assert.ok((after.get('pictures') ?? 0) > (before.get('pictures') ?? 0))
  assert.equal(after.get('uploads'), before.get('uploads'))
})

test('an owner sees what is wrong, as monitoring does', async () => {
  const { health } = await statusOf()
  assert.deepEqual(
    health.map(({ name }) => name).filter((name) => ['disk', 'commits', 'jobs'].includes(name)),
    ['disk', 'commits', 'jobs'],
  )
})

describe('a test mail', () => {
  test('goes to the owner, and its success is what the mail server says', async () => {
    const reply = await owner.post('/server/test_mail')
    assert.deepEqual(reply, { ...success, address: owner.email })
    const [mail] = post.take()
    assert.deepEqual(mail?.to, [owner.email])
    assert.match(mail?.headers.subject ?? '', /^A test email from /)
  })

  test('says why the mail server did not take it', async () => {
    const other = await startServer({
      socket: true,
      config: { ownersOperate: true, smtpUrl: 'smtp://127.0.0.1:9' },
    })
    try {
      const reply = await other.as('owner').post('/server/test_mail')
      assert.equal(reply.code, 'BAD_REQUEST')
      assert.match(reply.msg, /^The mail was not sent: .*Nothing answers at .*ECONNREFUSED/)
    } finally {
      await other.close()
    }
  })
})
