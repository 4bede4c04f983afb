import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { replaceScimToken } from '#features/access/scim/queries.ts'
import { addReplyAddress } from '#features/notifications/mail-gateway/actions.ts'
import { freePort } from '#test/support/free-port.ts'
import { openMailSender, plainMail } from '#test/support/mail-sender.ts'
import { success } from '#test/support/replies.ts'
import { type CallParams, type Client, startServer } from '#test/support/server.ts'

const port = await freePort()
const server = await startServer({
  config: {
    mailGateway: '%s@mail.example.com',
    mailListen: { host: '127.0.0.1', port },
    emailChangers: ['desdemona@zulip.com'],
  },
})
after(server.close)
const sender = openMailSender(port)
after(sender.close)
const { store } = server.server.context
const owner = server.as('owner')
const channel = server.channels.shared

async function addressOf(person: Client, params: CallParams): Promise<string> {
  const reply = await person.get<{ email: string }>(`/streams/${channel}/email_address`, params)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.email
}

async function newBot(person: Client, name: string): Promise<number> {
  const made = await person.post<{ user_id: number }>('/bots', {
    full_name: name,
    short_name: name,
  })
  assert.equal(made.result, 'success', made.msg)
  return made.user_id
}

/** Someone with every kind of address. */
async function newcomer(name: string) {
  const person = await server.enroll(name)
  await person.post('/users/me/subscriptions', { subscriptions: [{ name: 'Verona' }] })
  const bot = await newBot(person, name.toLowerCase().replaceAll(' ', ''))
  const messageId = await server.say('owner', 'shared')
  return {
    person,
    bot,
    gateway: await addressOf(person, {}),
    own: await addressOf(person, { sender_id: person.id }),
    ofBot: await addressOf(person, { sender_id: bot }),
    reply: await store.write((tx) => addReplyAddress(tx, person.id, messageId)),
  }
}

/** What the server answers to a mail, without its words. */
async function mailTo(address: string | undefined): Promise<string> {
  const said = await sender.send(address ?? '', plainMail('News', 'There is news.'))
  return said.replace(/^(\d{3})( \d\.\d\.\d)?.*/s, '$1$2')
}
const taken = '250'
const noAddress = '550 5.1.1'

async function changeByScim({ id }: Client): Promise<void> {
  const token = await store.write(replaceScimToken)
  const operations = [{ op: 'replace', path: 'userName', value: `scim${id}@example.com` }]
  const schema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
  const response = await fetch(`${server.url}/scim/v2/Users/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ schemas: [schema], Operations: operations }),
  })
  assert.equal(response.status, 200)
}

describe('addresses that post as a person or their bots, or answer mail to them, end with', () => {
  const events: [string, (person: Client, name: string) => Promise<unknown>][] = [
    [
      'a new password',
      (person, name) =>
        person.patch('/settings', {
          old_password: `the password of ${name}`,
          new_password: 'another long password',
        }),
    ],
    ['a new API key', (person) => person.post('/users/me/api_key/regenerate')],
    ['a new address', (person) => person.patch('/settings', { email: 'new@example.com' })],
    [
      'a new address that an owner sets',
      (person) => owner.patch(`/users/${person.id}`, { new_email: 'newer@example.com' }),
    ],
    ['a new address by SCIM', changeByScim],
    [
      'the account, even if it is reactivated',
      async (person) => {
        await owner.del(`/users/${person.id}`)
        return await owner.post(`/users/${person.id}/reactivate`)
      },
    ],
  ]
  for (const [i, [what, act]] of events.entries()) {
    test(`${what}; those that post as Email Gateway stay`, async () => {
      const name = `Person ${i}`
      const { person, gateway, own, ofBot, reply } = await newcomer(name)
      assert.equal(await mailTo(own), taken)
      const done = await act(person, name)
      if (done !== undefined) assert.partialDeepStrictEqual(done, success)
      const answers = []
      for (const address of [gateway, own, ofBot, reply]) answers.push(await mailTo(address))
      assert.deepEqual(answers, [taken, noAddress, noAddress, noAddress])
      server.clock.advance(60_000)
    })
  }

  test('a bot’s new key or owner, as far as they post as that bot', async () => {
    const { person, bot, own, ofBot } = await newcomer('Bot Owner')
    await person.post(`/bots/${bot}/api_key/regenerate`)
    assert.deepEqual([await mailTo(ofBot), await mailTo(own)], [noAddress, taken])
    const second = await addressOf(person, { sender_id: bot })
    assert.equal(await mailTo(second), taken)
    await owner.patch(`/bots/${bot}`, { bot_owner_id: owner.id })
    assert.deepEqual([await mailTo(second), await mailTo(own)], [noAddress, taken])
  })

  test('nothing that another person does', async () => {
    const [{ own, ofBot, reply }, { person }] = [await newcomer('Ann'), await newcomer('Ben')]
    await person.post('/users/me/api_key/regenerate')
    const answers = []
    for (const address of [own, ofBot, reply]) answers.push(await mailTo(address))
    assert.deepEqual(answers, [taken, taken, taken])
  })
})
