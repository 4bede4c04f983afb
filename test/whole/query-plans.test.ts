import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createRealm } from '#features/access/setup/realm.actions.ts'
import { listIds, listTopics } from '#features/foundation/read-state/scans.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { compileNarrow } from '#features/messaging/narrow/compile.ts'
import { headsSql, laneSql } from '#features/messaging/narrow/cursor.queries.ts'
import type { Lane } from '#features/messaging/narrow/lanes.ts'
import { isCommonQuery } from '#features/messaging/narrow/queries.ts'
import { historySql } from '#features/messaging/narrow/walk.queries.ts'
import { remindPeople } from '#features/messaging/reminders/jobs.ts'
import { sendScheduledMessages } from '#features/messaging/scheduled-messages/jobs.ts'
import { deleteOldMessages } from '#features/organization/retention/jobs.ts'
import type { Term } from '#platform/events/types.ts'
import type { Read } from '#platform/store/store.ts'
import { openContext } from '#program/context.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context
const { $client: sqlite } = store.db

await server.say('admin', ['member'], '', 'A conversation.')
const hamlet = server.as('member')
await hamlet.post('/user_topics', { stream_id: channels.public, topic: 'x', visibility_policy: 3 })
await hamlet.post('/user_topics', { stream_id: channels.public, topic: 'y', visibility_policy: 1 })

type Filter = [operator: string, operand: Term['operand'], negated?: 'not']

function lanesOf(filters: readonly Filter[]): { lanes: readonly Lane[]; statements: string[] } {
  const user = findUser(store, ids.member)
  assert.ok(user)
  const terms = filters.map(([operator, operand, negated]) => ({
    operator,
    operand,
    negated: negated === 'not',
  }))
  const narrow = compileNarrow({ read: store, user }, terms)
  const statements = narrow.lanes.flatMap((lane) =>
    (['older', 'newer'] as const).flatMap((direction) => {
      const course = { direction, from: 0, until: 1 }
      const heads = lane.kind === 'recipients' ? [headsSql(lane, course)] : []
      return [laneSql(lane, narrow, course), ...heads]
    }),
  )
  return { lanes: narrow.lanes, statements }
}

/** The steps of a statement's plan, as SQLite words them. */
function planOf(source: string): string[] {
  const values = Array(source.split('?').length - 1).fill('1')
  const steps = sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${source}`)
  return steps.all(...values).map(({ detail }) => detail)
}

const recipient = /^SEARCH m USING (COVERING )?INDEX messages_recipient \(recipient_id=\? AND id/
const topic =
  /^SEARCH m USING (COVERING )?INDEX messages_topic \(recipient_id=\? AND topic_key=\? AND rowid/
const sender =
  /^SEARCH m USING (COVERING )?INDEX messages_sender \(recipient_id=\? AND sender_id=\? AND rowid/
const partial = (name: string) =>
  new RegExp(`^SEARCH m USING INDEX messages_${name} \\(recipient_id=\\? AND id`)
const flags = /^SEARCH f USING (PRIMARY KEY|.*INDEX.*) \(user_id=\? AND message_id/
const fullText = /^SCAN f VIRTUAL TABLE INDEX \d+:M/
const reactions =
  /^SEARCH r USING COVERING INDEX reactions_vote \(message_id>\? AND message_id<\?\)/

const dm: Filter = ['dm', [ids.admin]]
const channel: Filter = ['channel', channels.shared]

/** The index that each lane's candidates come from, in order of their ids. */
const rows: [title: string, filters: Filter[], driver: RegExp[]][] = [
  ['the combined feed', [], [recipient]],
  ['one channel', [channel], [recipient]],
  ['one topic', [channel, ['topic', 'x']], [topic]],
  ['a topic of any channel', [['topic', 'x']], [topic]],
  ['one conversation', [dm], [recipient]],
  ['all conversations', [['is', 'dm']], [recipient]],
  ['conversations with somebody', [['dm-including', ids.admin]], [recipient]],
  ['conversations of three and more', [['group-pm-with', ids.admin]], [recipient]],
  ['one sender', [['sender', ids.admin]], [sender]],
  ['one sender in a channel', [channel, ['sender', ids.admin]], [sender]],
  ['one sender in a topic', [channel, ['topic', 'x'], ['sender', ids.admin]], [topic]],
  ['public channels', [['channels', 'public']], [recipient]],
  ['web-public channels', [['channels', 'web-public']], [recipient]],
  ['archived channels', [['channels', 'archived']], [recipient]],
  ['all but a channel', [['channel', channels.shared, 'not']], [recipient]],
  ['starred', [['is', 'starred']], [flags]],
  ['starred in a channel', [channel, ['is', 'starred']], [flags]],
  ['mentioned', [['is', 'mentioned']], [flags, partial('wildcard')]],
  ['alerted', [['is', 'alerted']], [flags]],
  ['unread', [['is', 'unread']], [recipient]],
  ['unread in a topic', [channel, ['topic', 'x'], ['is', 'unread']], [topic]],
  ['read', [['is', 'unread', 'not']], [recipient]],
  ['followed', [['is', 'followed']], [topic]],
  ['muted', [['is', 'muted']], [topic, recipient]],
  ['not muted', [['is', 'muted', 'not']], [recipient]],
  ['resolved', [['is', 'resolved']], [partial('resolved')]],
  ['not resolved in a channel', [channel, ['is', 'resolved', 'not']], [recipient]],
  ['with a link', [['has', 'link']], [partial('link')]],
  ['with an image', [['has', 'image']], [partial('image')]],
  ['with an attachment', [['has', 'attachment']], [partial('attachment')]],
  ['with an attachment in a channel', [channel, ['has', 'attachment']], [partial('attachment')]],
  ['with reactions', [['has', 'reaction']], [reactions]],
  ['with reactions in a channel', [channel, ['has', 'reaction']], [recipient]],
  ['a search', [['search', 'word']], [fullText]],
  ['a search in a channel', [channel, ['search', 'word']], [fullText]],
  ['a search in a conversation', [dm, ['search', 'word']], [fullText]],
  [
    'a search among what is starred',
    [
      ['is', 'starred'],
      ['search', 'word'],
    ],
    [flags],
  ],
  ['all but a search', [['search', 'word', 'not']], [recipient]],
  ['one message', [['id', 1]], [/^SEARCH m USING INTEGER PRIMARY KEY/]],
]

describe('candidates come from an index, in order', () => {
  for (const [title, filters, drivers] of rows) {
    test(title, () => {
      const { lanes, statements } = lanesOf(filters)
      assert.equal(new Set(lanes.map((lane) => lane.kind + lane.key.sql)).size, drivers.length)
      for (const source of statements) {
        const plan = planOf(source)
        const isHeads = source.includes('json_each')
        const found = plan.filter((step) => drivers.some((driver) => driver.test(step)))
        assert.ok(found.length > 0, `${source}\n${plan.join('\n')}`)
        if (!isHeads)
          assert.match(plan[0] ?? '', new RegExp(drivers.map((d) => d.source).join('|')))
        for (const step of plan) {
          assert.doesNotMatch(step, /TEMP B-TREE|AUTOMATIC|^SCAN (?!f VIRTUAL|r VIRTUAL)/, source)
        }
      }
    })
  }
})

test('the history of all recipients is read in order of its ids, from one bound to the other', () => {
  for (const direction of ['older', 'newer'] as const) {
    assert.deepEqual(planOf(historySql({ direction, from: 0, until: 1 })), [
      'SEARCH m USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    ])
  }
})

/** The statements that `fn` prepares in a database of its own, where nothing is prepared yet. */
async function preparedBy(fn: (read: Read) => void): Promise<string[]> {
  const options = { data: ':memory:', port: 0, config: { logLevel: 'silent' } }
  const fresh = openContext(options, ':memory:').store
  await fresh.write((tx) => createRealm(tx, { name: 'x', placeholderDomain: 'x.invalid' }))
  const prepare = fresh.db.$client.prepare.bind(fresh.db.$client)
  const sources: string[] = []
  const recording = (source: string) => {
    sources.push(source)
    return prepare(source)
  }
  Object.assign(fresh.db.$client, { prepare: recording })
  fn(fresh)
  return sources
}

describe('the time when a job is due comes from an index', () => {
  for (const job of [sendScheduledMessages, remindPeople, deleteOldMessages]) {
    test(job.name, async () => {
      const sources = await preparedBy((read) => assert.equal(job.dueAt(read), undefined))
      const asked = sources.filter((source) => !source.includes('realm_settings'))
      assert.equal(asked.length, 1)
      for (const step of planOf(asked[0] ?? '')) assert.match(step, /USING (COVERING )?INDEX/)
    })
  }
})

test('unread messages of all recipients come from their index alone, range by range', async () => {
  const parts = [{ recipientId: 1, set: [1, 2] }]
  const sources = await preparedBy((read) => {
    listIds(read, ...parts)
    listTopics(read, parts)
  })
  assert.equal(sources.length, 2)
  for (const source of sources) {
    assert.deepEqual(planOf(source), [
      'SCAN r VIRTUAL TABLE INDEX 1:',
      'SEARCH m USING COVERING INDEX messages_recipient (recipient_id=? AND id>? AND id<?)',
    ])
  }
})

test('whether a search is common is found out from the newest messages alone', async () => {
  const [source = ''] = await preparedBy((read) => void isCommonQuery(read, '"to the"'))
  // `M2` is the search, `>` the bound of the ids that it reads.
  assert.ok(
    planOf(source).includes('SCAN messages_fts VIRTUAL TABLE INDEX 0:M2>'),
    planOf(source).join('\n'),
  )
})
