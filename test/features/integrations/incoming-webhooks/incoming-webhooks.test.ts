import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Reply, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

/** The fixture's incoming webhook bot, which belongs to Zoe. */
const webhookBot = 17
const botKey = fixtureApiKey('webhook-bot@zulip.com')

interface Call {
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** What a service posts; JSON unless it is text already. */
async function post(path: string, body: unknown, call: Call = {}): Promise<Reply> {
  const query = new URLSearchParams({ api_key: call.key ?? botKey, ...call.query })
  if (call.key === '') query.delete('api_key')
  const isText = typeof body === 'string'
  const response = await server.fetch(`/api/v1/external/${path}?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...call.headers },
    body: (isText || body instanceof Uint8Array ? body : JSON.stringify(body)) as BodyInit,
  })
  const reply = (await response.json()) as Reply
  return Object.defineProperty(reply, 'status', { value: response.status, enumerable: false })
}

const inDenmark = (topic?: string) => ({ query: { stream: 'Denmark', ...(topic && { topic }) } })

interface Said {
  id: number
  sender_id: number
  subject: string
  content: string
  client: string
  flags: string[]
}

async function newest(actor: Actor, narrow: unknown[], html = false): Promise<Said | undefined> {
  const page = await server.as(actor).get<{ messages: Said[] }>('/messages', {
    narrow,
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: html,
  })
  return page.messages[0]
}

const fromBot = [['sender', webhookBot]]
const lastSaid = (sender = webhookBot) => newest('zoe', [['sender', sender]])
const lastId = async () => (await lastSaid())?.id

describe('where a note goes', () => {
  const text = { text: 'Hello.' }
  // biome-ignore format: a table reads best in columns
  const matrix: [string, Record<string, string>, [topic: string, channel: string | undefined]][] = [
    ['to the channel and topic of the address',  { stream: 'Denmark', topic: 'alerts' }, ['alerts', 'Denmark']],
    ['to a channel by its id',                   { stream: '3', topic: 'alerts' },       ['alerts', 'Verona']],
    ['to no topic, if nothing names one',         { stream: 'Denmark' },                  ['general chat', 'Denmark']],
    ['to the owner alone without a channel',     {},                                     ['', undefined]],
    ['escaped twice',                            { stream: 'Den%6Dark', topic: 'a%20b' }, ['a b', 'Denmark']],
    ['a topic alone says nothing',               { topic: 'alerts' },                    ['', undefined]],
  ]
  for (const [what, query, [topic, channel]] of matrix) {
    test(what, async () => {
      assert.deepEqual(await post('slack_incoming', text, { query }), success)
      const said = (await lastSaid()) as Said & { display_recipient: unknown; type: string }
      assert.deepEqual([said.content, said.subject, said.sender_id], ['Hello.', topic, webhookBot])
      if (channel) assert.equal(said.display_recipient, channel)
      else {
        const people = said.display_recipient as { id: number }[]
        assert.deepEqual(people.map(({ id }) => id).sort(), [server.ids.zoe, webhookBot].sort())
      }
    })
  }

  test('a channel that does not exist, or not for the bot, is an error', async () => {
    for (const stream of ['Nowhere', 'core team']) {
      assert.deepEqual(
        await post('slack_incoming', text, { query: { stream } }),
        failure(`Channel '${stream}' does not exist`, 'STREAM_DOES_NOT_EXIST', { stream }),
      )
    }
  })

  test('a long topic is cut, and one of several lines is put in one', async () => {
    const cut = `${'x'.repeat(57)}...`
    await post('slack_incoming', { ...text, channel: `#${'x'.repeat(100)}` }, inDenmark())
    assert.equal((await lastSaid())?.subject, cut)
    await post('slack_incoming', text, inDenmark('x'.repeat(61)))
    assert.equal((await lastSaid())?.subject, cut)
    await post('slack_incoming', text, inDenmark('two\r\nlines'))
    assert.equal((await lastSaid())?.subject, 'two lines')
  })
})

describe('in whatever form it is posted', () => {
  const payload = '{"text": "Hello & *you*."}'
  // biome-ignore format: a table reads best in columns
  const matrix: [string, string | FormData, string | undefined][] = [
    ['JSON',                    payload,                                             'application/json; charset=utf-8'],
    ['JSON that is called text', payload,                                            'text/plain'],
    ['JSON that is called a form', payload,                                          'application/x-www-form-urlencoded'],
    ['fields of a form',        'text=Hello+%26+*you*.',                             'application/x-www-form-urlencoded'],
    ['a form',                  `payload=${encodeURIComponent(payload)}`,            'application/x-www-form-urlencoded'],
    ['a form with more in it',  `x=1&payload=${encodeURIComponent(payload)}&y=2`,    'application/x-www-form-urlencoded; charset=UTF-8'],
  ]
  for (const [what, body, type = ''] of matrix) {
    test(what, async () => {
      const call = { ...inDenmark(what), headers: { 'content-type': type } }
      assert.deepEqual(await post('slack_incoming', body, call), success)
      const said = await lastSaid()
      assert.deepEqual([said?.subject, said?.content], [what, 'Hello & **you**.'])
    })
  }
})

describe('whose key the address carries', () => {
  const text = { text: 'Hello.' }
  const call = (key: string) => post('slack_incoming', text, { key, ...inDenmark() })

  test('none', async () => {
    const extra = { var_name: 'api_key' }
    assert.deepEqual(
      await call(''),
      failure("Missing 'api_key' argument", 'REQUEST_VARIABLE_MISSING', extra),
    )
  })

  test('nobody’s', async () => {
    const reply = await call('0'.repeat(32))
    assert.deepEqual([reply, reply.status], [failure('Invalid API key', 'INVALID_API_KEY'), 401])
  })

  test('a person’s', async () => {
    const refused = failure('Webhooks need the API key of a bot.')
    assert.deepEqual(await call(server.as('member').apiKey), refused)
  })

  test('a generic bot’s', async () => {
    assert.deepEqual(await call(server.as('bot').apiKey), success)
  })

  test('a deactivated bot’s', async () => {
    await server.as('zoe').del(`/bots/${webhookBot}`)
    const reply = await call(botKey)
    assert.deepEqual(reply, failure('Account is deactivated', 'USER_DEACTIVATED'))
    await server.as('owner').post(`/users/${webhookBot}/reactivate`)
  })

  test('a bot’s as the password of HTTP Basic', async () => {
    const { email, apiKey } = server.as('bot')
    const basic = (key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
    const by = (key: string) =>
      post('slack_incoming', text, {
        key: '',
        ...inDenmark(),
        headers: { authorization: basic(key) },
      })
    assert.deepEqual(await by(apiKey), success)
    assert.equal((await lastSaid(server.ids.bot))?.sender_id, server.ids.bot)
    assert.deepEqual(await by('0'.repeat(32)), failure('Invalid API key', 'INVALID_API_KEY'))
  })
})

describe('a request without a payload', () => {
  for (const body of ['', ' \n']) {
    test(`${JSON.stringify(body)} is taken, and nothing is said`, async () => {
      const before = await lastId()
      assert.deepEqual(await post('github', body, inDenmark()), success)
      assert.equal(await lastId(), before)
    })
  }

  test('HEAD is answered without a message, even without a key', async () => {
    const before = await lastId()
    for (const path of ['trello', 'uptimekuma', 'github']) {
      const url = `${server.url}/api/v1/external/${path}`
      const response = await fetch(url, { method: 'HEAD' })
      assert.equal(response.status, 200)
    }
    assert.equal(await lastId(), before)
  })

  test('GET is not for webhooks, and no service is of another name', async () => {
    const url = `${server.url}/api/v1/external`
    assert.equal((await fetch(`${url}/github?api_key=${botKey}`)).status, 405)
    assert.equal((await fetch(`${url}/nosuch?api_key=${botKey}`, { method: 'POST' })).status, 404)
  })
})

test('bots have a budget of their own, and lose nothing to others', async () => {
  const limited = await startServer({ config: { rateLimits: true } })
  after(limited.close)
  const call = async (key: string) => {
    const url = `${limited.url}/api/v1/external/json?api_key=${key}&stream=Denmark`
    return (await fetch(url, { method: 'POST', body: 'nonsense' })).status
  }
  for (let i = 0; i < 20; i++) {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => call(botKey)))
    assert.deepEqual(new Set(statuses), new Set([400]))
  }
  assert.equal(await call(botKey), 429)
  assert.equal(await call(limited.as('bot').apiKey), 400)
})

describe('a hostile payload is refused, and nothing is said', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const github = { 'x-github-event': 'push' }
  // biome-ignore format: a table reads best in columns
  const matrix: [string, string, unknown, RegExp, Record<string, string>?][] = [
    ['no JSON',                'slack_incoming', '{"text": ',                         /not valid JSON/],
    ['no UTF-8',               'slack_incoming', new Uint8Array([0x22, 0xff, 0x22]),  /not valid UTF-8/],
    ['null',                   'slack_incoming', 'null',                              /not of the form/],
    ['text that is none',      'slack_incoming', { text: { a: 1 } },                  /no valid member 'text'/],
    ['blocks that are none',   'slack_incoming', { blocks: 'x' },                     /no valid member 'blocks'/],
    ['too many blocks',        'slack_incoming', { blocks: Array(201).fill({ type: 'divider' }) }, /no valid member 'blocks'/],
    ['deep nesting',           'json',           nested(102),                         /nested too deeply/],
    ['very deep nesting',      'json',           nested(50_000),                      /nested too deeply/],
    ['deep nesting in parts',  'github',         `{"commits": ${nested(5000)}}`,      /nested too deeply/, github],
    ['what is too large',      'json',           JSON.stringify('x'.repeat(300_000)), /too large \(limit: 262144 bytes\)/],
    ['an event without name',  'github',         {},                                  /X-GitHub-Event/],
    ['an empty push',          'github',         {},                                  /no valid member 'ref'/, github],
    ['wrong types',            'github',         { sender: 1, repository: [], ref: {}, before: 1, after: null }, /no valid member 'ref'/, github],
    ['no GitLab event',        'gitlab',         {},                                  /X-Gitlab-Event/],
    ['a wrong GitLab push',    'gitlab',         { project: 'x' },                    /no valid member 'ref'/, { 'x-gitlab-event': 'Push Hook' }],
    ['a prototype’s name',     'json',           '{"__proto__": ',                    /not valid JSON/],
  ]
  for (const [what, path, body, message, headers = {}] of matrix) {
    test(what, async () => {
      const before = await lastId()
      const reply = await post(path, body, { ...inDenmark(), headers })
      assert.equal(reply.result, 'error')
      assert.match(reply.msg, message)
      assert.ok(reply.status === 400 || reply.status === 413, String(reply.status))
      assert.equal(await lastId(), before)
    })
  }
})

describe('nobody is called by what another service says', () => {
  const calls = '@**all** @**everyone** @**topic** @**channel** @**stream**'
  const person = '@**King Hamlet**'
  const repository = {
    name: 'site',
    full_name: 'acme/site',
    html_url: 'https://github.com/acme/site',
  }
  const issue = (title: string, body: string) => ({
    action: 'opened',
    issue: { number: 1, title, body, html_url: 'https://github.com/acme/site/issues/1' },
    repository,
    sender: { login: 'mallory', html_url: 'https://github.com/mallory' },
  })
  const onGithub = { 'x-github-event': 'issues' }
  // biome-ignore format: a table reads best in columns
  const matrix: [string, string, unknown, Record<string, string>?][] = [
    ['text',        'slack_incoming', { text: `${calls} <!channel> <!here|here>` }],
    ['a field',     'slack_incoming', { attachments: [{ fields: [{ title: calls, value: calls }] }] }],
    ['a header',    'slack_incoming', { blocks: [{ type: 'header', text: { type: 'plain_text', text: calls } }] }],
    ['plain text',  'slack_incoming', { blocks: [{ type: 'section', text: { type: 'plain_text', text: calls } }] }],
    ['rich text',   'slack_incoming', { blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '@**a' }, { type: 'text', text: 'll**' }] }] }] }],
    ['a footer',    'slack_incoming', { attachments: [{ footer: calls }] }],
    ['JSON',        'json',           { a: `${calls} ${person}`, b: '```\n@**all**' }],
    ['a title',     'github',         issue(`${calls} ${person}`, ''), onGithub],
    ['a body',      'github',         issue('Help', `${calls} ${person}\n\`\`\`\`\n${calls}`), onGithub],
    ['a name',      'github',         { ...issue('Help', ''), sender: { login: `${calls} ${person}` } }, onGithub],
  ]
  for (const [what, path, body, headers = {}] of matrix) {
    test(what, async () => {
      assert.deepEqual(await post(path, body, { ...inDenmark(), headers }), success)
      const said = await newest('member', fromBot, true)
      assert.doesNotMatch(
        said?.content ?? '',
        /class="(user|topic|user-group)-mention[^"]*"(?<!silent")/,
      )
      const loud = said?.flags.filter((flag) => /mentioned/.test(flag))
      assert.deepEqual(loud, [])
    })
  }

  test('brackets and marks in a title do not end its link', async () => {
    for (const [title, shown] of [
      ['[WIP] a](https://evil.example)', 'issue #1 (WIP) a)(https://evil.example)'],
      ['[a](https://evil.example)', 'issue #1 [a] (https://evil.example)'],
      ['[WIP] fine', 'issue #1 [WIP] fine'],
      ['one ` mark', "issue #1 one ' mark"],
      ['``````', "issue #1 '"],
      ['two\nlines', 'issue #1 two lines'],
    ]) {
      await post('github', issue(title ?? '', ''), { ...inDenmark('x'), headers: onGithub })
      const link = `[${shown}](https://github.com/acme/site/issues/1)`
      assert.equal(
        (await lastSaid())?.content,
        `[mallory](https://github.com/mallory) opened ${link}.`,
      )
    }
  })

  test('an address that is none of the web is no link', async () => {
    const body = issue('Help', '')
    body.issue.html_url = 'javascript:alert(1)'
    body.sender.html_url = 'https://github.com/a)b(c d'
    await post('github', body, { ...inDenmark(), headers: onGithub })
    assert.equal(
      (await lastSaid())?.content,
      '[mallory](https://github.com/a%29b%28c%20d) opened issue #1.',
    )
  })
})

describe('JSON is shown as it comes', () => {
  test('laid out as code', async () => {
    await post('json', '{"b":[1,{"c":null}],"a":"```"}', inDenmark())
    const said = await lastSaid()
    assert.equal(said?.subject, 'JSON')
    assert.equal(said?.client, 'ZulipJSONformatterWebhook')
    const lines = [
      '{',
      '  "b": [',
      '    1,',
      '    {',
      '      "c": null',
      '    }',
      '  ],',
      '  "a": "```"',
      '}',
    ]
    assert.equal(said?.content, `\`\`\`\` json\n${lines.join('\n')}\n\`\`\`\``)
  })

  test('JSON too long for a message is cut', async () => {
    assert.deepEqual(await post('json', { a: 'x'.repeat(100_000) }, inDenmark()), success)
    const { content = '' } = (await lastSaid()) ?? {}
    assert.match(content, /^``` json\n\{\n {2}"a": "x+…\n```$/)
    assert.equal(content.length, 9800 + '``` json\n\n```'.length)
  })
})

describe('a secret that the owner has set', () => {
  const push = {
    ref: 'refs/tags/v1',
    before: '0'.repeat(40),
    after: 'a'.repeat(40),
    repository: { name: 'site', full_name: 'acme/site' },
    sender: { login: 'octocat' },
    project: { name: 'site' },
    user_name: 'Octocat',
  }
  const body = JSON.stringify(push)
  const wrong = failure('The payload does not contain the secret of this bot.', 'UNAUTHORIZED')
  const sign = (secret: string) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

  async function makeBot(service_name: string): Promise<string> {
    const reply = await server.as('member').post<{ api_key: string; user_id: number }>('/bots', {
      full_name: `Secret ${service_name}`,
      short_name: `secret-${service_name}`,
      bot_type: 2,
      service_name,
      config_data: { webhook_secret: 'first' },
    })
    assert.equal(reply.result, 'success', reply.msg)
    const changed = { config_data: { webhook_secret: 'hush' } }
    const edited = await server.as('member').patch(`/bots/${reply.user_id}`, changed)
    assert.deepEqual(edited.services, [{ service_name, ...changed }])
    return reply.api_key
  }

  test('signs what GitHub sends', async () => {
    const key = await makeBot('github')
    const call = (signature?: string) =>
      post('github', body, {
        key,
        ...inDenmark(),
        headers: {
          'x-github-event': 'push',
          ...(signature && { 'x-hub-signature-256': signature }),
        },
      })
    assert.deepEqual(await call(sign('hush')), success)
    for (const signature of [undefined, sign('first'), 'sha256=', sign('hush').toUpperCase()]) {
      assert.deepEqual(await call(signature), wrong)
    }
  })

  test('is not avoided by another path', async () => {
    const key = await makeBot('gitea')
    for (const { name, displayName, eventHeaders, example } of integrations) {
      if (name === 'gitea') continue
      const headers = example.headers ?? (eventHeaders ? { [eventHeaders[0]]: 'push' } : {})
      assert.deepEqual(
        await post(name, JSON.stringify(example.body), { key, ...inDenmark(), headers }),
        failure(`This bot is for another service than ${displayName}.`),
      )
    }
    const api = new URLSearchParams({ type: 'channel', to: 'Denmark', topic: 'x', content: 'Hi.' })
    const bots = await server.as('member').get<{ bots: Record<string, string>[] }>('/bots')
    const bot = bots.bots.find(({ api_key }) => api_key === key)
    const headers = { authorization: `Basic ${btoa(`${bot?.username}:${key}`)}` }
    const response = await server.fetch('/api/v1/messages', { method: 'POST', headers, body: api })
    assert.deepEqual(
      await response.json(),
      failure('This bot has a webhook secret, so it sends messages by its webhook URL only.'),
    )
  })

  test('comes with what GitLab sends', async () => {
    const key = await makeBot('gitlab')
    const call = (token?: string) =>
      post('gitlab', body, {
        key,
        ...inDenmark(),
        headers: { 'x-gitlab-event': 'Tag Push Hook', ...(token && { 'x-gitlab-token': token }) },
      })
    assert.deepEqual(await call('hush'), success)
    for (const token of [undefined, 'first', 'hus']) assert.deepEqual(await call(token), wrong)
  })
})

test('register lists the services that are understood', async () => {
  const { state } = await server.as('member').watch('realm_incoming_webhook_bots')
  const services = state.realm_incoming_webhook_bots as Record<string, unknown>[]
  assert.deepEqual(
    services.map(({ name, display_name }) => [name, display_name]),
    integrations.map(({ name, displayName }) => [name, displayName]),
  )
  const github = services.find(({ name }) => name === 'github') ?? {}
  assert.ok((github.all_event_types as string[]).includes('push_commits'))
  const [secret] = github.config_options as { key: string }[]
  assert.equal(secret?.key, 'webhook_secret')
})

test('the list of services tells how to set each up, and what its messages look like', async () => {
  interface Listed {
    name: string
    category: string
    steps: string[]
    rendered_steps: string[]
    example: { topic: string; body: string; rendered_content: string }
  }
  const reply = await server
    .as('member')
    .get<{ categories: string[]; integrations: Listed[] }>('/integrations')
  assert.deepEqual(
    reply.integrations.map(({ name }) => name),
    integrations.map(({ name }) => name),
  )
  const github = reply.integrations.find(({ name }) => name === 'github')
  assert.equal(github?.category, 'Version control')
  assert.equal(reply.categories[0], 'Version control')
  const count = (texts: readonly string[]) => texts.join().split('{url}').length
  for (const { name, steps, rendered_steps } of reply.integrations) {
    assert.equal(rendered_steps.length, steps.length, name)
    // Where the URL belongs is found in the HTML as well.
    assert.equal(count(rendered_steps), count(steps), name)
  }
  assert.equal(github?.example.topic, 'garden / PR #12 Water the plants on Fridays')
  assert.match(github?.example.rendered_content ?? '', /<blockquote>/)
  assert.ok(JSON.parse(github?.example.body ?? '').pull_request)
  const anonymous = await fetch(`${server.url}/api/v1/integrations`)
  assert.equal(anonymous.status, 401)
})
