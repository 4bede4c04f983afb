import type { StatePart } from '#platform/events/state.ts'
import type { Members, Shape } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'

/** Any event that a queue can hold. @param shapes the event shapes of all features */
export function eventShape(shapes: readonly Shape[]): Shape {
  return shape.titled(
    'Event',
    shape.either(shape.event('HeartbeatEvent', 'heartbeat', {}), ...shapes),
  )
}

/** The reply of `POST /register`; most parts of the state are present only on request. */
export function registerMembers(state: readonly StatePart[]) {
  const parts: Members = Object.fromEntries(
    state.flatMap(({ types, members }) =>
      Object.entries(members).map(([name, member]) => [name, onRequest(types, member)]),
    ),
  )
  return {
    queue_id: shape.noted(shape.nullable(shape.string), 'Null for spectators, who get no events.'),
    last_event_id: shape.noted(shape.integer, 'The `last_event_id` for the first `GET /events`.'),
    idle_queue_timeout_secs: shape.maybe(
      shape.noted(
        shape.integer,
        'How long the queue is kept without polls, in seconds; only with `idle_queue_timeout` or `extended_members` (feature level 481).',
      ),
    ),
    event_queue_longpoll_timeout_seconds: shape.noted(
      shape.integer,
      'How long a client should wait for a poll, in seconds; longer than the interval of heartbeats.',
    ),
    ...parts,
  }
}

function onRequest(types: readonly string[], member: Shape): Shape {
  if (types.length === 0) return member
  const when = `With \`${types.join('` or `')}\`.`
  const text = shape.textOf(member)
  return shape.maybe(shape.noted(member, text === undefined ? when : `${when} ${text}`))
}
