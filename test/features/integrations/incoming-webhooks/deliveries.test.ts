import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Reply, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

/** The fixture's incoming webhook bot, which belongs to Zoe. */
const webhookBot = 17
const botKey = fixtureApiKey('webhook-bot@zulip.com')

interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

async function send(path: string, body: unknown, sent: Sent = {}): Promise<Reply> {
  const { method = 'POST', query = {}, headers = {} } = sent
  const asked = new URLSearchParams({ api_key: botKey, stream: 'Denmark', ...query })
  const isRaw = typeof body === 'string' || body instanceof FormData
  const response = await fetch(`${server.url}/api/v1/external/${path}?${asked}`, {
    method,
    headers,
    ...(method === 'POST' && { body: isRaw ? body : JSON.stringify(body) }),
  })
  return (await response.json()) as Reply
}

interface Said {
  id: number
  type: string
  subject: string
  content: string
}

async function said(narrow: unknown[], count = 1): Promise<Said[]> {
  const page = await server.as('zoe').get<{ messages: Said[] }>('/messages', {
    narrow,
    anchor: 'newest',
    num_before: count,
    num_after: 0,
    apply_markdown: false,
  })
  return page.messages
}

const byBot = (count = 1) => said([['sender', webhookBot]], count)

/** What Notification Bot has told the bot's owner since the last time. */
let heard = 0
async function news(): Promise<string[]> {
  const all = await said(
    [
      ['sender', 'notification-bot@zulip.com'],
      ['is', 'dm'],
    ],
    100,
  )
  const fresh = all.filter(({ id }) => id > heard).map(({ content }) => content)
  heard = Math.max(heard, ...all.map(({ id }) => id))
  return fresh
}

const hour = 60 * 60 * 1000
const push = { headers: { 'x-github-event': 'push' } }

describe('what the owner of a bot is told', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [what: string, path: string, body: unknown, sent: Sent, told: RegExp | undefined][] = [
    ['a channel that does not exist', 'json',   {},            { query: { stream: 'Nowhere' } }, /Zulip Webhook Bot.*JSON formatter.*Channel 'Nowhere' does not exist/is],
    ['a missing header',              'github', {},            {},                               /GitHub.*X-GitHub-Event/s],
    ['malformed JSON',                'json',   '{"a": ',      {},                               /JSON formatter.*not valid JSON/s],
    ['a template without a member',   'zabbix', {},            {},                               /Zabbix.*valid member 'status'/s],
    ['a missing member otherwise',    'stripe', {},            {},                               undefined],
    ['an unknown event',              'gitea',  {},            { headers: { 'x-gitea-event': 'x' } }, undefined],
    ['malformed JSON as usual',       'zapier', '{"a": ',      {},                               undefined],
    ['a payload of another service',  'jira',   { a: 1 },      {},                               undefined],
    ['what is fine',                  'json',   { a: 1 },      {},                               undefined],
  ]
  for (const [what, path, body, sent, told] of matrix) {
    test(`of ${what}: ${told ? 'that it went wrong' : 'nothing'}`, async () => {
      await news()
      await send(path, body, sent)
      const all = await news()
      assert.equal(all.length, told ? 1 : 0)
      if (told) assert.match(all[0] ?? '', told)
    })
  }

  test('once an hour of each kind of mistake', async () => {
    server.clock.advance(hour)
    await news()
    const nowhere = { query: { stream: 'Nowhere' } }
    for (let i = 0; i < 3; i++) await send('json', {}, nowhere)
    await send('github', {}, nowhere)
    assert.equal((await news()).length, 2)
    server.clock.advance(hour - 1000)
    await send('json', {}, nowhere)
    assert.equal((await news()).length, 0)
    server.clock.advance(2000)
    await send('json', {}, nowhere)
    assert.equal((await news()).length, 1)
  })
})

describe('malformed JSON is refused by every integration, and its owner is told once', () => {
  for (const { name, displayName, isOftenMalformed, takesText, eventHeaders } of integrations) {
    test(displayName, async () => {
      server.clock.advance(hour)
      await news()
      const headers = Object.fromEntries((eventHeaders ?? []).map((header) => [header, 'push']))
      const reply = await send(name, '{"a": ', { headers })
      // Other text may be a message there.
      if (takesText) return assert.equal(reply.result, 'success')
      assert.deepEqual(reply, failure('The payload is not valid JSON.'))
      await send(name, '[1, ', { headers })
      assert.equal((await news()).length, isOftenMalformed ? 0 : 1)
    })
  }
})

test('a payload that the service never sends is told apart from a bad one', async () => {
  assert.deepEqual(
    await send('jira', { a: 1 }),
    failure(
      'Jira does not send payloads like this: is this the URL of another service?',
      'ANOMALOUS_WEBHOOK_PAYLOAD',
    ),
  )
  assert.deepEqual(
    await send('github', { a: 1 }),
    failure("Missing the HTTP event header 'X-GitHub-Event'", 'MISSING_HTTP_EVENT_HEADER', {
      header: 'X-GitHub-Event',
    }),
  )
  assert.deepEqual(
    await send('github', { sender: {} }, push),
    failure("The payload has no valid member 'ref'."),
  )
})

describe('one delivery, several messages', () => {
  const alerts = (count: number) => ({
    status: 'firing',
    alerts: Array.from({ length: count }, (_, i) => ({
      status: 'firing',
      labels: { alertname: 'Dry', instance: `bed ${i}` },
      generatorURL: 'https://prometheus.example.com/graph?g0.tab=1',
    })),
  })

  test('one for each topic', async () => {
    assert.deepEqual(await send('alertmanager', alerts(3)), success)
    const topics = (await byBot(3)).map(({ subject }) => subject)
    assert.deepEqual(topics, ['bed 0', 'bed 1', 'bed 2'])
  })

  test('at most twenty are sent, and a note about the rest', async () => {
    await send('alertmanager', alerts(25))
    const all = await byBot(21)
    assert.deepEqual(
      [all[0]?.subject, all[1]?.subject, all.at(-1)?.subject],
      ['bed 2', 'bed 0', 'bed 19'],
    )
    assert.match(all.at(-1)?.content ?? '', /5 further messages are left out/)
  })

  test('all of them or none', async () => {
    const [before] = await byBot()
    const reply = await send('alertmanager', alerts(2), { query: { stream: 'core team' } })
    assert.equal(reply.code, 'STREAM_DOES_NOT_EXIST')
    assert.equal((await byBot())[0]?.id, before?.id)
  })
})

test('a secret for the owner goes to the owner, wherever the URL points', async () => {
  assert.deepEqual(await send('notion', { verification_token: 'secret_abc' }), success)
  const [note] = await byBot()
  assert.equal(note?.type, 'private')
  assert.match(note?.content ?? '', /secret_abc/)
})

describe('in whatever way a service sends it', () => {
  const heartbeat = { status: 1, msg: '200 - OK', ping: 12 }
  const monitor = { name: 'Garden', url: 'https://garden.example.com' }

  test('as parameters of a GET request', async () => {
    const query = {
      heartbeat: JSON.stringify(heartbeat),
      monitor: JSON.stringify(monitor),
      msg: 'x',
    }
    assert.deepEqual(await send('uptimekuma', undefined, { method: 'GET', query }), success)
    const [note] = await byBot()
    assert.equal(note?.subject, 'Garden')
    assert.match(
      note?.content ?? '',
      /^:squared_ok: \[Garden\]\(https:\/\/garden\.example\.com\) is up/,
    )
  })

  test('in a field of a multipart form', async () => {
    const form = new FormData()
    form.set('data', JSON.stringify({ heartbeat: { ...heartbeat, status: 0 }, monitor, msg: 'x' }))
    assert.deepEqual(await send('uptimekuma', form), success)
    assert.match((await byBot())[0]?.content ?? '', /^:alert: /)
  })

  test('in the query of a POST request', async () => {
    const query = { ticket_id: '7', ticket_title: 'Dry', message: 'See [7](https://a.example).' }
    assert.deepEqual(await send('zendesk', '', { query }), success)
    const [note] = await byBot()
    assert.deepEqual([note?.subject, note?.content], ['#7: Dry', 'See [7](https://a.example).'])
  })

  test('as a text with headers', async () => {
    const headers = { title: 'Greenhouse', priority: 'high', tags: 'warning,nosuchemoji' }
    assert.deepEqual(await send('ntfy', 'The window is open.', { headers }), success)
    const [note] = await byBot()
    assert.deepEqual(
      [note?.subject, note?.content],
      ['Greenhouse', ':alert: :warning: **The window is open.**'],
    )
  })
})

test('Zapier can ask which bot it posts as', async () => {
  const [before] = await byBot()
  const { id, email, full_name } = (await send('zapier', { type: 'auth' })) as Reply & {
    id: number
    email: string
    full_name: string
  }
  assert.deepEqual(
    [id, email, full_name],
    [webhookBot, 'webhook-bot@zulip.com', 'Zulip Webhook Bot'],
  )
  assert.equal((await byBot())[0]?.id, before?.id)
})

test('a command in a text of another program is only text', async () => {
  await send('homeassistant', { message: '/poll Which?\nThis\nThat' })
  assert.equal((await byBot())[0]?.content, ' /poll Which?\nThis\nThat')
})

test('a mention that someone has written notifies nobody', async () => {
  await send('homeassistant', { message: 'Hello @**King Hamlet** and @**all**.' })
  assert.equal((await byBot())[0]?.content, 'Hello @_**King Hamlet** and @_**all**.')
})

test('the last deliveries say what became of them', async () => {
  await send('slack_incoming', { text: 'Kept' })
  await send('slack_incoming', { text: 'Lost' }, { query: { stream: 'nowhere' } })
  const reply = await server.as('zoe').get<{
    deliveries: { what: string; status: number; answer: string; message_id: null }[]
    signing_secret: null
  }>(`/bots/${webhookBot}/deliveries`)
  const [lost, kept] = reply.deliveries
  assert.equal(reply.signing_secret, null)
  assert.deepEqual([kept?.status, kept?.answer, kept?.message_id], [200, 'Messages: 1', null])
  assert.deepEqual([lost?.status, lost?.answer], [400, "Channel 'nowhere' does not exist"])
  await send('alertmanager', { status: 'x'.repeat(100_000), alerts: [{}] })
  const { deliveries } = await server
    .as('zoe')
    .get<{ deliveries: { what: string }[] }>(`/bots/${webhookBot}/deliveries`)
  assert.match(deliveries[0]?.what ?? '', /^Prometheus Alertmanager · x+$/)
  assert.equal(deliveries[0]?.what.length, 300)
})
