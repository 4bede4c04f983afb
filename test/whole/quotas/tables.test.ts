import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { day } from '#platform/quotas/quota.ts'
import * as schema from '#platform/store/schema.ts'
import { readConfig } from '#program/config.ts'
import { quotas } from '#program/features.ts'
import { startServer } from '#test/support/server.ts'

/** What bounds the tables whose rows no quota counts. */
const bounded: Readonly<Record<string, string>> = {
  assistant_clients: 'the newest thousand that nobody uses, and those of connections',
  assistant_codes: 'the newest 20 of each account, for a day',
  attachment_claims: 'one for each link in a message',
  attachment_schedules: 'one for each link in a scheduled message',
  attachments: 'unclaimed ones have a limit of their own, like the space of all',
  clients: 'a thousand',
  digest_runs: 'one',
  direct_members: 'one for each member of a conversation that has messages',
  hidden_previews: 'one for each message',
  identities: 'one for each account and provider',
  imports: 'one',
  link_pages: 'the newest twenty thousand',
  login_attempts: 'the newest 20 of each account, for an hour',
  loose_files: 'one for each file',
  message_edits: 'a request each, which have rate limits; what readers get of them is bounded',
  message_keys: 'one for each message that a client gives a key; they expire after a day',
  message_flags: 'one for each message',
  message_order: 'one',
  message_paths: 'no more than there are moved messages',
  messages: 'what the server is for; requests have rate limits, and retention ends them',
  moved_messages: 'one for each message',
  muted_users: 'one for each account',
  quiet_times: 'one for each account',
  notification_parts: 'the users whom messages concern, until a job has done them',
  notifications: 'a message to somebody who asked for it each; two weeks of them are kept',
  onboarding_steps: 'one for each name, of which there are few',
  page_waits: 'one for each link in a message, until its page has answered',
  placeholder_messages: 'one for each message',
  presence: 'one for each account',
  profile_values: 'one for each field',
  push_service: 'one',
  pushes: 'the newest two hundred of each device',
  quota_uses: 'one a second for each limit in time, until it expires',
  old_links: 'one for each imported message',
  older_read_state: 'at most one for each read state',
  read_state: 'one for each channel and conversation',
  realm: 'one',
  realm_pictures: 'one of each kind',
  realm_settings: 'one for each setting',
  realm_user_defaults: 'one for each setting',
  received_mail: 'one for each mail that came in, which are limited; they expire after a week',
  recipients: 'one for each channel and conversation',
  recovery_codes: 'ten for each account',
  reply_addresses: 'one for each mail about messages; they expire after 30 days',
  resumable_parts: 'have a limit of their own',
  resumable_uploads: 'have a limit of their own',
  event_queues: 'the limits of the event queues',
  queued_events: 'the limits of the event queues',
  scim_tokens: 'one',
  search_updates: 'one',
  second_factors: 'one for each account',
  sent_scheduled_messages: 'the newest hundred of each account',
  sessions: 'a login each, which are limited; they expire',
  submessages: 'have a limit for each message',
  subscription_spans: 'one for each message between leaving and joining, or that mentions a bot',
  subscriptions: 'one for each channel',
  thumbnails: 'a few for each file',
  upload_pictures: 'one for each file',
  user_settings: 'one for each setting',
  user_statuses: 'one for each account',
  web_push_key: 'one',
  webhook_attempts: 'the newest 20 of each bot',
  webhook_deliveries: 'one for each message, until it is delivered or given up',
  zoom_tokens: 'one for each account',
}

test('every table has a limit, or a stated reason to have none', () => {
  const tables = Object.values(schema).filter((each) => is(each, SQLiteTable))
  const limited = new Set(quotas.flatMap(({ tables }) => tables.map(getTableName)))
  const known = new Set([...limited, ...Object.keys(bounded)])
  const names: string[] = tables.map(getTableName)
  assert.deepEqual(names.filter((name) => !known.has(name)).sort(), [])
  assert.deepEqual(
    Object.keys(bounded).filter((name) => !names.includes(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(bounded).filter((name) => limited.has(name)),
    [],
  )
})

test('names and numbers are unique and sensible', () => {
  assert.equal(new Set(quotas.map(({ name }) => name)).size, quotas.length)
  for (const { name, most, seconds = 1 } of quotas) {
    assert.match(name, /^[a-z_]+$/)
    assert.ok(Number.isInteger(most) && most > 0)
    assert.ok(seconds > 0 && seconds <= day)
  }
})

describe('PARLEY_LIMITS', () => {
  test('changes limits by name', () => {
    const { quotas: changed } = readConfig({ PARLEY_LIMITS: 'drafts=200, channels_per_hour=50' })
    assert.deepEqual(changed, { drafts: 200, channels_per_hour: 50 })
    assert.deepEqual(readConfig({}).quotas, {})
  })

  for (const wrong of ['drafts', 'drafts=', 'drafts=-1', 'drafts=many', '=5']) {
    test(`'${wrong}' is an error`, () => {
      const expected = {
        message: `PARLEY_LIMITS must be limits such as drafts=200, separated by spaces or commas, not '${wrong}'.`,
      }
      assert.throws(() => readConfig({ PARLEY_LIMITS: wrong }), expected)
    })
  }

  test('an unknown limit keeps the server from starting; the error lists the known ones', async () => {
    const starting = startServer({ config: { quotas: { draughts: 5 } } })
    await assert.rejects(starting, /There is no limit 'draughts'\. The limits are: .*, drafts, /)
  })

  test('takes effect', async () => {
    const server = await startServer({ config: { quotas: { saved_snippets: 1 } } })
    try {
      const save = () => server.as('member').post('/saved_snippets', { title: 'a', content: 'b' })
      assert.equal((await save()).result, 'success')
      assert.equal((await save()).msg, 'You have too many saved snippets (limit: 1)')
    } finally {
      await server.close()
    }
  })
})
