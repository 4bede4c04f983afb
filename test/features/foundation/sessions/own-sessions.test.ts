import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deviceName } from '#features/foundation/sessions/device-names.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'
import { logInBrowser } from '#test/support/session-client.ts'

const server = await startServer()
after(server.close)

interface Session {
  readonly id: string
  readonly created: number | null
  readonly last_used: number
  readonly device: string
  readonly device_name: string
  readonly is_current: boolean
}

/** Hamlet's calls about sessions from a browser. */
async function browser(agent: string) {
  const call = await logInBrowser(server, hamlet.email, agent)
  return (method: 'GET' | 'DELETE', path: string) =>
    call<{ sessions: Session[] }>(method, `/json${path}`)
}

const hamlet = server.as('member')
const endAll = () => hamlet.del('/users/me/sessions')
const listed = async () =>
  (await hamlet.get<{ sessions: Session[] }>('/users/me/sessions')).sessions
const noSession = failure('No such session.', 'NOT_FOUND')

describe('the sessions of an account', () => {
  test('are listed with their browser and time, and say which one asks', async () => {
    await endAll()
    const one = await browser('Mozilla/5.0 Firefox/150.0')
    await browser(`Long ${'x'.repeat(400)}`)
    const { sessions } = await one('GET', '/users/me/sessions')
    const now = Math.floor(server.clock.now() / 1000)
    assert.equal(sessions.length, 2)
    const [current] = sessions.filter(({ is_current }) => is_current)
    assert.ok(current)
    const { id, ...rest } = current
    assert.match(id, /^[0-9a-f]{64}$/)
    assert.deepEqual(rest, {
      created: now,
      last_used: now,
      device: 'Mozilla/5.0 Firefox/150.0',
      device_name: 'Firefox',
      is_current: true,
    })
    assert.ok(sessions.some(({ device }) => device.length === 300))
    // A key belongs to no session.
    assert.ok((await listed()).every(({ is_current }) => !is_current))
  })

  test('end one by one, with what they can do', async () => {
    await endAll()
    const here = await browser('here')
    const there = await browser('there')
    const { sessions } = await here('GET', '/users/me/sessions')
    const other = sessions.find(({ device }) => device === 'there')
    assert.deepEqual(await here('DELETE', `/users/me/sessions/${other?.id}`), success)
    assert.equal((await there('GET', '/users/me')).code, 'UNAUTHORIZED')
    assert.deepEqual(
      (await listed()).map(({ device }) => device),
      ['here'],
    )
    assert.deepEqual(await here('DELETE', `/users/me/sessions/${other?.id}`), noSession)
  })

  test('end all but the one that asks', async () => {
    await endAll()
    const here = await browser('here')
    await browser('there')
    await browser('elsewhere')
    assert.deepEqual(await here('DELETE', '/users/me/sessions'), { ...success, ended: 2 })
    assert.deepEqual(
      (await listed()).map(({ device }) => device),
      ['here'],
    )
  })

  test('belong to nobody else', async () => {
    await endAll()
    await browser('here')
    const [own] = await listed()
    const cordelia = server.as('cordelia')
    assert.deepEqual(await cordelia.del(`/users/me/sessions/${own?.id}`), noSession)
    assert.equal((await listed()).length, 1)
    await cordelia.del('/users/me/sessions')
    assert.equal((await listed()).length, 1)
  })

  test('are no longer listed once they have expired', async () => {
    await endAll()
    await browser('here')
    server.clock.advance(15 * 24 * 3600 * 1000)
    assert.deepEqual(await listed(), [])
  })
})

test('browsers and apps are named as people know them', () => {
  const table = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox, Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15',
      'Safari, macOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0',
      'Edge, Windows',
    ],
    ['curl/8.0', 'curl'],
    ['ZulipFlutter/30.0 (Android 14; Google Pixel)', 'ZulipFlutter, Android'],
    ['', ''],
  ] as const
  for (const [agent, expected] of table) assert.equal(deviceName(agent), expected)
})
