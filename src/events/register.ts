import * as v from 'valibot'
import { findBotOptions } from '#bots/queries.ts'
import type { Caller } from '#http/caller.ts'
import {
  bool,
  int,
  isBool,
  json,
  jsonOrWord,
  oneOf,
  optional,
  recordOf,
  textArray,
  type Values,
  withDefault,
} from '#http/params.ts'
import { narrowParam } from '#narrow/param.ts'
import type { Queue } from './queues.ts'
import type { StateOptions } from './state.ts'
import { stateParts } from './state-parts.ts'
import { type Capability, capabilities } from './types.ts'

/** How long the queue of a mobile app is kept between polls, in seconds (feature level 481). */
const mobileLifespan = 12 * 3600
const longestLifespan = 7 * 24 * 3600

const lifespan = v.union([
  v.literal('mobile'),
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(longestLifespan)),
])

/** The parameters of `POST /register`, which `GET /events` takes instead of a queue too. */
export const registerParams = {
  apply_markdown: withDefault(bool(), false),
  client_gravatar: withDefault(bool(), true),
  slim_presence: withDefault(bool(), false),
  presence_history_limit_days: withDefault(int({ min: 0, max: 3650 }), 14),
  all_public_streams: optional(bool()),
  include_subscribers: withDefault(oneOf(['true', 'false', 'partial']), 'false'),
  client_capabilities: withDefault(json(recordOf(isBool)), {}),
  event_types: withDefault(json(v.nullable(textArray(200, 100))), null),
  fetch_event_types: withDefault(json(v.nullable(textArray(200, 100))), null),
  narrow: withDefault(narrowParam(), []),
  idle_queue_timeout: optional(jsonOrWord(lifespan)),
  queue_lifespan_secs: optional(int({ min: 0, max: longestLifespan })),
}

/** The reply of `POST /register`: what is always in it, among the state. */
interface Registration {
  queue_id: string
  last_event_id: number
  idle_queue_timeout_secs: number
  event_queue_longpoll_timeout_seconds: number
}

/**
 * Opens a queue and reads the state, in one turn of the event loop: nothing can happen between
 * them, so the state and the queue's first event meet without a gap.
 */
export function startQueue(
  caller: Caller,
  p: Values<typeof registerParams>,
  origin: string,
): { queue: Queue; reply: Registration } {
  const { config, queues } = caller.server
  const declared = capabilities.filter((name) => p.client_capabilities[name] === true)
  const lifespanSeconds = lifespanOf(p) ?? config.queueLifespanSeconds
  const queue = queues.open({
    userId: caller.user.id,
    client: caller.client,
    applyMarkdown: p.apply_markdown,
    clientGravatar: p.client_gravatar,
    slimPresence: p.slim_presence,
    includeSubscribers: p.include_subscribers,
    capabilities: declared,
    eventTypes: p.event_types,
    ...usualMessages(caller, p),
    lifespanSeconds,
  })
  const wanted = p.fetch_event_types ?? p.event_types
  const state = readState(caller, {
    fetchTypes: wanted && new Set(wanted),
    clientGravatar: p.client_gravatar,
    slimPresence: p.slim_presence,
    includeSubscribers: p.include_subscribers,
    capabilities: new Set<Capability>(declared),
    presenceHistoryDays: p.presence_history_limit_days,
    origin,
  })
  const reply = {
    ...state,
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    idle_queue_timeout_secs: lifespanSeconds,
    event_queue_longpoll_timeout_seconds: config.heartbeatSeconds + 40,
  }
  return { queue, reply }
}

/** Which messages the queue gets. A bot's owner says what that is when its request does not. */
function usualMessages(
  { store, user }: Caller,
  { narrow, all_public_streams }: Values<typeof registerParams>,
) {
  if (user.botType === null) return { narrow, allPublicChannels: all_public_streams ?? false }
  const { eventsChannelId, allPublicChannels } = findBotOptions(store, user.id)
  const usual =
    eventsChannelId === null
      ? []
      : [{ operator: 'channel', operand: eventsChannelId, negated: false }]
  return {
    narrow: narrow.length > 0 ? narrow : usual,
    allPublicChannels: all_public_streams ?? allPublicChannels,
  }
}

function lifespanOf(p: Values<typeof registerParams>): number | undefined {
  if (p.idle_queue_timeout === 'mobile') return mobileLifespan
  return p.idle_queue_timeout ?? (p.queue_lifespan_secs || undefined)
}

function readState(caller: Caller, options: StateOptions): object {
  const wanted = options.fetchTypes
  const parts = stateParts.filter(
    (part) => part.types.length === 0 || !wanted || part.types.some((type) => wanted.has(type)),
  )
  return Object.assign({}, ...parts.map((part) => part.read(caller, options)))
}
