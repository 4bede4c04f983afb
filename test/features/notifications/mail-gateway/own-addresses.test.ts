import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freePort } from '#test/support/free-port.ts'
import { openMailSender, plainMail } from '#test/support/mail-sender.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const port = await freePort()
const server = await startServer({
  config: { mailGateway: '%s@mail.example.com', mailListen: { host: '127.0.0.1', port } },
})
after(server.close)
const sender = openMailSender(port)
after(sender.close)
const { ids, channels } = server
const [owner, member] = [server.as('owner'), server.as('member')]
const path = '/users/me/channel_email_addresses'

interface Address {
  readonly id: string
  readonly stream_id: number
  readonly creator_id: number
  readonly sender_id: number
  readonly created: number
}

const listed = async (actor: Actor) =>
  (await server.as(actor).get<{ channel_email_addresses: Address[] }>(path)).channel_email_addresses

async function addressOf(actor: Actor, senderId?: number): Promise<string> {
  const params = senderId === undefined ? {} : { sender_id: senderId }
  const asked = `/streams/${channels.public}/email_address`
  const reply = await server.as(actor).get<{ email: string }>(asked, params)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.email
}
const mailTo = (address: string) => sender.send(address, plainMail('News', 'There is news.'))

const { user_id: botId } = await member.post<{ user_id: number }>('/bots', {
  full_name: 'Mailer',
  short_name: 'mailer',
})

test('email addresses of channels are listed without telling them', async () => {
  server.clock.advance(60_000)
  const emails = [
    await addressOf('member'),
    await addressOf('member', ids.member),
    await addressOf('member', botId),
  ]
  const addresses = await listed('member')
  const created = Math.floor(server.clock.now() / 1000)
  const common = { stream_id: channels.public, creator_id: ids.member, created }
  assert.deepEqual(
    addresses.map(({ id, ...rest }) => rest).sort((a, b) => a.sender_id - b.sender_id),
    [
      { ...common, sender_id: addresses.find((a) => a.sender_id < ids.member)?.sender_id ?? 0 },
      { ...common, sender_id: ids.member },
      { ...common, sender_id: botId },
    ].sort((a, b) => a.sender_id - b.sender_id),
  )
  const text = JSON.stringify(addresses)
  for (const email of emails) {
    const token = /[0-9a-f]{32}/.exec(email)?.[0] ?? assert.fail()
    assert.ok(!text.includes(token))
  }
})

describe('an address that posts as a bot', () => {
  const noAddress = failure('No such address.', 'NOT_FOUND')
  const table: [Actor, object][] = [
    ['owner', noAddress],
    ['outsider', noAddress],
    ['guest', noAddress],
    ['member', success],
  ]
  for (const [actor, expected] of table) {
    test(`${expected === success ? 'can' : 'cannot'} be revoked by the ${actor}`, async () => {
      const email = await addressOf('member', botId)
      const { id } = (await listed('member')).find((a) => a.sender_id === botId) ?? assert.fail()
      assert.ok(actor === 'member' || !(await listed(actor)).some((each) => each.id === id))
      assert.deepEqual(await server.as(actor).del(`${path}/${id}`), expected)
      const isGone = expected === success
      assert.match(await mailTo(email), isGone ? /^550 5\.1\.1 / : /^250 /)
      if (isGone) assert.notEqual(await addressOf('member', botId), email)
      assert.deepEqual(await server.as(actor).del(`${path}/${'0'.repeat(64)}`), noAddress)
    })
  }

  test('can be revoked by the bot itself, whoever asked for it', async () => {
    const { id } = (await listed('member')).find((a) => a.sender_id === botId) ?? assert.fail()
    const { api_key } = await member.get<{ api_key: string }>(`/bots/${botId}/api_key`)
    const { user } = await owner.get<{ user: { email: string } }>(`/users/${botId}`)
    const credentials = Buffer.from(`${user.email}:${api_key}`).toString('base64')
    const response = await fetch(`${server.url}/api/v1${path}/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Basic ${credentials}` },
    })
    assert.equal(response.status, 200, await response.text())
    assert.ok(!(await listed('member')).some((each) => each.id === id))
  })
})
