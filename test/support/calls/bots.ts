import { integrations } from '#features/integrations/webhook-services/list.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { decimals, emptyList, emptyObject, names, someWords } from './hostile-values.ts'
import type { Maker } from './maker.ts'
import { plain, type SampleCall, type SampleCalls } from './sample-call.ts'

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
      takes: { config_data: emptyObject, short_name: [...names, ...decimals] },
    }),
    'DELETE /bots/:bot_id{-?[0-9]+}': async () => ({ params: { bot_id: await make.bot() } }),
    'GET /bots/:bot_id{-?[0-9]+}/api_key': async () => ({ params: { bot_id: await make.bot() } }),
    'POST /bots/:bot_id{-?[0-9]+}/api_key/regenerate': async () => ({
      params: { bot_id: await make.bot() },
    }),
    'GET /bots/:bot_id{-?[0-9]+}/deliveries': async () => ({
      params: { bot_id: await make.bot() },
    }),
    'POST /bots/:bot_id{-?[0-9]+}/deliveries/:delivery_id/retry': async () => ({
      params: { bot_id: await make.bot(), delivery_id: 1 },
      // Nothing was delivered to the service of a new bot.
      fails: 'NOT_FOUND',
    }),
    'GET /bots': plain(),
    'GET /bot_storage': plain({}, { as: 'bot', takes: { keys: emptyList } }),
    'PUT /bot_storage': plain(
      { storage: { a: 'b' } },
      { as: 'bot', takes: { storage: emptyObject } },
    ),
    'DELETE /bot_storage': plain({}, { as: 'bot', takes: { keys: emptyList } }),
    'GET /integrations': plain(),
    ...webhookCalls(make),
  }
}

/** What each service sends in its example. */
function webhookCalls({ server }: Maker): SampleCalls {
  /** Lets the bot's owner know of a mistake, after which they hear nothing of the next ones. */
  async function makeMistake(): Promise<void> {
    const query = new URLSearchParams({ ...toBot, stream: 'Nowhere' })
    const url = `${server.url}/api/v1/external/json?${query}`
    await server.server.fetch(new Request(url, { method: 'POST', body: '{}' }))
  }
  return Object.fromEntries(
    integrations.flatMap((service) => {
      const { name, example, urlOptions = [], queryFields = [], sendsGet } = service
      const call = async (): Promise<SampleCall> => {
        await makeMistake()
        return {
          params: toBot,
          body: example.body,
          ...(example.headers && { headers: example.headers }),
          free: ['stream', 'topic', ...urlOptions.map(({ key }) => key), ...queryFields],
          takes: { only_events: someWords, exclude_events: someWords },
        }
      }
      const post = [`POST /external/${name}`, call] as const
      const get = async () => ({ ...(await call()), params: { ...toBot, ...example.body } })
      return sendsGet ? [post, [`GET /external/${name}`, get] as const] : [post]
    }),
  )
}
