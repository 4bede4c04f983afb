import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { type Client, startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'
import { mountSmallDisk, type SmallDisk } from '#test/support/small-disk.ts'
import { act, newSeen, startVictim } from '#test/support/storm.ts'

const mebibyte = 1024 * 1024
const disk = mountSmallDisk(40)
const isMountable = disk !== undefined
after(() => disk?.remove())
const text = 'Another line of the history. '.repeat(200)

async function withSmallDisk(use: (small: SmallDisk) => Promise<void>): Promise<void> {
  const small = mountSmallDisk(40)
  assert.ok(small)
  try {
    await use(small)
  } finally {
    small.remove()
  }
}

/** Sends until the server refuses. @returns the IDs of the messages that it acknowledged */
async function sendUntilFull(sender: Client): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < 2000; i++) {
    const reply = await sender.post<{ id: number; code?: string }>('/messages', {
      type: 'channel',
      to: 'Verona',
      topic: 'history',
      content: `${i} ${text}`,
    })
    if (reply.result !== 'success') {
      assert.deepEqual([reply.status, reply.code], [507, 'STORAGE_FULL'])
      return ids
    }
    ids.push(reply.id)
  }
  return assert.fail('The disk did not fill up.')
}

describe('on a full disk', { skip: !disk && 'a file system can only be mounted as root' }, () => {
  test('writing fails with its reason, reading goes on, and nothing acknowledged is lost', async () => {
    const data = join(disk?.folder ?? '', 'data')
    const before = await startServer({ data })
    const member = before.as('member')
    const { queueId } = await member.watch('message')
    const free = disk?.fill(1024 * 1024)
    const acknowledged = await sendUntilFull(before.as('owner'))
    assert.ok(acknowledged.length > 0)

    const { email, apiKey } = member
    const upload = await fetch(`${before.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
      body: fileOf(4 * 1024 * 1024),
    })
    assert.equal(((await upload.json()) as { code: string }).code, 'STORAGE_FULL')
    const { messages } = await member.get<{ messages: { id: number }[] }>('/messages', {
      anchor: 'newest',
      num_before: 3,
      num_after: 0,
    })
    assert.equal(messages.at(-1)?.id, acknowledged.at(-1))
    const narrow = [['search', 'history']]
    const search = { anchor: 'newest', num_before: 3, num_after: 0, narrow }
    assert.equal((await member.get('/messages', search)).result, 'success')
    assert.equal((await member.post('/register', { event_types: ['message'] })).result, 'success')
    await before.close()

    free?.()
    const later = await startServer({ data })
    const { events } = await later
      .as('member')
      .get<{ events: { message: { id: number } }[] }>('/events', {
        queue_id: queueId,
        last_event_id: -1,
        dont_block: true,
      })
    assert.deepEqual(
      events.map(({ message }) => message.id),
      acknowledged,
    )
    assert.equal((await later.as('owner').get(`/messages/${acknowledged[0]}`)).result, 'success')
    await later.say('owner', 'public')
    await later.close()
  })
})

/** A data folder that a killed server has left. */
const crashed = mkdtempSync(join(tmpdir(), 'parley-crashed-'))
after(() => rmSync(crashed, { recursive: true }))

/** Puts that folder on a disk with so many free bytes. */
function crashedOn(small: SmallDisk, spare: number): string {
  const data = join(small.folder, 'data')
  cpSync(crashed, data, { recursive: true })
  small.fill(spare)
  return data
}

describe('after a crash on a full disk', { skip: !isMountable && 'only root can mount' }, () => {
  before(async () => {
    const victim = await startVictim(crashed)
    await act(victim.url, 'hamlet@zulip.com', newSeen(), () => victim.child.kill('SIGKILL'))
  })
  const commands: readonly (readonly string[])[] = [
    ['check'],
    ['user', 'list'],
    ['backup', join(tmpdir(), `parley-backup-${process.pid}`)],
  ]
  for (const args of commands) {
    test(`parley ${args.slice(0, 1)} goes on with the room of the reserve, and says so`, async () => {
      await withSmallDisk(async (small) => {
        const data = crashedOn(small, 0)
        const { code, out, err } = await parley([...args, '--data', data])
        assert.deepEqual(
          [code, /^The disk is full: .*reserve was deleted/.test(err)],
          [0, true],
          out,
        )
      })
      rmSync(commands[2]?.[1] ?? '', { recursive: true, force: true })
    })
  }

  for (const spare of [0, 136 * 1024]) {
    test(`the server starts with ${spare} bytes free, and leaves half of the reserve free`, async () => {
      await withSmallDisk(async (small) => {
        const data = crashedOn(small, spare)
        const logged: string[] = []
        const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) })
        const server = await startServer({ data, log })
        assert.match(logged.join(), /The disk is full: .*reserve was deleted/)
        assert.equal((await server.as('member').get('/messages/1')).result, 'success')
        await server.say('member', 'public')
        const reserve = statSync(join(data, 'reserve')).size
        assert.ok(reserve >= 4 * mebibyte && reserve <= 10 * mebibyte, String(reserve))
        await server.close()
      })
    })
  }

  test('it fails with the reason where there is no reserve', async () => {
    await withSmallDisk(async (small) => {
      const data = crashedOn(small, 0)
      rmSync(join(data, 'reserve'))
      small.fill()
      await assert.rejects(startServer({ data }), /The disk is full/)
    })
  })
})

test('messages of one long word each: whatever is killed, it starts again and can be copied', async (t) => {
  if (!isMountable) return t.skip('only root can mount')
  await withSmallDisk(async (small) => {
    const data = join(small.folder, 'data')
    const copies = mkdtempSync(join(tmpdir(), 'parley-copies-'))
    t.after(() => rmSync(copies, { recursive: true }))
    let sent = 0
    for (let round = 0; round < 2; round++) {
      const victim = await startVictim(data)
      t.after(() => victim.child.kill('SIGKILL'))
      const login = await fetch(`${victim.url}/api/v1/dev_fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ username: 'hamlet@zulip.com' }),
      })
      const { api_key: key } = (await login.json()) as { api_key: string }
      if (round === 0) small.fill(6 * mebibyte)
      const send = async () => {
        const content = 'w'.repeat(9000) + randomUUID()
        const reply = await fetch(`${victim.url}/api/v1/messages`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`hamlet@zulip.com:${key}`)}` },
          body: new URLSearchParams({ type: 'channel', to: 'Verona', topic: 'words', content }),
        })
        if (reply.ok) sent += 1
        return reply.status
      }
      let all: number[] = []
      while (all.every((status) => status === 200)) {
        all = await Promise.all(Array.from({ length: 25 }, send))
      }
      assert.ok(all.includes(507), all.join())
      await victim.kill()
      for (const args of [['check'], ['user', 'list'], ['backup', join(copies, String(round))]]) {
        const { code, out, err } = await parley([...args, '--data', data])
        assert.equal(code, 0, out + err)
      }
    }
    assert.ok(sent > 50, String(sent))
    const again = await startServer({ data })
    assert.equal((await again.as('member').get('/messages/1')).result, 'success')
    await again.close()
  })
})

test('a command that only reads writes nothing into the database', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-read-'))
  const server = await startServer({ data })
  for (let i = 0; i < 30; i++) await server.say('member', 'public', 'reads', `Line ${i}.`)
  await server.close()
  const before = readFileSync(join(data, 'parley.db'))
  for (const args of [['check'], ['user', 'list'], ['backup', join(data, 'copy')]]) {
    const { code, err } = await parley([...args, '--data', data])
    assert.equal(code, 0, err)
    assert.ok(readFileSync(join(data, 'parley.db')).equals(before), args[0])
  }
  rmSync(data, { recursive: true })
})

test('a stop on a disk that others filled leaves no log behind', async (t) => {
  if (!isMountable) return t.skip('only root can mount')
  await withSmallDisk(async (small) => {
    const data = join(small.folder, 'data')
    const server = await startServer({ data })
    await server.say('member', 'public', 'long', 'x'.repeat(9000))
    small.fill()
    await server.close()
    assert.equal(existsSync(join(data, 'parley.db-wal')), false)
  })
})

function fileOf(bytes: number): FormData {
  const form = new FormData()
  form.set('file', new Blob([Buffer.alloc(bytes)]), 'large.bin')
  return form
}
