import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Lookups } from '#client/narrow/hash.ts'
import {
  noUser,
  openTerms,
  type SpectatorView,
  spectatorViewOf,
} from '#client/spectator/spectator-view.ts'
import type { Channel } from '#client/state/model.ts'

const none = { current: new Map(), peek: () => undefined }
const open = new Map([[5, { id: 5, name: 'Rome' } as Channel]])
const known: Lookups = {
  selfId: noUser,
  users: none,
  groups: none,
  channels: { current: open, peek: (id) => open.get(id) },
}

const closed: SpectatorView = { kind: 'closed' }
const all: SpectatorView = { kind: 'open', narrow: { kind: 'all' }, near: undefined }

describe('what a link shows to someone without an account', () => {
  const topic = { kind: 'topic', channelId: 5, topic: 'a b' } as const
  // biome-ignore format: a table reads best in columns
  const table: [hash: string, SpectatorView][] = [
    ['',                                        all],
    ['#feed',                                   all],
    ['#inbox',                                  all],
    ['#narrow/channel/5-Rome',                  { kind: 'open', narrow: { kind: 'channel', channelId: 5 }, near: undefined }],
    ['#topics/channel/5-Rome',                  { kind: 'open', narrow: { kind: 'channel', channelId: 5 }, near: undefined }],
    ['#narrow/stream/Rome/topic/a.20b',         { kind: 'open', narrow: topic, near: undefined }],
    ['#narrow/channel/5-Rome/topic/a.20b/near/7', { kind: 'open', narrow: topic, near: 7 }],
    ['#narrow/channel/5-Rome/topic/a.20b/with/7', { kind: 'open', narrow: { ...topic, withId: 7 }, near: undefined }],
    ['#narrow/channel/4-Denmark',               closed],
    ['#narrow/channel/4/topic/a',               closed],
    ['#narrow/dm/7',                            closed],
    ['#narrow/is/starred',                      closed],
    ['#narrow/search/word',                     closed],
    ['#settings/profile',                       closed],
    ['#drafts',                                 closed],
  ]
  for (const [hash, place] of table) {
    test(hash || 'none', () => assert.deepEqual(spectatorViewOf(hash, known), place))
  }
})

test('the server is asked for what is public on the web only', () => {
  const terms = openTerms({ kind: 'channel', channelId: 5 })
  assert.deepEqual(
    terms.map(({ operator, operand }) => [operator, operand]),
    [
      ['channels', 'web-public'],
      ['channel', 5],
    ],
  )
})
