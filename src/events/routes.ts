import { endpoint } from '#http/endpoint.ts'
import { Later } from '#http/later.ts'
import { bool, int, optional, withDefault, word } from '#http/params.ts'
import { RawMembers } from '#http/reply.ts'
import { registerParams, startQueue } from './register.ts'

/**
 * Registers an event queue and answers the state that its events will change.
 *
 * @source the API description's `POST /register`; api-changes §5
 */
export const register = endpoint({
  method: 'post',
  path: '/register',
  params: registerParams,
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
  params: {
    ...registerParams,
    queue_id: optional(word(200)),
    last_event_id: withDefault(int({ min: -1 }), -1),
    dont_block: withDefault(bool(), false),
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
  params: { queue_id: word(200) },
  run(caller, p) {
    const { queues } = caller.server
    queues.close(queues.access(caller.user.id, p.queue_id))
  },
})
