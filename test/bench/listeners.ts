import { connect } from 'node:net'
import type { Account } from './http.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'

/** A client with an event queue for messages. */
export interface QueueListener {
  /** Waits for the next events, and acknowledges the ones before. @returns how many there were */
  next(): Promise<number>
  close(): void
}

export async function openListener(port: number, user: Account): Promise<QueueListener> {
  const connection = await openConnection(port)
  const { queue_id, last_event_id } = await openQueue(user, connection)
  let last = last_event_id
  return {
    async next() {
      const request = getRequest('/api/v1/events', { queue_id, last_event_id: last }, user)
      const { events } = JSON.parse((await ask(connection, request)).toString())
      last = events.at(-1)?.id ?? last
      return events.length
    },
    close: connection.close,
  }
}

/** Registers a queue for messages. */
export async function openQueue(user: Account, connection: Connection) {
  const form = encodeForm({ event_types: ['message'], fetch_event_types: [] })
  const reply = await ask(connection, poster('/api/v1/register', user)(form))
  const { queue_id, last_event_id } = JSON.parse(reply.toString())
  return { queue_id: queue_id as string, last_event_id: last_event_id as number }
}

/** Events, and when they came; milliseconds of this process. */
export interface Arrived {
  readonly events: readonly { readonly id: number; readonly type: string }[]
  readonly at: number
}

/** A client that waits for its next event. */
export interface Waiter {
  next(): Promise<Arrived>
  close(): void
}

/** Follows a stream. What it acknowledges now and then costs next to nothing, and is left out. */
export async function openStream(port: number, user: Account): Promise<Waiter> {
  const registering = await openConnection(port)
  const { queue_id, last_event_id } = await openQueue(user, registering)
  registering.close()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  let take: ((arrived: Arrived) => void) | undefined
  let isOpen = () => {}
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  socket.on('data', (chunk) => {
    const at = performance.now()
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data === undefined) isOpen()
      else take?.({ events: JSON.parse(data), at })
    }
  })
  socket.write(getRequest('/api/v1/events/stream', { queue_id, last_event_id }, user))
  await opened
  return {
    next: () =>
      new Promise((resolve) => {
        take = resolve
      }),
    close: () => void socket.destroy(),
  }
}
