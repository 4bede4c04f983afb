import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { notifications } from '#platform/store/schema.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'
import { startMailServer } from '#test/support/smtp.ts'
import { startWebPushService } from '#test/support/web-push-service.ts'

const post = await startMailServer()
after(post.close)
const service = await startWebPushService(() => '')
after(service.close)
const server = await startServer({
  config: {
    smtpUrl: post.url,
    webPushServices: [service.origin],
    allowedNetworks: ['127.0.0.1'],
  },
})
after(server.close)
const member = server.as('member')
service.answers(member.email, { status: 503 })
await member.post('/web_push/subscriptions', { ...service.device(member.email) })

const now = () => Math.floor(server.clock.now() / 1000)
const change = (params: object) => member.patch('/users/me/quiet_times', { ...params })
const extended = { client_capabilities: { extended_members: true } }
/** Quiet hours that began an hour ago and end in an hour, in UTC. */
function hoursNow() {
  const minute = Math.floor(now() / 60) % 1440
  const around = (minutes: number) => (minute + minutes + 1440) % 1440
  return {
    days: [0, 1, 2, 3, 4, 5, 6],
    start_minute: around(-60),
    end_minute: around(60),
    timezone: 'UTC',
  }
}
const none = { paused_until: null, schedule: null }

async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds * 1000)
  await server.settled()
}

/** What is stored about a direct message for the member: whether to push, and when to mail, in seconds. */
async function told(): Promise<{ push: boolean; mailIn: number | undefined }> {
  const id = await server.say('owner', ['member'])
  const row = server.server.context.store.db
    .select()
    .from(notifications)
    .all()
    .find(({ messageId }) => messageId === id)
  return {
    push: row?.pushTrigger != null,
    mailIn: row?.emailDueAt == null ? undefined : row.emailDueAt - now(),
  }
}

afterEach(async () => {
  await change(none)
  await pass(24 * 3600)
  post.take()
})

describe('what a client can set', () => {
  test('a pause and hours, which all of the user’s clients learn, and nobody else', async () => {
    const [own, plain, other] = [
      await member.watchWith({ event_types: ['quiet_times'], ...extended }),
      await member.watch('quiet_times'),
      await server.as('owner').watchWith({ event_types: ['quiet_times'], ...extended }),
    ]
    assert.deepEqual(own.state.quiet_times, none)
    assert.equal('quiet_times' in plain.state, false)
    const paused = { ...none, paused_until: now() + 60 }
    assert.deepEqual(await change({ paused_until: now() + 60 }), {
      ...success,
      quiet_times: paused,
    })
    const both = { ...paused, schedule: hoursNow() }
    const asked = { ...hoursNow(), days: [6, 5, 4, 3, 2, 1, 0, 0].slice(1), timezone: 'Zulu' }
    assert.deepEqual(await change({ schedule: asked }), {
      ...success,
      quiet_times: { ...both, schedule: { ...hoursNow(), days: [0, 1, 2, 3, 4, 5] } },
    })
    await change({ schedule: hoursNow() })
    assert.deepEqual(await member.get('/users/me/quiet_times'), { ...success, quiet_times: both })
    assert.deepEqual(
      (await own.drain()).map(({ quiet_times }) => quiet_times),
      [paused, { ...both, schedule: { ...hoursNow(), days: [0, 1, 2, 3, 4, 5] } }, both],
    )
    assert.deepEqual(await plain.drain(), [])
    assert.deepEqual(await other.drain(), [])
  })

  test('the same again tells nobody anything', async () => {
    await change({ schedule: hoursNow() })
    const queue = await member.watchWith({ event_types: ['quiet_times'], ...extended })
    await change({ schedule: hoursNow() })
    await change({})
    assert.deepEqual(await queue.drain(), [])
  })

  test('a pause that is over is none', async () => {
    await change({ paused_until: now() + 60 })
    await pass(60)
    assert.deepEqual(await member.get('/users/me/quiet_times'), { ...success, quiet_times: none })
  })

  // biome-ignore format: a table reads best in columns
  const refused: [what: string, params: () => object, problem: string][] = [
    ['a pause that is past',  () => ({ paused_until: now() }), 'The pause must end in the future.'],
    ['an unknown time zone',  () => ({ schedule: { ...hoursNow(), timezone: 'Elsinore' } }), 'Invalid timezone'],
    ['a zone in other case',  () => ({ schedule: { ...hoursNow(), timezone: 'utc' } }), 'Invalid timezone'],
    ['an offset as a zone',   () => ({ schedule: { ...hoursNow(), timezone: '+02:00' } }), 'Invalid timezone'],
  ]
  for (const [what, params, problem] of refused) {
    test(`not ${what}`, async () => {
      assert.deepEqual(await change(params()), failure(problem))
      assert.deepEqual(await member.get('/users/me/quiet_times'), { ...success, quiet_times: none })
    })
  }

  // biome-ignore format: a table reads best in columns
  const malformed: [what: string, params: () => object][] = [
    ['a day beyond the week',     () => ({ schedule: { ...hoursNow(), days: [7] } })],
    ['more days than there are',  () => ({ schedule: { ...hoursNow(), days: [0, 1, 2, 3, 4, 5, 6, 0] } })],
    ['a minute beyond the day',   () => ({ schedule: { ...hoursNow(), end_minute: 1440 } })],
    ['half a second',             () => ({ paused_until: now() + 60.5 })],
  ]
  for (const [what, params] of malformed) {
    test(`not ${what}`, async () => {
      assert.equal((await change(params())).code, 'BAD_REQUEST')
    })
  }
})

describe('what it does', () => {
  test('otherwise a direct message is pushed, and mailed after the usual time', async () => {
    assert.deepEqual(await told(), { push: true, mailIn: 120 })
  })

  test('in a pause nothing is pushed, and the mail waits for the end', async () => {
    await change({ paused_until: now() + 3600 })
    assert.deepEqual(await told(), { push: false, mailIn: 3600 })
    await pass(3599)
    assert.deepEqual(post.take(), [])
    await pass(1)
    assert.deepEqual(
      post.take().flatMap(({ to }) => to),
      [member.email],
    )
  })

  test('the same in quiet hours', async () => {
    await change({ schedule: hoursNow() })
    const { push, mailIn } = await told()
    assert.equal(push, false)
    assert.ok(mailIn !== undefined && mailIn > 3500 && mailIn <= 3660, `in ${mailIn} s`)
  })

  test('a mail that waited already waits on, and comes soon once the pause is ended early', async () => {
    assert.deepEqual(await told(), { push: true, mailIn: 120 })
    await change({ paused_until: now() + 3600 })
    await pass(600)
    assert.deepEqual(post.take(), [])
    await change({ paused_until: null })
    await pass(0)
    assert.deepEqual(
      post.take().flatMap(({ to }) => to),
      [member.email],
    )
  })

  test('other people are told as ever', async () => {
    await change({ paused_until: now() + 3600 })
    const id = await server.say('owner', ['member', 'admin'])
    const rows = server.server.context.store.db.select().from(notifications).all()
    const admin = rows.find((row) => row.messageId === id && row.userId === server.ids.admin)
    assert.equal(admin?.emailDueAt, now() + 120)
  })
})
