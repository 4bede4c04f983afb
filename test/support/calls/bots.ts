import { fixtureApiKey } from '#program/fixture/people.ts'
import { decimals, emptyList, emptyObject, names, someWords } from './hostile-values.ts'
import type { Maker } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

const toBot = { api_key: fixtureApiKey('webhook-bot@zulip.com'), stream: 'Denmark', topic: 'x' }

/** Bots, and the integrations that post through them. */
export function botCalls(make: Maker): SampleCalls {
  return {
    'POST /bots': () => ({
      params: { full_name: make.unique('Robot'), short_name: make.unique('r').replace(' ', '-') },
      free: ['full_name'],
      takes: { short_name: [...names, ...decimals] },
    }),
    'PATCH /bots/:bot_id{-?[0-9]+}': async () => ({
      params: { bot_id: await make.bot(), full_name: make.unique('Robot') },
      // There are channels of such names by now.
      free: ['full_name', 'default_sending_stream', 'default_events_register_stream'],
      takes: { config_data: emptyObject },
    }),
    'DELETE /bots/:bot_id{-?[0-9]+}': async () => ({ params: { bot_id: await make.bot() } }),
    'GET /bots/:bot_id{-?[0-9]+}/api_key': async () => ({ params: { bot_id: await make.bot() } }),
    'POST /bots/:bot_id{-?[0-9]+}/api_key/regenerate': async () => ({
      params: { bot_id: await make.bot() },
    }),
    'GET /bots': plain(),
    'GET /bot_storage': plain({}, { as: 'bot', takes: { keys: emptyList } }),
    'PUT /bot_storage': plain(
      { storage: { a: 'b' } },
      { as: 'bot', takes: { storage: emptyObject } },
    ),
    'DELETE /bot_storage': plain({}, { as: 'bot', takes: { keys: emptyList } }),
    'POST /external/json': plain(toBot, { body: { event: 'x' }, free: ['stream', 'topic'] }),
    'POST /external/slack_incoming': plain(toBot, {
      body: { text: 'x' },
      free: ['stream', 'topic'],
    }),
    'POST /external/github': plain(toBot, {
      body: { zen: 'Keep it.', repository: { full_name: 'a/b', name: 'b' } },
      headers: { 'x-github-event': 'ping' },
      free: ['stream', 'topic', 'branches'],
      takes: { only_events: someWords, exclude_events: someWords },
    }),
    'POST /external/gitlab': plain(toBot, {
      body: {
        object_kind: 'push',
        before: '1'.repeat(40),
        after: '2'.repeat(40),
        ref: 'refs/heads/main',
        user_name: 'Ada',
        project: { name: 'site', path_with_namespace: 'a/site', web_url: 'https://example.com' },
        commits: [],
        total_commits_count: 0,
      },
      headers: { 'x-gitlab-event': 'Push Hook' },
      free: ['stream', 'topic', 'branches'],
      takes: { only_events: someWords, exclude_events: someWords },
    }),
  }
}
