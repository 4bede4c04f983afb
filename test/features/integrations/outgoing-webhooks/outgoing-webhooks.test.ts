import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { fixtureTime } from '#program/fixture/options.ts'
import { success } from '#test/support/replies.ts'
import { type CallParams, startServer, type TestServer } from '#test/support/server.ts'

interface Arrived {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a service got, and how it answers. */
const arrived: Arrived[] = []
let answer: (response: ServerResponse, path: string) => void

const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const path = request.url ?? ''
    arrived.push({ path, headers: request.headers, body: Buffer.concat(parts).toString() })
    answer(response, path)
  })
}).listen(0, '127.0.0.1')
await once(service, 'listening')
const { port } = service.address() as AddressInfo
const url = (path: string) => `http://127.0.0.1:${port}${path}`

const config = { allowedNetworks: ['127.0.0.1'] }
const server = await startServer({ config })
after(async () => {
  await server.close()
  service.closeAllConnections()
  service.close()
})
const { ids } = server

interface Bot {
  readonly id: number
  readonly name: string
  readonly token: string
}

let made = 0

async function makeBot(params: CallParams = {}, on: TestServer = server): Promise<Bot> {
  made += 1
  const name = `Hook ${made}`
  const reply = await on.as('member').post<{ user_id: number }>('/bots', {
    full_name: name,
    short_name: `hook${made}`,
    bot_type: 3,
    payload_url: url(`/${made}`),
    ...params,
  })
  assert.equal(reply.result, 'success', reply.msg)
  const { state } = await on.as('member').watch('realm_bot')
  const bots = state.realm_bots as { user_id: number; services: { token: string }[] }[]
  const token = bots.find(({ user_id }) => user_id === reply.user_id)?.services[0]?.token ?? ''
  return { id: reply.user_id, name, token }
}

const says = (reply: unknown, status = 200) => {
  answer = (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
  }
}

beforeEach(() => {
  arrived.length = 0
  says({ response_not_required: true })
})

interface Message {
  id: number
  sender_id: number
  content: string
  subject: string
  stream_id?: number
}

/** Something that one waits for until it is sent. */
function signal(): { sent: Promise<void>; send: () => void } {
  let send = () => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  return { sent, send }
}

/** The newest messages of a narrow, as the member sees them, oldest first. */
async function read(narrow: unknown[], count = 1, on: TestServer = server): Promise<Message[]> {
  const page = await on.as('member').get<{ messages: Message[] }>('/messages', {
    narrow,
    anchor: 'newest',
    num_before: count,
    num_after: 0,
    apply_markdown: false,
  })
  return page.messages
}

const write = (content: string, to: number[], on: TestServer = server) =>
  on.as('member').post<{ id: number }>('/messages', { type: 'direct', to, content })

/** What Notification Bot said last to the bot's owner. */
async function lastNotice(): Promise<string> {
  return (await read([['dm', [4]]]))[0]?.content ?? ''
}

test('a mention is posted to the service in our own format, as documented', async () => {
  const bot = await makeBot()
  const content = `@**${bot.name}** hello`
  const id = await server.say('member', 'public', 'plans', content)
  await server.settled()
  const [request, ...more] = arrived
  assert.deepEqual(more, [])
  assert.equal(request?.headers['content-type'], 'application/json')
  assert.equal(request?.headers.authorization, undefined)
  const { message, ...payload } = JSON.parse(request?.body ?? '')
  assert.deepEqual(payload, {
    bot_email: `hook${made}-bot@zulipdev.com`,
    bot_full_name: bot.name,
    data: content,
    trigger: 'mention',
    token: bot.token,
  })
  const { messages } = await server.as('member').get<{ messages: Message[] }>('/messages', {
    anchor: id,
    num_before: 0,
    num_after: 0,
    apply_markdown: false,
  })
  const { flags: _, ...fetched } = messages[0] as Message & { flags: string[] }
  assert.deepEqual(message, {
    ...fetched,
    rendered_content: `<p><span class="user-mention" data-user-id="${bot.id}">@${bot.name}</span> hello</p>`,
  })
})

test('a mention is posted as a form to a service that takes the format of Slack', async () => {
  const bot = await makeBot({ interface_type: 2 })
  const content = `@**${bot.name}** hello`
  await server.say('member', 'public', 'plans', content)
  await server.settled()
  const [request] = arrived
  assert.match(request?.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  const sentAt = String(Math.floor(server.clock.now() / 1000))
  assert.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
    token: bot.token,
    team_id: 'T1',
    team_domain: '127.0.0.1',
    channel_id: 'C4',
    channel_name: 'Denmark',
    thread_ts: sentAt,
    timestamp: sentAt,
    user_id: `U${ids.member}`,
    user_name: 'King Hamlet',
    text: content,
    trigger_word: 'mention',
    service_id: String(bot.id),
  })
})

describe('which messages a service hears of', () => {
  type Act = (bot: Bot) => Promise<unknown>
  const dm = (content: string, ...people: number[]) => write(content, people)
  // biome-ignore format: a table reads best in columns
  const matrix: [string, Act, string[]][] = [
    ['a direct message',                    (bot) => dm('Hi.', bot.id),                                   ['direct_message']],
    ['one among several',                   (bot) => dm('Hi.', bot.id, ids.zoe),                          ['direct_message']],
    ['one that mentions it',                (bot) => dm(`@**${bot.name}**`, bot.id),                      ['direct_message']],
    ['a mention in a public channel',       (bot) => server.say('member', 'public', 'x', `@**${bot.name}**`), ['mention']],
    ['not a silent mention',                (bot) => server.say('member', 'public', 'x', `@_**${bot.name}**`), []],
    ['not a mention of all',                () => server.say('owner', 'public', 'x', '@**all**'),         []],
    ['not a mention in code',               (bot) => server.say('member', 'public', 'x', `\`@**${bot.name}**\``), []],
    ['not what is said without it',         () => server.say('member', 'public', 'x', 'Hello.'),          []],
    ['not a mention where it cannot read',  (bot) => server.say('member', 'private', 'x', `@**${bot.name}**`), []],
    ['not what another bot says',           (bot) => server.as('bot').post('/messages', { type: 'direct', to: [bot.id], content: 'Hi.' }), []],
  ]
  for (const [what, act, triggers] of matrix) {
    test(what, async () => {
      const bot = await makeBot()
      await act(bot)
      await server.settled()
      assert.deepEqual(
        arrived.map(({ body }) => JSON.parse(body).trigger),
        triggers,
      )
    })
  }

  test('a mention in a private channel that it is in', async () => {
    const bot = await makeBot()
    await server.as('member').post('/users/me/subscriptions', {
      subscriptions: [{ name: 'core team' }],
      principals: [bot.id],
    })
    await server.say('member', 'private', 'x', `@**${bot.name}**`)
    await server.settled()
    assert.equal(arrived.length, 1)
  })

  test('a mention of a user group that it is in, once, where it can read', async () => {
    const bot = await makeBot()
    const owner = server.as('owner')
    const inner = `hooks of ${bot.name}`
    const { group_id } = await owner.post('/user_groups/create', {
      name: inner,
      description: '',
      members: [bot.id],
    })
    await owner.post('/user_groups/create', {
      name: `all ${inner}`,
      description: '',
      members: [],
      subgroups: [group_id],
    })
    for (const mention of [`@*${inner}*`, `@*all ${inner}* @*${inner}* @**${bot.name}**`]) {
      arrived.length = 0
      await server.say('owner', 'public', 'x', mention)
      await server.settled()
      assert.equal(arrived.length, 1, mention)
    }
    arrived.length = 0
    await server.say('owner', 'private', 'x', `@*${inner}*`)
    await server.say('owner', 'public', 'x', `@_*${inner}*`)
    await server.settled()
    assert.deepEqual(arrived, [])
  })

  test('each of several that are mentioned, once', async () => {
    const [one, two] = [await makeBot(), await makeBot()]
    await server.say('member', 'public', 'x', `@**${one.name}** @**${two.name}** @**${one.name}**`)
    await server.settled()
    const names = arrived.map(({ body }) => JSON.parse(body).bot_full_name)
    assert.deepEqual(names.sort(), [one.name, two.name].sort())
  })

  test('not when it is deactivated', async () => {
    const bot = await makeBot()
    await server.as('member').del(`/bots/${bot.id}`)
    await server.say('member', 'public', 'x', `@**${bot.name}**`)
    await server.settled()
    assert.deepEqual(arrived, [])
  })
})

describe('what a service replies', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, unknown, string | undefined][] = [
    ['content is posted',                   { content: 'Hello *you*.' },                  'Hello *you*.'],
    ['as is what was content before',       { response_string: 'Hello.' },                'Hello.'],
    ['and what Slack calls it',             { text: 'Hello.' },                           'Hello.'],
    ['further members do not matter',       { content: 'Hello.', x: { y: 1 } },           'Hello.'],
    ['without what no text may hold',       { content: 'He\u0000llo\ud800.' },            'Hello\ufffd.'],
    ['nothing is posted if so asked',       { response_not_required: true, content: 'x' }, undefined],
    ['nor for an empty object',             {},                                           undefined],
    ['nor for no content',                  { content: null },                            undefined],
    ['nor for blank content',               { content: ' \n' },                           undefined],
    ['nor for an empty answer',             '',                                           undefined],
  ]
  for (const [what, reply, expected] of matrix) {
    test(what, async () => {
      const bot = await makeBot()
      says(reply)
      const topic = `reply ${bot.id}`
      await server.say('member', 'public', topic, `@**${bot.name}**`)
      await server.settled()
      const notice = await lastNotice()
      assert.ok(!notice.includes(bot.name), notice)
      const [, posted] = await read(
        [
          ['channel', 'Denmark'],
          ['topic', topic],
        ],
        5,
      )
      assert.equal(posted?.content, expected)
      if (expected !== undefined) assert.equal(posted?.sender_id, bot.id)
    })
  }

  test('a reply to a direct message goes to all who are in it', async () => {
    const bot = await makeBot()
    says({ content: 'To both of you.' })
    await write('Hi.', [bot.id, ids.zoe])
    await server.settled()
    const { messages } = await server.as('zoe').get<{ messages: Message[] }>('/messages', {
      narrow: [['dm', [bot.id, ids.member]]],
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
    })
    assert.deepEqual(
      messages.map(({ sender_id, content }) => [sender_id, content]),
      [
        [ids.member, '<p>Hi.</p>'],
        [bot.id, '<p>To both of you.</p>'],
      ],
    )
  })

  test('a reply may be a widget', async () => {
    const bot = await makeBot()
    const extra_data = { question: 'To be?', options: ['yes', 'no'] }
    says({ content: 'Choose.', widget_content: { widget_type: 'poll', extra_data } })
    await write('Hi.', [bot.id])
    await server.settled()
    const [reply] = await read([['dm', [bot.id]]])
    const [widget] = (reply as Message & { submessages: { content: string }[] }).submessages
    assert.deepEqual(JSON.parse(widget?.content ?? ''), { widget_type: 'poll', extra_data })
  })

  test('bots that mention each other do not go on for ever', async () => {
    const [one, two] = [await makeBot(), await makeBot()]
    says({ content: `@**${one.name}** @**${two.name}**` })
    await server.say('member', 'public', 'x', `@**${one.name}**`)
    await server.settled()
    assert.equal(arrived.length, 1)
  })
})

describe('what goes wrong for good is told to the owner and the conversation, once', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, unknown, number, RegExp][] = [
    ['a refusal',                  'not like ```this```', 403, /status 403:\n````\nnot like ```this```\n````$/],
    ['a refusal without words',    '',                    404, /status 404\.$/],
    ['a redirect',                 '',                    302, /status 302\.$/],
    ['an answer that is no JSON',  '<html>',              200, /The response is not JSON\.$/],
    ['a list',                     [],                    200, /The response is not a JSON object\.$/],
    ['a number',                   5,                     200, /The response is not a JSON object\.$/],
    ['content that is no text',    { content: 5 },        200, /has content that is not text\.$/],
    ['a widget that is none',      { content: 'x', widget_content: { widget_type: 'x' } }, 200, /contains an unknown widget\.$/],
  ]
  for (const [what, reply, status, words] of matrix) {
    test(what, async () => {
      const bot = await makeBot()
      says(reply, status)
      const topic = `refused ${bot.id}`
      const id = await server.say('member', 'public', topic, `@**${bot.name}**`)
      await server.settled()
      const notice = await lastNotice()
      assert.match(notice, words)
      assert.ok(notice.includes(`@_**${bot.name}|${bot.id}**`))
      assert.ok(notice.includes(`/near/${id})`), notice)
      assert.ok(!notice.includes(String(port)), 'no address')
      const posted = await read(
        [
          ['channel', 'Denmark'],
          ['topic', topic],
        ],
        5,
      )
      const told =
        status === 200 ? /^Failure! My service answered, but/ : /^Failure! .* status \d+\.$/
      assert.equal(posted.length, 2)
      assert.match(posted[1]?.content ?? '', told)
      assert.equal(posted[1]?.sender_id, bot.id)
      server.clock.advance(24 * 3600 * 1000)
      await server.settled()
      assert.equal(arrived.length, 1)
    })
  }

  test('an address that is not for outside', async () => {
    const bot = await makeBot({ payload_url: 'http://169.254.169.254/latest/meta-data' })
    await write('Hi.', [bot.id])
    await server.settled()
    assert.match(await lastNotice(), /This server does not connect to private addresses\.$/)
  })

  test('a reply where the bot may not write', async () => {
    const bot = await makeBot()
    says({ content: 'Hello.' })
    await server.as('owner').post('/messages', {
      type: 'channel',
      to: 'announce',
      topic: 'x',
      content: `@**${bot.name}**`,
    })
    await server.settled()
    assert.match(await lastNotice(), /could not be posted: Not authorized to send/)
  })
})

describe('a service in trouble is tried again, ever later', () => {
  const delays = [5, 30, 300, 1800]
  // biome-ignore format: a table reads best in columns
  const troubles: [string, () => void, RegExp][] = [
    ['an error of its own',  () => says('', 500),                             /status 500\.$/],
    ['too many requests',    () => says('', 429),                             /status 429\.$/],
    ['a broken connection',  () => { answer = (r) => r.socket?.destroy() },   /The server closed the connection\.$/],
  ]
  for (const [what, trouble, words] of troubles) {
    test(`${what}: until it is well`, async () => {
      const bot = await makeBot()
      trouble()
      await write('Hi.', [bot.id])
      await server.settled()
      assert.equal(arrived.length, 1)
      server.clock.advance(4999)
      await server.settled()
      assert.equal(arrived.length, 1, 'not yet')
      says({ content: 'Here I am.' })
      server.clock.advance(1)
      await server.settled()
      assert.equal((await read([['dm', [bot.id]]]))[0]?.content, 'Here I am.')
    })

    test(`${what}: until it is given up`, async () => {
      const bot = await makeBot()
      trouble()
      await write('Hi.', [bot.id])
      await server.settled()
      const said = async () => {
        const messages = await read([['dm', [bot.id]]], 10)
        return messages.filter(({ sender_id }) => sender_id === bot.id)
      }
      assert.deepEqual(await said(), [])
      for (const [i, delay] of delays.entries()) {
        assert.ok(!(await lastNotice()).includes(`|${bot.id}**`))
        server.clock.advance(delay * 1000)
        await server.settled()
        assert.equal(arrived.length, i + 2)
        assert.equal((await said()).length, 1, 'once, after the second try')
      }
      const notice = await lastNotice()
      assert.ok(notice.includes(`|${bot.id}**`))
      assert.match(notice, words)
      assert.match((await said())[0]?.content ?? '', /^Failure! My service /)
      server.clock.advance(24 * 3600 * 1000)
      await server.settled()
      assert.equal(arrived.length, delays.length + 1)
      assert.equal((await said()).length, 1)
    })
  }

  test('one that does not answer within ten seconds', async () => {
    const bot = await makeBot()
    const asked = signal()
    answer = asked.send
    assert.equal((await write('Hi.', [bot.id])).result, 'success', 'the sender does not wait')
    await asked.sent
    server.clock.advance(10_000)
    await server.settled()
    says({ content: 'Late.' })
    server.clock.advance(5000)
    await server.settled()
    assert.equal((await read([['dm', [bot.id]]]))[0]?.content, 'Late.')
  })
})

test('who answers late holds up no other bot, and gets its own messages in order', async () => {
  const [slow, quick] = [await makeBot(), await makeBot()]
  const held: ServerResponse[] = []
  const asked = signal()
  const done = signal()
  answer = (response, path) => {
    if (path === `/${made - 1}` && held.length === 0) {
      held.push(response)
      asked.send()
      return
    }
    response.end('{}')
    if (path === `/${made}`) done.send()
  }
  await write('one', [slow.id])
  await asked.sent
  await write('two', [slow.id])
  await write('three', [quick.id])
  await done.sent
  const data = () => arrived.map(({ body }) => JSON.parse(body).data)
  assert.deepEqual(data(), ['one', 'three'])
  held[0]?.end('{}')
  await server.settled()
  assert.deepEqual(data(), ['one', 'three', 'two'])
})

test('what the service of a bot replies that was deactivated meanwhile is not posted', async () => {
  const bot = await makeBot()
  const asked = signal()
  const held: ServerResponse[] = []
  answer = (response) => {
    held.push(response)
    asked.send()
  }
  await write('Are you there?', [bot.id])
  await asked.sent
  assert.deepEqual(await server.as('member').del(`/bots/${bot.id}`), success)
  held[0]?.end(JSON.stringify({ content: 'I still am.' }))
  await server.settled()
  assert.equal((await read([['dm', [bot.id]]]))[0]?.content, 'Are you there?')
})

test('a message that is gone before it could be delivered is not delivered', async () => {
  const bot = await makeBot()
  says('', 500)
  const { id } = await write('Forget this.', [bot.id])
  await server.settled()
  assert.deepEqual(await server.as('member').del(`/messages/${id}`), success)
  server.clock.advance(5000)
  await server.settled()
  assert.equal(arrived.length, 1)
})

test('a stop waits for no service, and what was under way begins anew', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const first = await startServer({ data, config })
  const bot = await makeBot({}, first)
  const asked = signal()
  answer = asked.send
  await write('Are you there?', [bot.id], first)
  await asked.sent
  await first.close()
  says({ content: 'Yes.' })
  const second = await startServer({ data, config })
  await second.settled()
  assert.equal(arrived.length, 2)
  assert.equal((await read([['dm', [bot.id]]], 1, second))[0]?.content, 'Yes.')
  await second.close()
})

test('what was not delivered before a restart is delivered after it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const clock = manualClock(fixtureTime + 24 * 3600 * 1000)
  const first = await startServer({ data, config, clock })
  const bot = await makeBot({}, first)
  says('', 503)
  await write('Are you there?', [bot.id], first)
  await first.settled()
  await first.close()
  clock.advance(60_000)
  arrived.length = 0
  says({ content: 'Now I am.' })
  const second = await startServer({ data, config, clock })
  await second.settled()
  assert.equal(arrived.length, 1)
  assert.equal((await read([['dm', [bot.id]]], 1, second))[0]?.content, 'Now I am.')
  await second.close()
})

describe('the last deliveries', () => {
  interface Listed {
    deliveries: { id: number; message_id: number | null; status: number | null; answer: string }[]
    signing_secret: string | null
  }
  const listed = (id: number) => server.as('member').get<Listed>(`/bots/${id}/deliveries`)

  test('are signed, listed with their answers, and made again on demand', async () => {
    answer = (response) => void response.writeHead(400).end('{"why": "no"}')
    const bot = await makeBot()
    const messageId = Number(
      (await server.as('member').post('/messages', { type: 'direct', to: [bot.id], content: 'Hi' }))
        .id,
    )
    await server.settled()
    const { deliveries, signing_secret: secret } = await listed(bot.id)
    const [failed] = deliveries
    assert.ok(failed && secret)
    assert.deepEqual(
      [deliveries.length, failed.message_id, failed.status, failed.answer],
      [1, messageId, 400, '{"why": "no"}'],
    )
    const sent = arrived.at(-1)
    const timestamp = sent?.headers['x-parley-timestamp']
    const expected = createHmac('sha256', secret)
      .update(`v1:${timestamp}:${sent?.body}`)
      .digest('hex')
    assert.equal(sent?.headers['x-parley-signature'], `v1=${expected}`)
    assert.ok(!sent.body.includes(secret))

    answer = (response) => void response.end('{"response_not_required": true}')
    const retry = `/bots/${bot.id}/deliveries/${failed.id}/retry`
    assert.deepEqual(await server.as('member').post(retry), success)
    await server.settled()
    assert.deepEqual(
      (await listed(bot.id)).deliveries.map(({ status }) => status),
      [200, 400],
    )
    assert.equal(JSON.parse(arrived.at(-1)?.body ?? '{}').data, 'Hi')
    const unknown = await server.as('member').post(`/bots/${bot.id}/deliveries/999999/retry`)
    assert.equal(unknown.code, 'NOT_FOUND')
  })

  test('are signed in the form of Slack for a service made for it', async () => {
    answer = (response) => void response.end('{}')
    const bot = await makeBot({ interface_type: 2 })
    await server.as('member').post('/messages', { type: 'direct', to: [bot.id], content: 'Hi' })
    await server.settled()
    const { signing_secret: secret } = await listed(bot.id)
    const { headers, body } = arrived.at(-1) ?? { headers: {} as IncomingHttpHeaders, body: '' }
    const base = `v0:${headers['x-slack-request-timestamp']}:${body}`
    const expected = createHmac('sha256', secret ?? '')
      .update(base)
      .digest('hex')
    assert.equal(headers['x-slack-signature'], `v0=${expected}`)
  })

  test('are for those who administer the bot, and kept up to twenty', async () => {
    answer = (response) => void response.end('{}')
    const bot = await makeBot()
    for (let i = 0; i < 22; i++) {
      await server.as('member').post('/messages', { type: 'direct', to: [bot.id], content: `${i}` })
    }
    await server.settled()
    const { deliveries } = await listed(bot.id)
    assert.equal(deliveries.length, 20)
    for (const [actor, isAllowed] of [
      ['owner', true],
      ['admin', true],
      ['outsider', false],
      ['guest', false],
    ] as const) {
      const reply = await server.as(actor).get(`/bots/${bot.id}/deliveries`)
      assert.equal(reply.result === 'success', isAllowed, actor)
      const again = await server
        .as(actor)
        .post(`/bots/${bot.id}/deliveries/${deliveries[0]?.id}/retry`)
      assert.equal(again.result === 'success', isAllowed, actor)
      await server.settled()
    }
  })
})
