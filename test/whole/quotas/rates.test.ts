import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { mailbox } from '#features/foundation/mail/mailbox.ts'
import { manualClock } from '#platform/clock.ts'
import { changeLimits } from '#test/support/limits/changing.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Client, type Reply, startServer } from '#test/support/server.ts'
import { type ReceivedMail, startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({ config: { smtpUrl: post.url } })
after(server.close)
const { ids } = server
const owner = server.as('owner')
const member = server.as('member')
await owner.patch('/realm', { send_welcome_emails: false })

/** Limits from here on; all others in time are lifted, but for mail. */
const limit = (changed: Record<string, number>) =>
  changeLimits(server.server.context.store, changed)
/** When nothing counts anymore. */
const laterOn = () => server.clock.advance(24 * 3600 * 1000)

async function mails(): Promise<ReceivedMail[]> {
  await server.settled()
  return post.take()
}

const subscribe = (client: Client, names: readonly string[]) =>
  client.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) })
const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i}`)
const channelNames = async () =>
  (await owner.get<{ streams: { name: string }[] }>('/streams')).streams.map(({ name }) => name)

describe('new channels', () => {
  test('a request for hundreds fails without creating any', async () => {
    limit({ channels_per_hour: 200 })
    const before = await channelNames()
    const reply = await subscribe(member, names(700, 'flood'))
    // Waiting does not help who wants more than the limit at once.
    assert.deepEqual(reply, failure('You have created too many channels (limit: 200 an hour)'))
    assert.deepEqual(await channelNames(), before)
  })

  test('a request for more than fifty fails for everyone without creating any', async () => {
    limit({})
    const before = await channelNames()
    const many = names(51, 'import')
    const refused = failure('Too many new channels in one request (limit: 50)')
    assert.deepEqual(await subscribe(owner, many), refused)
    const add = many.map((name) => ({ name }))
    assert.deepEqual(await owner.patch('/users/me/subscriptions', { add }), refused)
    assert.deepEqual(await channelNames(), before)
    assert.equal((await subscribe(owner, many.slice(1))).result, 'success')
    // Those that exist do not count.
    assert.equal((await subscribe(owner, many)).result, 'success')
  })

  test('both ways to create them count together; existing channels do not count', async () => {
    limit({ channels_per_hour: 3 })
    laterOn()
    assert.equal((await subscribe(member, names(2, 'both'))).result, 'success')
    assert.equal((await subscribe(member, names(2, 'both'))).result, 'success')
    const make = (name: string) => member.post('/channels/create', { name, subscribers: [] })
    assert.equal((await make('third')).result, 'success')
    const refused = await make('fourth')
    assert.equal(refused.code, 'RATE_LIMIT_HIT')
    server.clock.advance(Number(refused['retry-after']) * 1000)
    assert.equal((await make('fourth')).result, 'success')
  })

  test('a failed request does not count', async () => {
    limit({ channels_per_hour: 1 })
    laterOn()
    const wrong = { name: 'wrong', subscribers: [], folder_id: 999 }
    assert.equal((await member.post('/channels/create', wrong)).result, 'error')
    assert.equal((await subscribe(member, ['right'])).result, 'success')
  })

  test('administrators have ten times the limit', async () => {
    limit({ channels_per_hour: 1 })
    laterOn()
    assert.equal((await subscribe(owner, names(10, 'imported'))).result, 'success')
    const reply = await subscribe(owner, ['one more'])
    assert.equal(reply.msg, 'You have created too many channels (limit: 10 an hour)')
  })

  test('channels created by a bot count for its owner', async () => {
    limit({ channels_per_hour: 1 })
    laterOn()
    const made = await member.post<{ user_id: number; api_key: string }>('/bots', {
      full_name: 'Maker',
      short_name: 'maker',
    })
    const basic = Buffer.from(`maker-bot@zulipdev.com:${made.api_key}`).toString('base64')
    const asBot = (name: string) =>
      fetch(`${server.url}/api/v1/users/me/subscriptions`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ subscriptions: JSON.stringify([{ name }]) }),
      })
    assert.equal((await asBot('by the bot')).status, 200)
    assert.equal((await asBot('again by the bot')).status, 429)
    assert.equal((await subscribe(member, ['by the owner'])).status, 429)
  })
})

test('uses in the future, left by a clock that was ahead, do not count', async () => {
  limit({ channels_per_hour: 1 })
  const { store } = server.server.context
  const ahead = Math.floor(server.clock.now() / 1000) + 10 * 24 * 3600
  store.db.$client
    .prepare("INSERT INTO quota_uses VALUES ('channels_per_hour', ?, ?, 1000)")
    .run(String(ids.cordelia), ahead)
  assert.equal((await subscribe(server.as('cordelia'), ['in the past'])).result, 'success')
})

test('uses still count after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-limits-'))
  const clock = manualClock(Date.UTC(2026, 1, 1))
  const start = () => startServer({ data, clock, config: { quotas: { channels_per_hour: 1 } } })
  try {
    const first = await start()
    assert.equal((await subscribe(first.as('member'), ['before'])).result, 'success')
    await first.close()
    const second = await start()
    assert.equal((await subscribe(second.as('member'), ['after'])).code, 'RATE_LIMIT_HIT')
    await second.close()
  } finally {
    rmSync(data, { recursive: true })
  }
})

test('servers without rate limits limit mail, but not channels', async () => {
  limit({})
  laterOn()
  for (const part of ['a', 'lot', 'of', 'new', 'ones']) {
    assert.equal((await subscribe(member, names(50, part))).result, 'success')
  }
  const replies: Reply[] = []
  for (let i = 0; i < 5; i++) {
    replies.push(await member.patch('/settings', { email: 'somebody@example.com' }))
  }
  assert.deepEqual(
    replies.map(({ code }) => code),
    [undefined, undefined, undefined, 'RATE_LIMIT_HIT', 'RATE_LIMIT_HIT'],
  )
  assert.equal((await mails()).length, 3)
})

describe('mail', () => {
  const invite = (invitee_emails: string) =>
    owner.post('/invites', { invitee_emails, stream_ids: [] })
  const tooMuch = 'Too much mail was sent to this address (limit: 3 an hour)'

  test('a hundred changes of an address send three mails to a stranger', async () => {
    limit({})
    laterOn()
    for (let i = 0; i < 100; i++) {
      const spelling = i % 2 ? 'Victim@Example.com' : `victim+${i}@example.com`
      const reply = await member.patch('/settings', { email: spelling })
      if (i >= 3) assert.deepEqual([reply.code, reply.msg], ['RATE_LIMIT_HIT', tooMuch])
    }
    assert.equal((await mails()).length, 3)
  })

  test('all ways to cause mail count together', async () => {
    limit({})
    laterOn()
    const email = 'doors@example.com'
    assert.equal((await member.patch('/settings', { email })).result, 'success')
    assert.deepEqual(await invite(email), success)
    const { invites } = await owner.get<{ invites: { id: number; email?: string }[] }>('/invites')
    const { id } = invites.find((each) => each.email === email) ?? {}
    assert.deepEqual(await owner.post(`/invites/${id}/resend`), success)
    assert.equal((await owner.post(`/invites/${id}/resend`)).msg, tooMuch)
    assert.equal((await server.as('zoe').patch('/settings', { email })).msg, tooMuch)
    const refused = await invite(`${email} another@example.com`)
    assert.deepEqual(refused.errors, [
      [email, 'Too much mail was sent to this address recently.', false],
    ])
    assert.equal(refused.sent_invitations, true)
    assert.deepEqual(
      (await mails()).map(({ to }) => to[0]),
      [email, email, email, 'another@example.com'],
    )
  })

  test('resent invitations count towards the daily limit', async () => {
    limit({ invitations_per_day: 2 })
    laterOn()
    assert.deepEqual(await invite('day@example.com'), success)
    const { invites } = await owner.get<{ invites: { id: number; email?: string }[] }>('/invites')
    const { id } = invites.find((each) => each.email === 'day@example.com') ?? {}
    assert.deepEqual(await owner.post(`/invites/${id}/resend`), success)
    for (const reply of [
      await owner.post(`/invites/${id}/resend`),
      await invite('b@example.com'),
    ]) {
      assert.deepEqual([reply.code, reply.daily_limit_reached], ['INVITATION_FAILED', true])
    }
    assert.equal((await mails()).length, 2)
  })

  test('different spellings of one address are invited once, and count once', async () => {
    limit({ invitations_per_day: 2 })
    laterOn()
    assert.deepEqual(await invite('A@x.org, a@x.org, b@x.org, a@X.org'), success)
    assert.deepEqual(
      (await mails()).map(({ to }) => to[0]),
      ['A@x.org', 'b@x.org'],
    )
  })

  test('addresses that cannot be invited do not count', async () => {
    limit({ invitations_per_day: 1 })
    laterOn()
    const reply = await invite(`${member.email} nobody c@example.com`)
    assert.deepEqual([reply.sent_invitations, reply.daily_limit_reached], [true, false])
    assert.equal((await mails()).length, 1)
  })

  test('others cannot exhaust the limit of login mails to a user', async () => {
    limit({ mails_per_hour_to_address: 1, notices_per_hour_to_address: 2 })
    laterOn()
    const { email } = server.as('othello')
    const login = () =>
      server.anonymous.post('/fetch_api_key', { username: email, password: 'othello-password' })
    const requests = async () => (await mails()).map(({ headers }) => headers.subject)
    for (let i = 0; i < 3; i++) assert.equal((await login()).result, 'success')
    assert.deepEqual(await requests(), ['New login to Zulip Dev', 'New login to Zulip Dev'])
  })

  test('a deactivation fails rather than dropping its comment', async () => {
    limit({ notices_per_hour_to_address: 0 })
    const comment = { deactivation_notification_comment: 'Goodbye' }
    const reply = await owner.del(`/users/${ids.zoe}`, comment)
    assert.equal(
      reply.msg,
      'Too many mails about this account were sent to its address (limit: 0 an hour)',
    )
    assert.equal(
      (await owner.get<{ user: { is_active: boolean } }>(`/users/${ids.zoe}`)).user.is_active,
      true,
    )
    assert.deepEqual(await owner.del(`/users/${ids.zoe}`), success)
    await owner.post(`/users/${ids.zoe}/reactivate`)
  })

  test('spellings of one mailbox', () => {
    const same = ['a.b+x@gmail.com', 'AB@googlemail.com', ' ab@Gmail.com ', 'a.b+y+z@gmail.com']
    assert.deepEqual(new Set(same.map(mailbox)), new Set(['ab@gmail.com']))
    assert.notEqual(mailbox('a.b@example.com'), mailbox('ab@example.com'))
    assert.equal(mailbox('a+b@Example.com'), 'a@example.com')
  })
})

describe('changes that the user did not request', () => {
  test('a message is sent even if the sender can follow no more topics', async () => {
    limit({ user_topics: 0 })
    await member.patch('/settings', { automatically_follow_topics_policy: 2 })
    const queue = await member.watch('user_topic')
    await server.say('member', 'public', 'a new topic')
    assert.deepEqual(await queue.drain(), [])
    limit({})
    await server.say('member', 'public', 'a new topic')
    assert.equal((await queue.drain()).length, 1)
  })

  test('an existing policy can change at the limit', async () => {
    const set = (visibility_policy: number, topic = 'kept') =>
      server.as('zoe').post('/user_topics', { stream_id: 3, topic, visibility_policy })
    limit({})
    await set(1)
    limit({ user_topics: 1 })
    assert.deepEqual(await set(3), success)
    assert.equal((await set(1, 'more')).result, 'error')
    assert.deepEqual(await set(0), success)
    assert.deepEqual(await set(1, 'more'), success)
  })
})

describe('other ways to get more', () => {
  test('nobody can be given more bots than the limit', async () => {
    limit({})
    const bot = { full_name: 'Gift', short_name: 'gift' }
    const made = await owner.post<{ user_id: number }>('/bots', bot)
    limit({ bots: 0 })
    const give = () => owner.patch(`/bots/${made.user_id}`, { bot_owner_id: ids.cordelia })
    assert.deepEqual(await give(), failure('The owner has too many bots (limit: 0)'))
    await owner.del(`/bots/${made.user_id}`)
    const back = () => owner.post(`/users/${made.user_id}/reactivate`)
    assert.deepEqual(await back(), failure('The owner has too many bots (limit: 0)'))
    limit({})
    assert.deepEqual(await back(), success)
  })

  test('reactivated groups and folders count', async () => {
    limit({})
    const group = { name: 'back', description: '', members: [] }
    const { group_id } = await owner.post<{ group_id: number }>('/user_groups/create', group)
    await owner.post(`/user_groups/${group_id}/deactivate`)
    const folder = { name: 'back', description: '' }
    const made = await owner.post<{ channel_folder_id: number }>('/channel_folders/create', folder)
    const path = `/channel_folders/${made.channel_folder_id}`
    await owner.patch(path, { is_archived: true })
    limit({ user_groups: 0, channel_folders: 0 })
    assert.deepEqual(
      await owner.patch(`/user_groups/${group_id}`, { deactivated: false }),
      failure('One account has created too many user groups (limit: 0)'),
    )
    assert.deepEqual(
      await owner.patch(path, { is_archived: false }),
      failure('The organization has too many channel folders (limit: 0)'),
    )
  })
})
