import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { insertEdit } from '#features/messaging/messages/edit-history/queries.ts'
import { updateMessage } from '#features/messaging/messages/editing/queries.ts'
import { makeExports } from '#features/organization/exports/jobs.ts'
import {
  findExport,
  findPendingExport,
  insertExport,
} from '#features/organization/exports/queries.ts'
import { graceSeconds } from '#platform/files/actions.ts'
import { mostDownloads } from '#platform/http/downloads.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const path = '/export/realm'
const admin = server.as('admin')

interface Made {
  id: number
  acting_user_id: number
  export_time: number
  deleted_timestamp: number | null
  failed_timestamp: number | null
  export_url: string | null
  pending: boolean
  export_type: number
}

const ask = (actor: Actor, export_type?: unknown) =>
  server.as(actor).post<{ id: number }>(path, { export_type })
const list = async () => (await admin.get<{ exports: Made[] }>(path)).exports
const remove = (actor: Actor, id: number) => server.as(actor).del(`${path}/${id}`)
const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')

async function make(type?: string): Promise<Made> {
  const { id } = await ask('admin', type)
  await server.settled()
  const made = (await list()).find((each) => each.id === id)
  assert.ok(made)
  return made
}

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** What an archive holds, unpacked by tar itself. */
async function unpack({ export_url }: Made) {
  const response = await fetch(String(export_url))
  assert.equal(response.status, 200)
  const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
  folders.push(folder)
  const input = new Uint8Array(await response.arrayBuffer())
  const names = execFileSync('tar', ['-xzvf', '-'], { input, cwd: folder }).toString()
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    names: names.trim().split('\n'),
    read,
    json: <T>(name: string) => JSON.parse(read(name)) as T,
  }
}

interface Exported {
  id: number
  content: string
  type: string
  channel_id?: number
  topic?: string
  user_ids?: number[]
  reactions: object[]
}

async function messagesOf(made: Made): Promise<Exported[]> {
  const archive = await unpack(made)
  const files = archive.names.filter((name) => name.startsWith('messages/'))
  return files.flatMap((name) => archive.json<Exported[]>(name))
}

test('long messages come in files of 256 KiB, or one by one', async () => {
  const ids: number[] = []
  for (let i = 0; i < 5; i++) ids.push(await server.say('member', 'public', 'long'))
  const sizes = [100, 100, 100, 750, 25]
  await server.server.context.store.write((tx) => {
    for (const [i, id] of ids.entries()) {
      const renderedContent = 'x'.repeat((sizes[i] ?? 0) * 1024)
      updateMessage(tx, id, { renderedContent })
    }
  })
  const archive = await unpack(await make())
  const files = archive.names
    .filter((name) => name.startsWith('messages/'))
    .map((name) => archive.json<Exported[]>(name).map(({ id }) => ids.indexOf(id)))
    .map((found) => found.filter((at) => at >= 0))
    .filter((found) => found.length > 0)
  assert.deepEqual(files, [[0, 1], [2], [3], [4]])
})

test('a long edit history comes in files of 256 KiB', async () => {
  const id = await server.say('member', 'public', 'edited', 'first')
  const sizes = [100, 100, 100, 750, 25]
  await server.server.context.store.write((tx) => {
    for (const [i, size] of sizes.entries()) {
      const prevRenderedContent = 'x'.repeat(size * 1024)
      insertEdit(tx, {
        messageId: id,
        userId: ids.member,
        editedAt: i,
        prevContent: `version ${i}`,
        prevRenderedContent,
      })
    }
  })
  const archive = await unpack(await make())
  const files = archive.names
    .filter((name) => name.startsWith('edits/'))
    .map((name) => archive.json<{ message_id: number; prev_content: string }[]>(name))
    .map((edits) => edits.filter(({ message_id }) => message_id === id))
    .filter((edits) => edits.length > 0)
    .map((edits) => edits.map(({ prev_content }) => prev_content))
  assert.deepEqual(files, [['version 0', 'version 1'], ['version 2'], ['version 3'], ['version 4']])
})

describe('who may', () => {
  const matrix: [Actor, boolean][] = [
    ['owner', true],
    ['admin', true],
    ['moderator', false],
    ['member', false],
    ['guest', false],
    ['bot', false],
  ]
  for (const [actor, may] of matrix) {
    test(`${actor} ${may ? 'can' : 'cannot'} ask for exports, see and delete them`, async () => {
      const reply = await ask(actor)
      if (may) assert.deepEqual(reply, { ...success, id: reply.id })
      else assert.deepEqual(reply, adminsOnly)
      await server.settled()
      const { id } = may ? reply : await make()
      const seen = await server.as(actor).get(path)
      assert.deepEqual(may ? seen.result : seen, may ? 'success' : adminsOnly)
      assert.deepEqual(await remove(actor, id), may ? success : adminsOnly)
    })
  }

  test('nobody without credentials', async () => {
    assert.equal((await server.anonymous.get(path)).status, 401)
    assert.equal((await server.anonymous.post(path)).status, 401)
  })
})

test('who asked hears when it is there, and when it is gone', async () => {
  const queue = await admin.watch('realm_export')
  const other = await server.as('owner').watch('realm_export')
  const { id } = await ask('admin')
  await server.settled()
  const [asked, there, ...more] = (await queue.drain()).map((event) => (event.exports as Made[])[0])
  const about = {
    id,
    acting_user_id: ids.admin,
    export_time: server.clock.now() / 1000,
    failed_timestamp: null,
    deleted_timestamp: null,
    export_type: 1,
  }
  assert.deepEqual(asked, { ...about, pending: true, export_url: null })
  const address = String(there?.export_url)
  assert.match(address, new RegExp(`^${server.url}/exports/[0-9a-f]{32}/export\\.tar\\.gz$`))
  assert.deepEqual(there, { ...about, pending: false, export_url: address })
  assert.deepEqual(more, [])
  // HEAD holds no place among the downloads: it would never give it back.
  const download = async (method: string) =>
    await server.server.fetch(new Request(address, { method }))
  for (let i = 0; i < mostDownloads; i++) assert.equal((await download('HEAD')).status, 200)
  assert.equal((await download('GET')).status, 200)
  assert.deepEqual(await remove('owner', id), success)
  const gone = { ...about, pending: false, export_url: null }
  const [last] = (await queue.drain()).map((event) => (event.exports as Made[])[0])
  assert.deepEqual(last, { ...gone, deleted_timestamp: about.export_time })
  assert.deepEqual(await other.drain(), [])
  assert.equal((await fetch(address)).status, 404)
  assert.deepEqual(await remove('owner', id), failure('Export already deleted'))
})

test('a stop does not wait for an export: the next start makes it', async () => {
  const other = await startServer()
  after(other.close)
  const { context } = other.server
  const wanted = { actingUserId: ids.admin, type: 'public', requestedAt: 0, token: '' } as const
  const { id } = await context.store.write((tx) => insertExport(tx, wanted))
  await makeExports.run(context, AbortSignal.abort())
  assert.equal(findPendingExport(context.store)?.id, id)
  await context.store.write(wakeJobs)
  await other.settled()
  assert.ok(findExport(context.store, id)?.fileHash)
})

test('what was exported is not kept when the export is deleted', async () => {
  const { store, files } = server.server.context
  server.clock.advance(1000)
  const { id } = await make()
  const hash = findExport(store, id)?.fileHash ?? ''
  assert.ok(await files.size(hash))
  server.clock.advance(2 * graceSeconds * 1000)
  await server.settled()
  assert.ok(await files.size(hash))
  assert.deepEqual(await remove('admin', id), success)
  server.clock.advance(2 * graceSeconds * 1000)
  await server.settled()
  assert.equal(await files.size(hash), undefined)
})

test('a public export has the organization, its people and what is public', async () => {
  const open = await server.say('member', 'public', 'plans', 'See **this**.')
  await admin.post(`/messages/${open}/reactions`, { emoji_name: 'octopus' })
  const closed = await server.say('member', 'private', 'plans', 'A secret.')
  const direct = await server.say('member', ['zoe'], '', 'Another secret.')
  const made = await make()
  const archive = await unpack(made)
  const { name, settings } = archive.json<{ name: string; settings: object }>('realm.json')
  assert.equal(name, 'Zulip Dev')
  assert.equal((settings as { invite_required: boolean }).invite_required, false)
  const people = archive.json<{ user_id: number; full_name: string }[]>('users.json')
  assert.equal(people.find(({ user_id }) => user_id === ids.zoe)?.full_name, 'Zoe')
  const listed = archive.json<{ stream_id: number; subscribers: number[] }[]>('channels.json')
  assert.ok(listed.some(({ stream_id }) => stream_id === channels.public))
  assert.ok(!listed.some(({ stream_id }) => stream_id === channels.private))
  const groups = archive.json<{ name: string }[]>('user_groups.json')
  assert.ok(groups.some((group) => group.name === 'hamletcharacters'))
  const messages = await messagesOf(made)
  const found = messages.find(({ id }) => id === open)
  assert.deepEqual(
    [found?.type, found?.channel_id, found?.topic, found?.content],
    ['channel', channels.public, 'plans', 'See **this**.'],
  )
  assert.deepEqual(found?.reactions, [
    {
      user_id: ids.admin,
      emoji_name: 'octopus',
      emoji_code: '1f419',
      reaction_type: 'unicode_emoji',
    },
  ])
  assert.ok(!messages.some(({ id }) => id === closed || id === direct))
  const order = messages.map(({ id }) => id)
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  )
})

test('no key, password or session is in any file', async () => {
  const archive = await unpack(await make('full_with_consent'))
  const all = archive.names.map((name) => archive.read(name)).join('')
  const rows = server.server.context.store.db.$client
    .prepare<[], { api_key: string; password_hash: string | null }>(
      'SELECT api_key, password_hash FROM users',
    )
    .all()
  for (const { api_key, password_hash } of rows) {
    assert.ok(!all.includes(api_key))
    assert.ok(password_hash === null || !all.includes(password_hash))
  }
})

test('with consent it has what those may read who consent, and nothing else private', async () => {
  const says = (actor: Actor, to: 'private' | Actor[]) => server.say(actor, to, 'x', 'Private.')
  const inPrivate = await says('member', 'private')
  const withOwner = await says('member', ['owner'])
  const others = await says('zoe', ['othello'])
  const protectedOne = await server.as('member').post<{ id: number }>('/channels/create', {
    name: 'protected',
    subscribers: [ids.member],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const write = async () => {
    const place = { type: 'channel', to: protectedOne.id, topic: 'x', content: 'Private.' }
    return (await server.as('member').post<{ id: number }>('/messages', place)).id
  }
  const early = await write()
  const subscriptions = [{ name: 'protected' }]
  await server
    .as('member')
    .post('/users/me/subscriptions', { subscriptions, principals: [ids.owner] })
  const late = await write()
  const exported = async () => {
    const messages = await messagesOf(await make('full_with_consent'))
    const found = new Set(messages.map(({ id }) => id))
    return [inPrivate, withOwner, others, early, late].map((id) => found.has(id))
  }
  assert.deepEqual(await exported(), [false, false, false, false, false])
  await server.as('owner').patch('/settings', { allow_private_data_export: true })
  assert.deepEqual(await exported(), [true, true, false, false, true])
  await server.as('owner').patch('/settings', { allow_private_data_export: false })
})

test('uploads that exported messages link to come along, whatever they are called', async () => {
  const upload = async (name: string, contents: string) => {
    const form = new FormData()
    form.set('file', new File([contents], name))
    const basic = Buffer.from(`${admin.email}:${admin.apiKey}`).toString('base64')
    const response = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: form,
    })
    return ((await response.json()) as { url: string }).url
  }
  const open = await upload(`${'é'.repeat(100)}.txt`, 'Open.')
  const hidden = await upload('hidden.txt', 'Hidden.')
  await server.say('admin', 'public', 'files', `[Open](${open})`)
  await server.say('admin', 'private', 'files', `[Hidden](${hidden})`)
  const archive = await unpack(await make())
  const uploads = archive.names.filter((name) => name.startsWith('uploads/'))
  assert.equal(uploads.length, 1)
  const [listed, ...more] = archive.json<{ path_id: string; owner_id: number }[]>('uploads.json')
  assert.deepEqual([listed?.owner_id, more], [ids.admin, []])
  assert.equal(archive.read(`uploads/${listed?.path_id}`), 'Open.')
})

describe('refused', () => {
  // biome-ignore format: a table reads best in columns
  const rows: [string, () => Promise<object>, object | RegExp][] = [
    ['a type that has no number',  () => ask('admin', 3),                    /export_type/],
    ['a type that is not there',  () => ask('admin', 'everything'),          /export_type/],
    ['all without consent',       () => ask('admin', 'full_without_consent'), /export_type/],
    ['a type of __proto__',       () => ask('admin', '__proto__'),           /export_type/],
    ['deleting what is not there', () => remove('admin', 999),               failure('Invalid data export ID')],
    ['deleting beyond integers',  () => admin.del(`${path}/99999999999999999999`), /export_id/],
  ]
  for (const [what, call, expected] of rows) {
    test(what, async () => {
      const before = await list()
      const reply = (await call()) as { result: string; msg: string }
      if (expected instanceof RegExp) {
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, expected)
      } else assert.deepEqual(reply, expected)
      assert.deepEqual(await list(), before)
    })
  }

  test('a second one while one is made, and deleting that', async () => {
    const [first, second] = await Promise.all([ask('admin'), ask('owner')])
    const busy = failure('Another export is still in progress.')
    assert.deepEqual([first.result, second], ['success', busy])
    assert.deepEqual(await remove('admin', first.id), failure('Export still in progress'))
    await server.settled()
  })

  test('an address that nobody was told', async () => {
    for (const token of ['0'.repeat(32), '../export', 'x']) {
      assert.equal((await fetch(`${server.url}/exports/${token}/export.tar.gz`)).status, 404)
    }
  })
})
