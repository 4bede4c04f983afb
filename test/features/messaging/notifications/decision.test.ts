import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type MessageRelevance, triggerOf } from '#features/messaging/notifications/decision.ts'

/** The rows of the table, from the top, each with its own condition and the settings it needs. */
type Row = readonly [trigger: string, condition: boolean, settings: boolean]

interface Case {
  readonly way: 'push' | 'email'
  readonly kind: 'direct' | 'channel'
  readonly mentioned: boolean
  readonly atTopic: boolean
  readonly atAll: boolean
  readonly policy: 'none' | 'muted' | 'unmuted' | 'followed'
  readonly channelMuted: boolean
  readonly ownNotify: boolean | null
  readonly ownWildcard: boolean | null
  readonly offline: boolean
  readonly followed: boolean
  readonly followedWildcard: boolean
  readonly wildcard: boolean
  readonly channel: boolean
}

const settingNames = {
  offline: {
    push: 'enable_offline_push_notifications',
    email: 'enable_offline_email_notifications',
  },
  followed: {
    push: 'enable_followed_topic_push_notifications',
    email: 'enable_followed_topic_email_notifications',
  },
  channel: { push: 'enable_stream_push_notifications', email: 'enable_stream_email_notifications' },
}

/** The table of the help center, row by row. */
function expected(c: Case): string | undefined {
  const inChannel = c.kind === 'channel'
  const follows = c.policy === 'followed'
  const resolve = (own: boolean | null, global: boolean): boolean => {
    if (c.policy === 'muted') return false
    if (c.channelMuted && c.policy !== 'unmuted') return false
    return own === null ? global : own
  }
  const wildcardOn = resolve(c.ownWildcard, c.wildcard)
  const rows: Row[] = [
    ['direct_message', !inChannel, c.offline],
    ['mentioned', inChannel && c.mentioned, c.offline],
    [
      'topic_wildcard_mentioned_in_followed_topic',
      inChannel && c.atTopic && follows,
      c.offline && c.followedWildcard,
    ],
    [
      'stream_wildcard_mentioned_in_followed_topic',
      inChannel && c.atAll && follows,
      c.offline && c.followedWildcard,
    ],
    ['topic_wildcard_mentioned', inChannel && c.atTopic, c.offline && wildcardOn],
    ['stream_wildcard_mentioned', inChannel && c.atAll, c.offline && wildcardOn],
    ['followed_topic', inChannel && follows, c.followed],
    ['stream', inChannel, resolve(c.ownNotify, c.channel)],
  ]
  return rows.find(([, condition, settings]) => condition && settings)?.[0]
}

function decided(c: Case): string | undefined {
  const other = c.way === 'push' ? 'email' : 'push'
  const concern: MessageRelevance = {
    isDirect: c.kind === 'direct',
    isMentioned: c.mentioned,
    isTopicMentioned: c.atTopic,
    isChannelMentioned: c.atAll,
    topic: c.policy,
    isChannelMuted: c.channelMuted,
    // The other way's setting must not matter.
    channel: {
      push: c.way === 'push' ? c.ownNotify : !c.ownNotify,
      email: c.way === 'email' ? c.ownNotify : !c.ownNotify,
      wildcard: c.ownWildcard,
    },
  }
  const values: Record<string, boolean> = {
    [settingNames.offline[c.way]]: c.offline,
    [settingNames.followed[c.way]]: c.followed,
    [settingNames.channel[c.way]]: c.channel,
    [settingNames.offline[other]]: !c.offline,
    [settingNames.followed[other]]: !c.followed,
    [settingNames.channel[other]]: !c.channel,
    enable_followed_topic_wildcard_mentions_notify: c.followedWildcard,
    wildcard_mentions_notify: c.wildcard,
  }
  return triggerOf(c.way, concern, (name) => values[name] ?? assert.fail(name))
}

const bool = fc.boolean()
const own = fc.constantFrom(true, false, null)
const cases = fc.record<Case>({
  way: fc.constantFrom('push', 'email'),
  kind: fc.constantFrom('direct', 'channel', 'channel', 'channel'),
  mentioned: bool,
  atTopic: bool,
  atAll: bool,
  policy: fc.constantFrom('none', 'muted', 'unmuted', 'followed'),
  channelMuted: bool,
  ownNotify: own,
  ownWildcard: own,
  offline: bool,
  followed: bool,
  followedWildcard: bool,
  wildcard: bool,
  channel: bool,
})

test('the decision agrees with the table, on random settings', () => {
  const seen = new Set<string | undefined>()
  fc.assert(
    fc.property(cases, (c) => {
      seen.add(expected(c))
      assert.equal(decided(c), expected(c))
    }),
    { numRuns: 5000, seed: 7 },
  )
  assert.equal(seen.size, 9, 'each row and none of them came up')
})
