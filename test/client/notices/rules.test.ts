import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { noticeOf } from '#client/notices/rules.ts'
import { goOnline } from '#test/client/online.ts'
import { type Actor, type CallParams, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const hamlet = server.as('member')
const online = await goOnline(server, 'member')

/** What a message that just came calls for: `desktop sound`, one of them, or nothing. */
async function noticed(
  actor: Actor,
  to: Channel | readonly Actor[],
  topic: string,
  content: string,
): Promise<string> {
  const id = await server.say(actor, to, topic, content)
  await online.poll()
  const message = online.store.messages.peek(id)
  assert.ok(message)
  const { desktop, sound } = noticeOf(online.store, message)
  return [desktop && 'desktop', sound && 'sound'].filter(Boolean).join(' ')
}

const both = 'desktop sound'
const mention = '@**King Hamlet** hello'

describe('by default', () => {
  test('direct messages and mentions are told, what is said in channels is not', async () => {
    assert.equal(await noticed('othello', ['member'], '', 'Psst'), both)
    // A topic in which one is mentioned is followed from then on.
    assert.equal(await noticed('othello', 'public', 'mentions', mention), both)
    assert.equal(await noticed('othello', 'public', 'everybody', '@**all** hello'), both)
    assert.equal(await noticed('othello', 'public', 'plans', 'Hello'), '')
  })

  test("the user's own messages do not notify", async () => {
    assert.equal(await noticed('member', 'public', 'own', mention), '')
  })

  test('words that the user wants to be alerted of count as mentions', async () => {
    await hamlet.post('/users/me/alert_words', { alert_words: ['yorick'] })
    assert.equal(await noticed('othello', 'public', 'plans', 'Alas, poor Yorick'), both)
  })
})

describe('settings', () => {
  // biome-ignore format: a table reads best in columns
  const table: [settings: CallParams, direct: string, channel: string][] = [
    [{ enable_sounds: false },                        'desktop', ''],
    [{ enable_desktop_notifications: false },         'sound',   ''],
    [{ enable_stream_desktop_notifications: true },   both,      'desktop'],
    [{ enable_stream_audible_notifications: true },   both,      'sound'],
  ]
  for (const [settings, direct, channel] of table) {
    const [[name, value] = []] = Object.entries(settings)
    test(`${name} = ${value}`, async () => {
      await hamlet.patch('/settings', settings)
      assert.equal(await noticed('othello', ['member'], '', 'Psst'), direct)
      assert.equal(await noticed('othello', 'public', 'plans', 'Hello'), channel)
      await hamlet.patch('/settings', { [name ?? '']: !value })
    })
  }

  test('of a channel come before those of the user', async () => {
    const set = (property: string, value: boolean) =>
      hamlet.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: server.channels.public, property, value }],
      })
    await set('desktop_notifications', true)
    assert.equal(await noticed('othello', 'public', 'plans', 'Hello'), 'desktop')
    assert.equal(await noticed('othello', 'shared', 'plans', 'Hello'), '')
    await set('is_muted', true)
    assert.equal(await noticed('othello', 'public', 'plans', 'Hello'), '')
    assert.equal(await noticed('othello', 'public', 'muted', '@**all** hello'), '')
    assert.equal(await noticed('othello', 'public', 'muted', mention), both)
    await set('is_muted', false)
    await set('desktop_notifications', false)
  })
})

describe('topics and people', () => {
  const policy = (visibility_policy: number) =>
    hamlet.post('/user_topics', {
      ...{ stream_id: server.channels.shared, topic: 'swans', visibility_policy },
    })

  test('a followed topic is told, a muted one is not', async () => {
    await policy(3)
    assert.equal(await noticed('othello', 'shared', 'swans', 'Seven'), both)
    await policy(1)
    assert.equal(await noticed('othello', 'shared', 'swans', '@**all** eight'), '')
    assert.equal(await noticed('othello', 'shared', 'swans', mention), both)
    await policy(0)
  })

  test('messages of a muted person do not notify', async () => {
    await hamlet.post(`/users/me/muted_users/${server.ids.zoe}`)
    assert.equal(await noticed('zoe', ['member'], '', 'Psst'), '')
  })
})

describe('in quiet times', () => {
  const now = () => Math.floor(server.clock.now() / 1000)
  const minute = () => Math.floor(now() / 60) % 1440
  const hours = (from: number, to: number) => ({
    days: [0, 1, 2, 3, 4, 5, 6],
    start_minute: (minute() + from + 1440) % 1440,
    end_minute: (minute() + to + 1440) % 1440,
    timezone: 'UTC',
  })
  // biome-ignore format: a table reads best in columns
  const table: [what: string, params: () => CallParams, told: string][] = [
    ['a pause',                    () => ({ paused_until: now() + 60 }),  ''],
    ['no pause anymore',          () => ({ paused_until: null }),        both],
    ['quiet hours',                () => ({ schedule: hours(-60, 60) }),  ''],
    ['hours that have not begun',  () => ({ schedule: hours(60, 120) }),  both],
    ['hours that are over',        () => ({ schedule: hours(-120, -60) }), both],
    ['hours of other days',        () => ({ schedule: { ...hours(-60, 60), days: [] } }), both],
    ['no hours anymore',          () => ({ schedule: null }),            both],
  ]
  for (const [what, params, told] of table) {
    test(`${what}: ${told || 'nothing is told'}`, async () => {
      await hamlet.patch('/users/me/quiet_times', params())
      await online.poll()
      assert.equal(await noticed('othello', ['member'], '', 'Psst'), told)
    })
  }
})
