import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { holdsSecret } from '#platform/compressible.ts'
import { apiDocument } from '#platform/openapi/document.ts'
import { listEndpoints } from '#program/features.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer({ socket: true })
after(server.close)

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const authorization = (actor: Actor) => {
  const { email, apiKey } = server.as(actor)
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

/** The bytes as they came. @param form sent with POST; without it, GET */
function get(
  path: string,
  encodings: string | undefined,
  {
    actor = 'member',
    form,
    method = form === undefined ? 'GET' : 'POST',
    more = {},
  }: {
    actor?: Actor
    form?: string
    method?: string
    more?: Readonly<Record<string, string>>
  } = {},
): Promise<Got> {
  const headers = {
    authorization: authorization(actor),
    'content-type': 'application/x-www-form-urlencoded',
    ...(encodings !== undefined && { 'accept-encoding': encodings }),
    ...more,
  }
  return new Promise((resolve, reject) => {
    const asking = request(`${server.url}/api/v1${path}`, { method, headers }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part) => parts.push(part))
      reply.on('end', () => resolve({ headers: reply.headers, body: Buffer.concat(parts) }))
    })
    asking.on('error', reject)
    asking.end(form)
  })
}

const longText = 'Zoë wrote "api_key":"x" to somebody 😀. '.repeat(80)
const messageId = await server.say('member', 'public', 'plans', longText)
const longPath = `/messages/${messageId}`

test('a reply of more than 16 KB that is not compressed says how many bytes it has', async () => {
  for (let i = 0; i < 12; i++) await server.say('member', 'public', 'plans', longText)
  const path = '/messages?anchor=newest&num_before=100&num_after=0'
  const { headers, body } = await get(path, undefined)
  const text = body.toString()
  assert.ok(text.length > 16 * 1024)
  assert.equal(headers['content-length'], String(body.length))
  assert.ok(body.length > text.length, 'nothing takes more than a byte')
  const { messages } = JSON.parse(text) as { messages: { content: string }[] }
  const long = messages.filter(({ content }) => content.includes('Zoë'))
  assert.equal(long.length, 13)
  assert.ok(long.every(({ content }) => content.endsWith('.</p>')))
})

describe('a reply of more than 2 KB', () => {
  for (const encodings of ['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5', 'deflate, GZIP']) {
    test(`is compressed for a client that accepts "${encodings}"`, async () => {
      const { headers, body } = await get(longPath, encodings)
      const plain = await get(longPath, undefined)
      assert.equal(headers['content-encoding'], 'gzip')
      assert.equal(Number(headers['content-length']), body.length)
      assert.ok(body.length < plain.body.length / 4)
      assert.equal(gunzipSync(body).toString(), plain.body.toString())
    })
  }
  for (const encodings of [undefined, 'identity', 'br', 'gzip;q=0', 'br, gzip; q=0.0']) {
    test(`is not for one that accepts ${encodings}`, async () => {
      const { headers, body } = await get(longPath, encodings)
      assert.equal(headers['content-encoding'], undefined)
      assert.equal(Number(headers['content-length']), body.length)
      assert.equal(JSON.parse(body.toString()).result, 'success')
      assert.match(String(headers.vary), /Accept-Encoding/)
    })
  }

  test('keeps that it varies with the origin as well', async () => {
    const { headers } = await get(longPath, 'gzip', { more: { origin: 'http://localhost:8080' } })
    assert.equal(headers.vary, 'Origin, Accept-Encoding')
  })

  test('has the same headers with HEAD, and no body', async () => {
    const { headers, body } = await get(longPath, 'gzip', { method: 'HEAD' })
    const whole = await get(longPath, 'gzip')
    assert.equal(body.length, 0)
    for (const name of ['content-encoding', 'content-length', 'vary', 'content-type'] as const) {
      assert.equal(headers[name], whole.headers[name], name)
    }
  })

  test('is compressed for HTTP/1.0 without chunks', async () => {
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const parts: Buffer[] = []
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
        socket.write(
          `GET /api/v1${longPath} HTTP/1.0\r\nHost: localhost\r\n` +
            `Authorization: ${authorization('member')}\r\nAccept-Encoding: gzip\r\n\r\n`,
        ),
      )
      socket.on('data', (part) => parts.push(part))
      socket.on('close', () => resolve(Buffer.concat(parts)))
      socket.on('error', reject)
    })
    const end = answer.indexOf('\r\n\r\n')
    assert.doesNotMatch(answer.toString('latin1', 0, end), /chunked/i)
    const { message } = JSON.parse(gunzipSync(answer.subarray(end + 4)).toString())
    assert.equal(message.id, messageId)
  })

  test('is the same if it is so long that another thread compresses it', async () => {
    for (let i = 0; i < 30; i++) await server.say('member', 'public', 'long', `${i} ${longText}`)
    const path = '/messages?anchor=newest&num_before=30&num_after=0'
    const [packed, plain] = [await get(path, 'gzip'), await get(path, undefined)]
    assert.ok(plain.body.length > 100_000)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(packed.body).toString(), plain.body.toString())
  })
})

describe('a page of more than 2 KB without secrets', () => {
  for (const path of ['/api/v1/openapi.json', '/api/', '/metrics']) {
    test(`${path} is compressed for a client that accepts that`, async () => {
      const plain = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'br' } })
      const packed = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'gzip' } })
      const length = (await plain.arrayBuffer()).byteLength
      assert.ok(length > 2048)
      assert.equal(plain.headers.get('content-encoding'), null)
      assert.equal(packed.headers.get('content-encoding'), 'gzip')
      assert.ok(Number(packed.headers.get('content-length')) < length / 3)
      assert.equal(packed.headers.get('content-type'), plain.headers.get('content-type'))
      assert.match(packed.headers.get('vary') ?? '', /Accept-Encoding/)
      // The figures of the server change from one request to the next.
      const { byteLength } = await packed.arrayBuffer()
      assert.ok(Math.abs(byteLength - length) < length / 10)
    })
  }
})

test('a short reply and an error are not compressed', async () => {
  for (const path of ['/users/me/alert_words', `/messages/0?${'x'.repeat(4000)}`]) {
    const { headers } = await get(path, 'gzip')
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers.vary, undefined)
  }
})

describe('what grants access is never compressed', () => {
  test('keys of bots', async () => {
    for (let i = 0; i < 10; i++) {
      const form = `full_name=Bot+${'x'.repeat(60)}${i}&short_name=secretive${i}&bot_type=1`
      await get('/bots', undefined, { form })
    }
    const { headers, body } = await get('/bots', 'gzip')
    assert.ok(body.length > 2048)
    assert.equal(headers['content-encoding'], undefined)
  })

  test('keys of bots in the state of a client, the rest of which is compressed', async () => {
    const bots = JSON.parse((await get('/bots', undefined)).body.toString()).bots
    const { headers, body } = await get('/register', 'gzip', { form: 'slim_presence=true' })
    assert.equal(headers['content-encoding'], 'gzip')
    const { realm_bots: listed } = JSON.parse(gunzipSync(body).toString())
    assert.equal(listed.length, bots.length)
    for (const { api_key } of listed) assert.ok(body.includes(`"api_key":"${api_key}"`))
  })

  test('events with keys', async () => {
    const member = server.as('member')
    const bot = { full_name: 'Renewed', short_name: 'renewed', bot_type: 1 }
    const { user_id: botId } = await member.post<{ user_id: number }>('/bots', bot)
    const queue = await member.watch('message', 'realm_bot')
    const path = `/events?queue_id=${queue.queueId}&last_event_id=-1&dont_block=true`
    await server.say('member', 'public', 'plans', longText)
    assert.equal((await get(path, 'gzip')).headers['content-encoding'], 'gzip')
    assert.equal((await member.post(`/bots/${botId}/api_key/regenerate`)).result, 'success')
    const { headers, body } = await get(path, 'gzip')
    assert.match(body.toString(), /"api_key":/)
    assert.equal(headers['content-encoding'], undefined)
  })

  test('every member of replies and events that sounds like a secret is known', () => {
    const harmless = new Set([
      // Whether there is one, and keys that browsers get anyway.
      'has_zoom_token',
      'giphy_api_key',
      'public_key',
      // Links that are shown, and the patterns of links.
      'title_link',
      'author_link',
      'topic_links',
      'links',
      // What identifies and grants nothing.
      'key',
    ])
    const names = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [name, member] of Object.entries(value)) {
        if (name === 'properties') for (const each of Object.keys(member)) names.add(each)
        collect(member)
      }
    }
    const { paths, components } = apiDocument(listEndpoints())
    collect(components.schemas)
    for (const methods of Object.values(paths)) {
      for (const operation of Object.values(methods)) collect(operation.responses)
    }
    const suspicious = [...names].filter(
      (name) =>
        /(^|_)(key|token|secret|password|link|links|export_url|link_url|config_data)$/.test(name) &&
        !harmless.has(name),
    )
    assert.ok(suspicious.length > 3)
    for (const name of suspicious) assert.ok(holdsSecret(`"${name}":`), name)
  })
})
