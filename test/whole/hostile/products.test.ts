import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import { gatherCrowd, times } from '#test/support/limits/crowd.ts'
import { mostWorkInATurn } from '#test/support/limits/work.ts'
import { type Client, type Reply, startServer } from '#test/support/server.ts'

// Each look at the time takes long, so that others have their turn wherever they may.
let elapsed = 0
const server = await startServer({
  clock: { ...systemClock, elapsed: () => (elapsed += 10) },
  config: { smtpUrl: 'smtp://127.0.0.1:9' },
})
after(server.close)
const owner = server.as('owner')
const { people, channels, groups, messages } = await gatherCrowd(server, 0.2)
const names = channels.map(({ name }) => name)
const ids = channels.map(({ id }) => id)
const wanted = (some: readonly string[]) => some.map((name) => ({ name }))

interface Row {
  readonly what: string
  readonly call: (client: Client) => Promise<Reply>
  /** Statements and rows in one turn of the event loop. */
  readonly most: number
}

const subscriptions = '/users/me/subscriptions'
const addresses = (name: string, count: number) =>
  times(count, (i) => `${name}${i}@new.example`).join()
const made = { name: 'many', description: '', members: people, subgroups: groups }

// biome-ignore format: a table reads best in columns
const rows: Row[] = [
  { what: 'one channel, everybody',        most: 9000, call: (o) => o.post(subscriptions, { subscriptions: wanted(names.slice(0, 1)), principals: people }) },
  { what: 'many channels, some people',    most: 6000, call: (o) => o.post(subscriptions, { subscriptions: wanted(names.slice(1)), principals: people.slice(0, 20) }) },
  { what: 'some channels, many people',    most: 6000, call: (o) => o.post(subscriptions, { subscriptions: wanted(names.slice(1, 11)), principals: people.slice(100, 500) }) },
  { what: 'new channels, some people',     most: 9000, call: (o) => o.post(subscriptions, { subscriptions: wanted(times(50, (i) => `new ${i}`)), principals: people.slice(0, 80) }) },
  { what: 'everybody out of one channel',  most: 7000, call: (o) => o.del(subscriptions, { subscriptions: names.slice(0, 1), principals: people }) },
  { what: 'some people out of many',       most: 6000, call: (o) => o.del(subscriptions, { subscriptions: names.slice(1), principals: people.slice(0, 20) }) },
  { what: 'own channels',                  most: 1500, call: (o) => o.post(subscriptions, { subscriptions: wanted(names) }) },
  { what: 'settings of own channels',      most: 1500, call: (o) => o.post(`${subscriptions}/properties`, { subscription_data: ids.map((stream_id) => ({ stream_id, property: 'is_muted', value: true })) }) },
  { what: 'a channel for everybody',       most: 24000, call: (o) => o.post('/channels/create', { name: 'all of them', subscribers: people }) },
  { what: 'invitations by mail',           most: 2500, call: (o) => o.post('/invites', { invitee_emails: addresses('a', 400), stream_ids: [] }) },
  { what: 'invitations to many channels',  most: 3000, call: (o) => o.post('/invites', { invitee_emails: addresses('b', 60), stream_ids: ids, group_ids: groups }) },
  { what: 'a link to many channels',       most: 1000, call: (o) => o.post('/invites/multiuse', { stream_ids: ids, group_ids: groups }) },
  { what: 'a group of people and groups',  most: 7000, call: (o) => o.post('/user_groups/create', made) },
  { what: 'alert words',                   most: 3000, call: (o) => o.post('/users/me/alert_words', { alert_words: times(500, (i) => `word ${i}`) }) },
  { what: 'fewer alert words',             most: 3000, call: (o) => o.del('/users/me/alert_words', { alert_words: times(500, (i) => `word ${i}`) }) },
  { what: 'drafts',                        most: 500, call: (o) => o.post('/drafts', { drafts: times(100, (i) => ({ type: 'stream', to: [3], topic: 't', content: `${i}`, timestamp: 1_700_000_000 })) }) },
  { what: 'stars',                         most: 3000, call: (o) => o.post('/messages/flags', { op: 'add', flag: 'starred', messages }) },
  { what: 'messages that are unread',      most: 3000, call: (o) => o.post('/messages/flags', { op: 'remove', flag: 'read', messages }) },
  { what: 'messages that are read',        most: 1000, call: (o) => o.post('/messages/flags', { op: 'add', flag: 'read', messages }) },
]

describe('what one request may name many of is done in turns of bounded work', () => {
  for (const { what, most, call } of rows) {
    test(what, async () => {
      const work = await mostWorkInATurn(server, async () => {
        const { result, msg } = await call(owner)
        assert.equal(result, 'success', msg)
      })
      assert.ok(work <= most, `${work} statements and rows`)
    })
  }
})
