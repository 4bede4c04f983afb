import type { Queue, Queues } from '#platform/events/queues.ts'
import type { StatePart } from '#platform/events/state.ts'
import { decode } from '#platform/http/decode.ts'
import { endpoint, spectatorEndpoint } from '#platform/http/endpoint.ts'
import { Later } from '#platform/http/later.ts'
import { bool, described, int, optional, withDefault, word } from '#platform/http/params.ts'
import { RawMembers } from '#platform/http/reply.ts'
import { type Source, StreamedReply } from '#platform/http/streamed.ts'
import type { Shape } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'
import { accessOf, prepareState, readPublicState, startQueue, storeQueues } from './actions.ts'
import { registerParams } from './params.ts'
import { eventShape, registerMembers } from './shapes.ts'
import { registerInTurn } from './turns.actions.ts'

/** The endpoints that depend on every feature: on its parts of the state and on its events. */
export function queueRoutes(state: readonly StatePart[], events: readonly Shape[]) {
  return {
    register: registerEndpoint(state),
    getEvents: getEventsEndpoint(state, events),
    streamEvents: streamEventsEndpoint(events),
  }
}

/**
 * Registers an event queue and returns the state that its events will change.
 *
 * @source Zulip API, "Register an event queue"
 */
function registerEndpoint(state: readonly StatePart[]) {
  return spectatorEndpoint({
    method: 'post',
    path: '/register',
    summary: 'Register an event queue, and get the initial state that its events update.',
    description:
      '`fetch_event_types`, or else `event_types`, select the parts of the state. Needs no account if the server and the organization allow spectators: they get the public parts of the state, and no queue.',
    params: registerParams,
    errors: ['BAD_NARROW'],
    reply: registerMembers(state),
    async run(caller, p, request) {
      if (!caller) return readPublicState(request, p, request.origin, state)
      const prepare = () => prepareState(caller, p, request.origin, state)
      return await registerInTurn(
        caller,
        request.signal,
        async () => {
          const { reply } = startQueue(caller, p, request.origin, state)
          await storeQueues(caller)
          return reply
        },
        prepare,
      )
    },
  })
}

/**
 * Reads a queue, waiting for its next event or the heartbeat. Without `queue_id` it registers a
 * queue first.
 *
 * @throws BAD_EVENT_QUEUE_ID with `queue_id`
 * @source Zulip API, "Get events from an event queue"
 */
function getEventsEndpoint(state: readonly StatePart[], events: readonly Shape[]) {
  return endpoint({
    method: 'get',
    path: '/events',
    summary: 'Get events from a queue, waiting for the next one unless `dont_block` is set.',
    description:
      'With the parameters of `POST /register` instead of `queue_id`, registers a queue first.',
    params: {
      ...registerParams,
      queue_id: optional(word(200)),
      last_event_id: described(
        withDefault(int({ min: -1 }), -1),
        'The ID of the newest event that the client has; -1: it does not say. The server drops events up to this one. If the queue never had that event, or has dropped later ones, the client has to register again: `BAD_EVENT_QUEUE_ID`.',
      ),
      dont_block: withDefault(bool(), false),
    },
    errors: ['BAD_EVENT_QUEUE_ID', 'BAD_NARROW'],
    reply: {
      events: shape.noted(
        shape.list(eventShape(events)),
        'Oldest first; a heartbeat if there were no events for a while.',
      ),
      queue_id: shape.string,
    },
    async run(caller, p, request) {
      const { queues } = caller.server
      const prepare = () => prepareState(caller, p, request.origin, state)
      const queue =
        p.queue_id === undefined
          ? await registerInTurn(
              caller,
              request.signal,
              async () => {
                const started = startQueue(caller, p, request.origin, state)
                await storeQueues(caller)
                return started.queue
              },
              prepare,
            )
          : queues.access(caller.user.id, p.queue_id)
      // Nobody has received the events of a new queue yet.
      const found = queues.read(queue, p.queue_id === undefined ? -1 : p.last_event_id)
      if (found !== undefined || p.dont_block) return eventsReply(queue, found ?? '[]')
      return whenEventsCome(queues, queue, accessOf(caller), p.queue_id !== undefined)
    },
  })
}

/**
 * Sends the events of a queue as they come, the same ones as `GET /events`.
 *
 * @throws BAD_EVENT_QUEUE_ID with `queue_id`
 * @source WHATWG HTML, "Server-sent events", "The Last-Event-ID header"
 */
function streamEventsEndpoint(events: readonly Shape[]) {
  return endpoint({
    method: 'get',
    path: '/events/stream',
    summary: 'Get the events of a queue as they happen, in one reply that goes on.',
    description:
      "Parley's own. Each record of the stream is a list of events, oldest first, and has the ID of the newest one; a comment shows now and then that the connection is alive. Who has lost access gets a record `event: refusal` with the error instead. Events are kept until the client acknowledges them: by `POST /events/acknowledge`, or by asking again with the ID of the newest one. Beyond a mebibyte of them, a stream waits for the client to acknowledge some, and ends if it does not within ten seconds; it also ends after ten minutes without.",
    params: {
      queue_id: word(200),
      last_event_id: described(
        withDefault(int({ min: -1 }), -1),
        'As of `GET /events`. The header `Last-Event-ID`, which browsers send when they connect again, comes before it.',
      ),
    },
    errors: ['BAD_EVENT_QUEUE_ID'],
    reply: {},
    record: shape.list(eventShape(events)),
    run(caller, p, request) {
      const { queues } = caller.server
      const queue = queues.access(caller.user.id, p.queue_id)
      const resumed = request.header('last-event-id')
      const { last_event_id } = resumed
        ? decode({ last_event_id: int({ min: -1 }) }, new Map([['last_event_id', resumed]]))
        : p
      queues.read(queue, last_event_id)
      return followed(queues, queue, last_event_id, accessOf(caller))
    },
  })
}

/** @param events a JSON array */
function eventsReply({ id }: Queue, events: string): RawMembers {
  return new RawMembers(`"events":${events},"queue_id":${JSON.stringify(id)}`)
}

/**
 * Separate from the endpoint, so that nothing of the request is kept alive while it waits.
 *
 * @param hasQueue whether the client would get this queue if it asked again
 */
function whenEventsCome(
  queues: Queues,
  queue: Queue,
  access: ReturnType<typeof accessOf>,
  hasQueue: boolean,
): Later {
  const wait: Later['wait'] = (waiting) =>
    queues.park(queue, {
      ...access,
      reply: (events) => waiting.reply(eventsReply(queue, events)),
      fail: (error) => waiting.fail(error),
    })
  const again = {
    param: 'last_event_id',
    run: (value: number) => (queues.read(queue, value) === undefined ? later : undefined),
  }
  const later = new Later(wait, hasQueue ? again : undefined)
  return later
}

/** Separate from the endpoint, like `whenEventsCome`. */
function followed(
  queues: Queues,
  queue: Queue,
  lastEventId: number,
  access: ReturnType<typeof accessOf>,
): StreamedReply {
  return new StreamedReply(
    ({ write, beat, end, fail }): Source =>
      queues.follow(queue, lastEventId, { ...access, send: write, beat, end, fail }),
  )
}

/**
 * Acknowledges events from a stream.
 *
 * @throws BAD_EVENT_QUEUE_ID with `queue_id`
 */
export const acknowledgeEvents = endpoint({
  method: 'post',
  path: '/events/acknowledge',
  summary: 'Say which events of a queue the client has, so that the server drops them.',
  description: "Parley's own, for clients that get them by `GET /events/stream`.",
  params: {
    queue_id: word(200),
    last_event_id: described(int({ min: 0 }), 'The ID of the newest event that the client has.'),
  },
  errors: ['BAD_EVENT_QUEUE_ID'],
  reply: {},
  run(caller, p) {
    const { queues } = caller.server
    queues.acknowledge(queues.access(caller.user.id, p.queue_id), p.last_event_id)
  },
})

/**
 * Deletes a queue.
 *
 * @throws BAD_EVENT_QUEUE_ID with `queue_id`
 * @source Zulip API, "Delete an event queue"
 */
export const deleteQueue = endpoint({
  method: 'delete',
  path: '/events',
  summary: 'Delete an event queue.',
  params: { queue_id: word(200) },
  errors: ['BAD_EVENT_QUEUE_ID'],
  reply: {},
  async run(caller, p) {
    const { queues } = caller.server
    queues.close(queues.access(caller.user.id, p.queue_id))
    await storeQueues(caller)
  },
})
