import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { isAllowedAddress, networkList } from '#platform/outgoing/addresses.ts'
import { fetchOutside, type OutsideRequest } from '#platform/outgoing/fetch.ts'
import { readConfig } from '#program/config.ts'
import { freePort } from '#test/support/free-port.ts'

const clock = manualClock(0)
const loopback = ['127.0.0.0/8', '::1']
const requests: string[] = []

const hangs: RequestListener = (_, response) => response.writeHead(200).write('half of it')

const answers: Record<string, RequestListener> = {
  '/echo': (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.writeHead(201, { 'Content-Type': 'text/plain' })
      response.end(
        JSON.stringify([
          request.method,
          request.headers['x-name'],
          Buffer.concat(parts).toString(),
        ]),
      )
    })
  },
  '/elsewhere': (_, response) => response.writeHead(302, { Location: '/echo' }).end(),
  '/large': (_, response) => response.end('x'.repeat(101)),
  '/silent': () => {},
  '/half': hangs,
  '/broken': (_, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('x')
    response.socket?.destroy()
  },
}

const outside = createServer((request, response) => {
  requests.push(request.url ?? '')
  answers[request.url ?? '']?.(request, response)
}).listen(0, '127.0.0.1')
await once(outside, 'listening')
const { port } = outside.address() as AddressInfo
after(() => {
  outside.closeAllConnections()
  outside.close()
})

const fetchFrom = (address: string, init: OutsideRequest = {}, allowedNetworks = loopback) =>
  fetchOutside({ clock, config: { ...defaultConfig, allowedNetworks } }, address, init)
const local = (path: string) => `http://127.0.0.1:${port}${path}`

describe('which addresses the server connects to', () => {
  const nothing = networkList('')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, boolean][] = [
    ['93.184.216.34',        true],
    ['8.8.8.8',              true],
    ['172.15.255.255',       true],
    ['172.32.0.1',           true],
    ['100.63.255.255',       true],
    ['0.0.0.0',              false],
    ['10.1.2.3',             false],
    ['100.64.0.1',           false],
    ['127.0.0.1',            false],
    ['127.255.255.255',      false],
    ['169.254.169.254',      false],
    ['172.16.0.1',           false],
    ['172.31.255.255',       false],
    ['192.0.0.1',            false],
    ['192.0.2.1',            false],
    ['192.168.1.1',          false],
    ['198.18.0.1',           false],
    ['203.0.113.9',          false],
    ['224.0.0.1',            false],
    ['255.255.255.255',      false],
    ['2606:2800:220:1::1',   true],
    ['2a00:1450:4001::8a',   true],
    ['::',                   false],
    ['::1',                  false],
    ['::127.0.0.1',          false],
    ['::ffff:127.0.0.1',     false],
    ['::ffff:7f00:1',        false],
    ['::ffff:10.0.0.1',      false],
    ['::ffff:8.8.8.8',       true],
    ['64:ff9b::a9fe:a9fe',   false],
    ['64:ff9b::808:808',     true],
    ['64:ff9b:1::1',         false],
    ['100::1',               false],
    ['2001::1',              false],
    ['2001:db8::1',          false],
    ['2002:7f00:1::',        false],
    ['fc00::1',              false],
    ['fd12:3456::1',         false],
    ['fe80::1',              false],
    ['fe80::1%eth0',         false],
    ['fec0::1',              false],
    ['ff02::1',              false],
    ['fd00:ec2::254',        false],
    ['example.com',          false],
    ['',                     false],
  ]
  for (const [address, may] of matrix) {
    test(`${address}: ${may ? 'yes' : 'no'}`, () => {
      assert.equal(isAllowedAddress(address, nothing), may)
    })
  }

  test('addresses that the operator allows, in every spelling of them', () => {
    const allowed = networkList('10.0.0.0/8, 192.168.7.7 fd00::/8')
    const may = (address: string) => isAllowedAddress(address, allowed)
    assert.ok(['10.9.9.9', '192.168.7.7', 'fd00::5', '::ffff:10.0.0.1', '8.8.8.8'].every(may))
    assert.ok(!['192.168.7.8', '127.0.0.1', 'fe80::1', '::ffff:127.0.0.1'].some(may))
  })

  for (const wrong of ['10.0.0.0/33', 'fd00::/129', 'example.com', '10.0.0.0/x', '10.0.0.0/-1']) {
    test(`the operator cannot allow ${wrong}`, () => {
      assert.throws(() => networkList(wrong), RangeError)
    })
  }
})

test('the operator names networks in the environment, and hears of wrong ones at the start', () => {
  const read = (networks: string) =>
    readConfig({ PARLEY_ALLOWED_NETWORKS: networks }).allowedNetworks
  assert.deepEqual(read(' 10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1'])
  assert.deepEqual(read(''), [])
  assert.throws(
    () => read('10.0.0.0/99'),
    /PARLEY_ALLOWED_NETWORKS must be networks such as .*, not '10\.0\.0\.0\/99'/,
  )
})

describe('an address that is not for outside is never connected to', () => {
  const forms = `http://127.0.0.1:PORT http://127.1:PORT http://0x7f000001:PORT http://2130706433:PORT
    http://0177.0.0.1:PORT http://localhost:PORT http://LocalHost:PORT http://[::1]:PORT
    http://[::ffff:127.0.0.1]:PORT http://0:PORT http://[::]:PORT http://user:word@127.0.0.1:PORT
    https://127.0.0.1:PORT`
  for (const form of forms.split(/\s+/)) {
    test(form, async () => {
      const before = requests.length
      await assert.rejects(fetchFrom(form.replace('PORT', String(port)), {}, []), {
        message: 'This server does not connect to private addresses.',
        refused: true,
      })
      assert.equal(requests.length, before)
    })
  }

  for (const url of ['file:///etc/passwd', 'ftp://8.8.8.8/', 'data:text/plain,x', 'nonsense', '']) {
    test(`no request goes to ${url || 'nothing'}`, async () => {
      await assert.rejects(fetchFrom(url), { message: 'This is not a web address.' })
    })
  }
})

test('what was allowed is fetched, by its number and by its name', async () => {
  const init = { method: 'POST', headers: { 'X-Name': 'Yorick' }, body: 'alas' } as const
  const reply = await fetchFrom(local('/echo'), init)
  assert.deepEqual(
    [reply.status, reply.headers['content-type'], JSON.parse(reply.body.toString())],
    [201, 'text/plain', ['POST', 'Yorick', 'alas']],
  )
  assert.equal((await fetchFrom(`http://localhost:${port}/echo`)).status, 201)
})

test('a redirect is an answer, and nothing is fetched from where it leads', async () => {
  requests.length = 0
  assert.equal((await fetchFrom(local('/elsewhere'))).status, 302)
  assert.deepEqual(requests, ['/elsewhere'])
})

test('an answer that is too large is given up', async () => {
  const message = 'The answer is larger than 100 bytes.'
  await assert.rejects(fetchFrom(local('/large'), { limit: 100 }), { message, refused: false })
  assert.equal((await fetchFrom(local('/large'), { limit: 101 })).body.length, 101)
})

for (const path of ['/silent', '/half']) {
  test(`whoever does not answer in time is given up: ${path}`, async () => {
    requests.length = 0
    const arrived = once(outside, 'request')
    const reply = fetchFrom(local(path), { timeout: 3000 })
    const outcome = assert.rejects(reply, {
      message: 'The server did not answer within 3 seconds.',
    })
    await arrived
    clock.advance(3000)
    await outcome
  })
}

test('an error says what happened, and not to which address', async () => {
  await assert.rejects(fetchFrom(local('/broken')), {
    message: 'The server closed the connection.',
    refused: false,
  })
  await assert.rejects(fetchFrom(`http://127.0.0.1:${await freePort()}/`), {
    message: 'The server refused the connection.',
  })
  await assert.rejects(fetchFrom('http://no-such-name.invalid/'), {
    message: 'The host name was not found.',
  })
})
