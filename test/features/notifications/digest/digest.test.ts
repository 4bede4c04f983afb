import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { type BusyTopic, chooseTopics, nextDigest } from '#features/notifications/digest/choice.ts'
import { requireMailHtml } from '#test/support/mail-html.ts'
import { makers } from '#test/support/making.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { type ReceivedMail, startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({ config: { smtpUrl: post.url } })
after(server.close)
const [owner, member] = [server.as('owner'), server.as('member')]
const { newChannel } = makers(server)
const day = 24 * 3600

/** Moves the clock to a time of a day, 0 being the next Monday, and waits for all mail. */
async function until(weekday: number, hour: number): Promise<void> {
  const now = Math.floor(server.clock.now() / 1000)
  const today = (Math.floor(now / day) + 3) % 7
  const days = (weekday - today + 7) % 7
  const at = now - (now % day) + days * day + hour * 3600
  server.clock.advance((at > now ? at - now : at + 7 * day - now) * 1000)
  await server.settled()
}

/** The digests that came to the member by now. */
function digests(): ReceivedMail[] {
  const got = post.take().filter(({ headers }) => headers['list-id']?.startsWith('<digest.'))
  for (const { html } of got) requireMailHtml(html)
  return got.filter(({ to }) => to.includes(member.email))
}

const realm = async (settings: Record<string, unknown>) => {
  const reply = await owner.patch('/realm', settings)
  assert.equal(reply.result, 'success', reply.msg)
}
const set = async (actor: Actor, settings: Record<string, unknown>) => {
  const reply = await server.as(actor).patch('/settings', settings)
  assert.equal(reply.result, 'success', reply.msg)
}

await realm({ digest_emails_enabled: true, digest_weekday: 1 })
await set('member', { enable_offline_email_notifications: false })
// Everyone's account is old enough.
await until(0, 12)
await until(1, 10)

beforeEach(() => until(0, 12))
afterEach(async () => {
  await until(1, 12)
  // What was said is too old for the next one.
  await until(1, 8)
  post.take()
})

describe('a digest', () => {
  test('comes on its day to who has been away for five days, with what happened', async () => {
    await server.say('owner', 'public', 'play', 'The **first** one.')
    await server.say('admin', 'public', 'play', 'The second one.')
    await server.say('admin', 'public', 'play', 'The third one.')
    await newChannel(['owner'])
    await until(1, 8)
    assert.deepEqual(digests(), [])
    await until(1, 9)
    const [mail, ...more] = digests()
    assert.ok(mail)
    assert.deepEqual(more, [])
    assert.equal(mail.headers.subject, 'What happened in Zulip Dev')
    assert.match(
      mail.text,
      /\n#Denmark > play: 3 messages\nhttp:\S+\/topic\/play\n\nDesdemona:\nThe \*\*first\*\* one\.\n\nIago:\nThe second one\.\n/,
    )
    assert.doesNotMatch(mail.text, /third/)
    assert.match(mail.text, /New channel: #made 1\nhttp/)
    assert.match(mail.html, /<strong>first<\/strong>/)
    await until(1, 20)
    assert.deepEqual(digests(), [], 'once')
  })

  const none: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'to who was there lately',
      () => member.post('/users/me/presence', { status: 'active' }),
      async () => {},
    ],
    [
      'to who does not want it',
      () => set('member', { enable_digest_emails: false }),
      () => set('member', { enable_digest_emails: true }),
    ],
    [
      'to who wants no contents in mail',
      () => set('member', { message_content_in_email_notifications: false }),
      () => set('member', { message_content_in_email_notifications: true }),
    ],
    [
      'where the organization wants none',
      () => realm({ digest_emails_enabled: false }),
      () => realm({ digest_emails_enabled: true }),
    ],
    [
      'of a muted topic',
      () =>
        member.post('/user_topics', {
          stream_id: server.channels.public,
          topic: 'none',
          visibility_policy: 1,
        }),
      () =>
        member.post('/user_topics', {
          stream_id: server.channels.public,
          topic: 'none',
          visibility_policy: 0,
        }),
    ],
    [
      'of a channel that was left',
      () => member.del('/users/me/subscriptions', { subscriptions: ['Denmark'] }),
      () => member.post('/users/me/subscriptions', { subscriptions: [{ name: 'Denmark' }] }),
    ],
  ]
  for (const [what, prepare, restore] of none) {
    test(`does not come ${what}`, async () => {
      await server.say('owner', 'public', 'none')
      await prepare()
      await until(1, 9)
      assert.deepEqual(digests(), [])
      await restore()
    })
  }

  test('does not come if nothing happened', async () => {
    await until(1, 9)
    assert.deepEqual(digests(), [])
  })

  test('is ended by the button behind its link', async () => {
    await server.say('owner', 'public', 'more')
    await until(1, 9)
    const [mail] = digests()
    const link = /<(.*)>/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? assert.fail()
    assert.match(await (await fetch(link)).text(), /what happened while you were away/)
    assert.equal((await fetch(link, { method: 'POST' })).status, 200)
    await until(0, 12)
    await server.say('owner', 'public', 'still more')
    await until(1, 9)
    assert.deepEqual(digests(), [])
  })
})

test('the topics of a digest: two with the most people, then those with the most messages', () => {
  const topic = (topicKey: string, senders: number, messages: number): BusyTopic => ({
    recipientId: 1,
    topicKey,
    senders,
    messages,
    firstId: 1,
  })
  const all = [
    topic('few', 1, 1),
    topic('long', 1, 90),
    topic('many people', 9, 10),
    topic('longer', 2, 100),
    topic('more people', 10, 11),
    topic('some', 3, 20),
  ]
  assert.deepEqual(
    chooseTopics(all).map(({ topicKey }) => topicKey),
    ['more people', 'many people', 'longer', 'long'],
  )
  assert.deepEqual(chooseTopics([]), [])
})

describe('the next digest', () => {
  const at = (text: string) => Date.parse(text) / 1000
  const monday = at('2026-11-23T09:00:00Z')
  const table: [string, number, number, number, number][] = [
    ['is on the next such day', at('2026-11-22T12:00:00Z'), 0, 0, monday],
    ['is later the same day', at('2026-11-23T01:00:00Z'), 0, 0, monday],
    ['is made late on the same day', at('2026-11-23T23:00:00Z'), 0, 0, monday],
    ['is not made twice', at('2026-11-23T23:00:00Z'), 0, monday + 60, monday + 7 * day],
    ['is not made up for on another day', at('2026-11-24T00:00:00Z'), 0, 0, monday + 7 * day],
  ]
  for (const [what, now, weekday, last, expected] of table) {
    test(what, () => assert.equal(nextDigest(now, weekday, last), expected))
  }
})
