import type { Account } from './http.ts'
import { ask, encodeForm, getRequest, openConnection, poster } from './http.ts'

/** A client with an event queue for messages. */
export interface QueueListener {
  /** Waits for the next events, and acknowledges the ones before. @returns how many there were */
  next(): Promise<number>
  close(): void
}

export async function openListener(port: number, user: Account): Promise<QueueListener> {
  const connection = await openConnection(port)
  const form = encodeForm({ event_types: ['message'], fetch_event_types: [] })
  const reply = await ask(connection, poster('/api/v1/register', user)(form))
  const { queue_id, last_event_id } = JSON.parse(reply.toString())
  let last: number = last_event_id
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
