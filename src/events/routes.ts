import { endpoint } from '#http/endpoint.ts'
import { Later } from '#http/later.ts'
import { bool, described, int, optional, withDefault, word } from '#http/params.ts'
import { RawMembers } from '#http/reply.ts'
import { list, noted, string } from '#shape.ts'
import { registerParams, startQueue } from './register.ts'
import { eventShape, registerMembers } from './shapes.ts'

/**
 * Registers an event queue and answers the state that its events will change.
 *
 * @source the API description's `POST /register`; api-changes §5
 */
export const register = endpoint({
  method: 'post',
  path: '/register',
  summary: 'Register an event queue, and get the state that its events will change.',
  description:
    '`fetch_event_types`, or else `event_types`, say which parts of the state are wanted.',
  params: registerParams,
  errors: ['BAD_NARROW'],
  reply: registerMembers,
  run: (caller, p, request) => startQueue(caller, p, request.origin).reply,
})

/**
 * Reads a queue, waiting for its next event or the heartbeat; the registration parameters instead
 * of a queue make one first.
 *
 * @throws BAD_EVENT_QUEUE_ID with `queue_id`
 * @source contract, "Get events from an event queue"
 */
export const getEvents = endpoint({
  method: 'get',
  path: '/events',
  summary: 'Get events from a queue, waiting for the next one unless told not to.',
  description: 'The parameters of `POST /register` in place of `queue_id` register a queue first.',
  params: {
    ...registerParams,
    queue_id: optional(word(200)),
    last_event_id: described(
      withDefault(int({ min: -1 }), -1),
      'The newest event that the client has: it and those before it are forgotten.',
    ),
    dont_block: withDefault(bool(), false),
  },
  errors: ['BAD_EVENT_QUEUE_ID', 'BAD_NARROW'],
  reply: {
    events: noted(list(eventShape), 'Oldest first; a heartbeat when nothing came for a while.'),
    queue_id: string,
  },
  run(caller, p, request) {
    const { queues } = caller.server
    const queue =
      p.queue_id === undefined
        ? startQueue(caller, p, request.origin).queue
        : queues.access(caller.user.id, p.queue_id)
    const members = (events: string) =>
      new RawMembers(`"events":${events},"queue_id":${JSON.stringify(queue.id)}`)
    const events = queues.read(queue, p.last_event_id)
    if (events !== undefined || p.dont_block) return members(events ?? '[]')
    return new Later(({ answer, fail }) =>
      queues.park(queue, { answer: (news) => answer(members(news)), fail }),
    )
  },
})

/** Ends a queue. @throws BAD_EVENT_QUEUE_ID with `queue_id` */
export const deleteQueue = endpoint({
  method: 'delete',
  path: '/events',
  summary: 'End an event queue.',
  params: { queue_id: word(200) },
  errors: ['BAD_EVENT_QUEUE_ID'],
  reply: {},
  run(caller, p) {
    const { queues } = caller.server
    queues.close(queues.access(caller.user.id, p.queue_id))
  },
})
