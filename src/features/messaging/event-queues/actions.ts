import { findBotOptions } from '#features/foundation/bots/queries.ts'
import type { Config } from '#platform/config.ts'
import { notLoggedIn } from '#platform/errors.ts'
import { isExtended } from '#platform/events/extended.ts'
import type { Queue } from '#platform/events/queues.ts'
import type { Spectator, StateOptions, StatePart } from '#platform/events/state.ts'
import { type Capability, capabilities } from '#platform/events/types.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Values } from '#platform/http/params.ts'
import type { Steps } from '#platform/steps.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { registerParams } from './params.ts'

type RegisterValues = Values<typeof registerParams>

/** How long a mobile app's queue lives between polls, in seconds (feature level 481). */
const mobileLifespan = 12 * 3600

/** The members of every reply of `POST /register` besides the state. */
interface Registration {
  queue_id: string
  last_event_id: number
  /** Only for clients that choose a timeout, or ask for `extended_members`. */
  idle_queue_timeout_secs?: number
  event_queue_longpoll_timeout_seconds: number
}

/** The credential with which a caller opens a queue or makes a poll. They end with it. */
export function accessOf({ credential, sessionId }: Caller) {
  return { openedWith: credential, ...(sessionId !== undefined && { sessionId }) }
}

/**
 * Opens a queue and reads the state in one turn of the event loop: nothing changes between the
 * two, so the queue's first event follows the state without a gap.
 *
 * @param origin scheme, host and port of the server as this client reached it
 * @param state the features' parts of the state
 * @throws BAD_NARROW
 * @source Zulip API, "Register an event queue"
 */
export function startQueue(
  caller: Caller,
  p: RegisterValues,
  origin: string,
  state: readonly StatePart[],
): { queue: Queue; reply: Registration } {
  const { config, queues } = caller.server
  const lifespanSeconds = lifespanOf(p) ?? config.queueLifespanSeconds
  const queue = queues.open({
    userId: caller.user.id,
    ...accessOf(caller),
    client: caller.client,
    applyMarkdown: p.apply_markdown,
    slimPresence: p.slim_presence,
    includeSubscribers: p.include_subscribers,
    capabilities: declaredBy(p),
    eventTypes: p.event_types,
    ...messageFilter(caller, p),
    lifespanSeconds,
  })
  const options = stateOptions(p, origin)
  const members = readState(state, options, (part) => part.read(caller, options))
  const reply = {
    ...members,
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    ...((p.idle_queue_timeout !== undefined || isExtended(options)) && {
      idle_queue_timeout_secs: lifespanSeconds,
    }),
    event_queue_longpoll_timeout_seconds: longpollSeconds(config),
  }
  return { queue, reply }
}

/**
 * The state as a spectator sees it, without a queue: there are no events about later changes.
 *
 * @param origin as for `startQueue`
 * @throws UNAUTHORIZED the client asks for something that needs an account
 * @source Zulip API, "Register an event queue", `queue_id`, `client_gravatar`,
 *   `include_subscribers`
 */
export function readPublicState(
  spectator: Spectator,
  p: RegisterValues,
  origin: string,
  state: readonly StatePart[],
) {
  // A client that lost its session must get an error, not a part of the state.
  if (p.client_gravatar || p.include_subscribers !== 'false') throw notLoggedIn()
  const options = stateOptions(p, origin)
  return {
    ...readState(state, options, (part) => part.readPublic?.(spectator, options) ?? {}),
    queue_id: null,
    last_event_id: -1,
    event_queue_longpoll_timeout_seconds: longpollSeconds(spectator.server.config),
  }
}

function stateOptions(p: RegisterValues, origin: string): StateOptions {
  const wanted = p.fetch_event_types ?? p.event_types
  return {
    fetchTypes: wanted && new Set(wanted),
    slimPresence: p.slim_presence,
    includeSubscribers: p.include_subscribers,
    capabilities: new Set<Capability>(declaredBy(p)),
    presenceHistoryDays: p.presence_history_limit_days,
    origin,
  }
}

function declaredBy({ client_capabilities }: RegisterValues): Capability[] {
  return capabilities.filter((name) => client_capabilities[name] === true)
}

function longpollSeconds({ heartbeatSeconds }: Pick<Config, 'heartbeatSeconds'>): number {
  return heartbeatSeconds + 40
}

/**
 * Waits until opened and closed queues are stored. A full disk is not an error here: a client can
 * still read, and registers anew after a crash.
 */
export async function storeQueues({ server }: Caller): Promise<void> {
  try {
    await server.queues.stored()
  } catch (error) {
    server.log.warn({ err: error }, 'event queues are not stored')
  }
}

/** The messages that the queue receives. For bots, the owner chooses the defaults. */
function messageFilter({ store, user }: Caller, { narrow, all_public_streams }: RegisterValues) {
  if (user.botType === null) return { narrow, allPublicChannels: all_public_streams ?? false }
  const { eventsChannelId, allPublicChannels } = findBotOptions(store, user.id)
  const defaultNarrow =
    eventsChannelId === null
      ? []
      : [{ operator: 'channel', operand: eventsChannelId, negated: false }]
  return {
    narrow: narrow.length > 0 ? narrow : defaultNarrow,
    allPublicChannels: all_public_streams ?? allPublicChannels,
  }
}

function lifespanOf(p: RegisterValues): number | undefined {
  if (p.idle_queue_timeout === 'mobile') return mobileLifespan
  return p.idle_queue_timeout ?? (p.queue_lifespan_secs || undefined)
}

/** The parts that were read before: the first time, statements are prepared and caches filled. */
const partsRead = perDatabase(() => new WeakSet<StatePart>())

/**
 * Makes what the parts of the state share with others, before `startQueue` reads them together.
 * Reads each for the first time in a step of its own.
 */
export function* prepareState(
  caller: Caller,
  p: RegisterValues,
  origin: string,
  state: readonly StatePart[],
): Steps<void> {
  const options = stateOptions(p, origin)
  for (const part of wantedOf(state, options)) {
    if (part.prepare) yield* part.prepare(caller, options)
    const known = partsRead(caller.store)
    if (known.has(part)) continue
    known.add(part)
    part.read(caller, options)
    yield
  }
}

function readState(
  state: readonly StatePart[],
  options: StateOptions,
  read: (part: StatePart) => object,
): object {
  return Object.assign({}, ...wantedOf(state, options).map(read))
}

function wantedOf(state: readonly StatePart[], { fetchTypes: wanted }: StateOptions): StatePart[] {
  return state.filter(
    (part) => part.types.length === 0 || !wanted || part.types.some((type) => wanted.has(type)),
  )
}
