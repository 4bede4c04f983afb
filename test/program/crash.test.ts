import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '#platform/store/open.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { programArguments } from '#test/support/programs.ts'

const data = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(data, { recursive: true }))

const email = 'hamlet@zulip.com'
const authorization = `Basic ${Buffer.from(`${email}:${fixtureApiKey(email)}`).toString('base64')}`

async function start() {
  const args = [...programArguments('test/support/serve.ts'), data]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: line.toString().trim() }
}

async function call(url: string, method: string, path: string, params: Record<string, string>) {
  const form = new URLSearchParams(params)
  const query = method === 'GET' ? `?${form}` : ''
  const response = await fetch(`${url}/api/v1${path}${query}`, {
    method,
    headers: { authorization },
    ...(method !== 'GET' && { body: form }),
  })
  return await response.json()
}

test('a killed server has every message that it acknowledged, and none of its events was untrue', async () => {
  const { child, url } = await start()
  const acknowledged: number[] = []
  const heard: number[] = []
  const refused: unknown[] = []
  let stop = () => {}
  const enough = new Promise<void>((resolve) => {
    stop = resolve
  })

  async function sendForEver(sender: number): Promise<void> {
    for (let i = 0; ; i++) {
      const reply = await call(url, 'POST', '/messages', {
        type: 'channel',
        to: '4',
        topic: `storm ${sender}`,
        content: `Gust ${i}`,
      })
      if (reply.result === 'success') acknowledged.push(reply.id)
      else refused.push(reply)
      if (acknowledged.length === 400) stop()
    }
  }
  async function listenForEver(): Promise<void> {
    const { queue_id } = await call(url, 'POST', '/register', { event_types: '["message"]' })
    for (let last = -1; ; ) {
      const { events } = await call(url, 'GET', '/events', {
        queue_id,
        last_event_id: String(last),
      })
      for (const event of events) {
        last = event.id
        if (event.type === 'message') heard.push(event.message.id)
      }
    }
  }

  const storm = Promise.allSettled([
    listenForEver(),
    ...Array.from({ length: 20 }, (_, sender) => sendForEver(sender)),
  ])
  await enough
  child.kill('SIGKILL')
  await storm

  assert.deepEqual(refused, [])
  assert.ok(acknowledged.length >= 400 && heard.length > 0)
  const db = openDatabase(join(data, 'parley.db'))
  const stored = new Set(db.$client.prepare('SELECT id FROM messages').pluck().all())
  const found = db.$client.prepare('SELECT count(*) FROM messages_fts').pluck().get()
  db.$client.close()
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  assert.deepEqual(
    heard.filter((id) => !stored.has(id)),
    [],
  )
  assert.equal(found, stored.size)

  const again = await start()
  const reply = await call(again.url, 'GET', '/users/me', {})
  assert.equal(reply.user_id, 10)
  again.child.kill()
})
