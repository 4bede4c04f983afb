import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '#platform/store/open.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { commandOf, type StartedServer, startProgram } from './programs.ts'

/** Starts a server on a data folder, to be killed. @throws AssertionError it ends without serving */
export function startVictim(data: string): Promise<StartedServer> {
  return startProgram(commandOf('test/support/serve.ts', data))
}

interface Reply {
  readonly result: string
  readonly code?: string
  readonly [member: string]: unknown
}

/** @throws TypeError the server is gone */
async function call(
  url: string,
  email: string,
  method: string,
  path: string,
  params: Record<string, string> | FormData = {},
): Promise<Reply> {
  const isForm = params instanceof FormData
  const query = method === 'GET' && !isForm ? `?${new URLSearchParams(params)}` : ''
  const key = Buffer.from(`${email}:${fixtureApiKey(email)}`).toString('base64')
  const response = await fetch(`${url}/api/v1${path}${query}`, {
    method,
    headers: { authorization: `Basic ${key}` },
    ...(method !== 'GET' && { body: isForm ? params : new URLSearchParams(params) }),
  })
  return (await response.json()) as Reply
}

/** Verona, where all clients of a storm are subscribed. */
const channelId = 3

/** What clients saw of all servers of a storm, until each was killed. */
export interface Seen {
  readonly sent: number[]
  readonly edited: Map<number, string>
  readonly reacted: number[]
  readonly drafts: number[]
  /** Texts of messages that were refused because the disk was full. */
  readonly unsent: string[]
  /** Replies other than success, and refused polls. */
  readonly refused: Reply[]
}

export function newSeen(): Seen {
  return { sent: [], edited: new Map(), reacted: [], drafts: [], unsent: [], refused: [] }
}

/** Runs `step` again and again until the server is gone, or it returns false. */
async function untilGone(step: (i: number) => Promise<boolean>): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      if (!(await step(i))) return
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

/** Resolves once a server of a storm has acknowledged so many messages; count each with `sent`. */
export function countdown(messages: number): { reached: Promise<void>; sent(): void } {
  let left = messages
  let done = () => {}
  const reached = new Promise<void>((resolve) => {
    done = resolve
  })
  return {
    reached,
    sent() {
      left -= 1
      if (left === 0) done()
    },
  }
}

/**
 * Sends messages, and edits, adds reactions and saves drafts, until the server is gone.
 *
 * @param onFull called when there is no room for something, which is an error without it
 */
export function act(
  url: string,
  email: string,
  seen: Seen,
  onSent: () => void,
  onFull?: () => void,
): Promise<void> {
  const ask = async (method: string, path: string, params: { [name: string]: string }) => {
    const reply = await call(url, email, method, path, params)
    if (reply.result === 'success') return reply
    if (reply.code === 'STORAGE_FULL' && onFull) onFull()
    else seen.refused.push(reply)
    return undefined
  }
  return untilGone(async (i) => {
    const content = `Gust ${i} ${randomUUID()}`
    const sent = await ask('POST', '/messages', {
      type: 'channel',
      to: String(channelId),
      topic: `storm of ${email}`,
      content,
    })
    if (!sent) {
      seen.unsent.push(content)
      return true
    }
    const id = sent.id as number
    seen.sent.push(id)
    onSent()
    if (i % 4 === 1) {
      const stronger = `${content}, stronger`
      if (await ask('PATCH', `/messages/${id}`, { content: stronger })) {
        seen.edited.set(id, stronger)
      }
    }
    if (i % 4 === 2) {
      const added = await ask('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' })
      if (added) seen.reacted.push(id)
    }
    if (i % 4 === 3) {
      const draft = { type: 'stream', to: [channelId], topic: 'storm', content: `Calm ${i}` }
      const saved = await ask('POST', '/drafts', { drafts: JSON.stringify([draft]) })
      if (saved) seen.drafts.push(...(saved.ids as number[]))
    }
    return true
  })
}

/** A client with one event queue for all servers of a storm. */
export interface Listener {
  readonly email: string
  queueId?: string
  /** The newest message when it registered; events tell it of all later ones. */
  newestBefore: number
  lastEventId: number
  readonly eventIds: number[]
  readonly heard: number[]
}

export function newListener(email: string): Listener {
  return { email, newestBefore: 0, lastEventId: -1, eventIds: [], heard: [] }
}

/**
 * Registers unless it has, then polls until the server is gone.
 *
 * @param isWaiting otherwise, it polls only until there is nothing new
 */
export async function listen(
  url: string,
  listener: Listener,
  seen: Seen,
  isWaiting = true,
): Promise<void> {
  await untilGone(async () => {
    if (listener.queueId === undefined) {
      const types = { event_types: '["message"]', fetch_event_types: '["message"]' }
      const reply = await call(url, listener.email, 'POST', '/register', types)
      listener.queueId = reply.queue_id as string
      listener.newestBefore = reply.max_message_id as number
    }
    const before = listener.lastEventId
    const { events, ...reply } = await call(url, listener.email, 'GET', '/events', {
      queue_id: listener.queueId,
      last_event_id: String(listener.lastEventId),
      dont_block: String(!isWaiting),
    })
    if (reply.result !== 'success') seen.refused.push(reply)
    for (const event of (events ?? []) as { id: number; message?: { id: number } }[]) {
      listener.lastEventId = event.id
      listener.eventIds.push(event.id)
      if (event.message) listener.heard.push(event.message.id)
    }
    return isWaiting || listener.lastEventId > before
  })
}

/** Checks a data folder whose server was killed, and what listeners heard of it. */
export function checkStorm(data: string, seen: Seen, listeners: readonly Listener[]): void {
  const client = openDatabase(join(data, 'parley.db')).$client
  try {
    assert.equal(client.pragma('integrity_check', { simple: true }), 'ok')
    client.exec("INSERT INTO messages_fts (messages_fts) VALUES ('integrity-check')")
    const column = (sql: string) => client.prepare(sql).pluck().all() as number[]
    const stored = column('SELECT id FROM messages ORDER BY id')
    const known = new Set(stored)
    assert.deepEqual(seen.refused, [])
    assert.equal(new Set(seen.sent).size, seen.sent.length, 'an ID was used twice')
    const lost = (ids: readonly number[], found: ReadonlySet<number>) =>
      ids.filter((id) => !found.has(id))
    assert.deepEqual(lost(seen.sent, known), [])
    assert.deepEqual(lost(seen.reacted, new Set(column('SELECT message_id FROM reactions'))), [])
    assert.deepEqual(lost(seen.drafts, new Set(column('SELECT id FROM drafts'))), [])
    const content = client.prepare('SELECT content FROM messages WHERE id = ?').pluck()
    const found = client.prepare('SELECT count(*) FROM messages WHERE content = ?').pluck()
    for (const text of seen.unsent) assert.equal(found.get(text), 0, 'what was refused is stored')
    for (const [id, text] of seen.edited) assert.equal(content.get(id), text)
    for (const { email, newestBefore, eventIds, heard } of listeners) {
      assert.ok(
        eventIds.every((id, i) => i === 0 || id > (eventIds[i - 1] ?? 0)),
        `the events of ${email} are in order`,
      )
      const expected = stored.filter((id) => id > newestBefore)
      assert.deepEqual(heard, expected, `${email} gets each message once`)
    }
  } finally {
    client.close()
  }
}
