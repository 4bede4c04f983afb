import type { EventStore } from '@modelcontextprotocol/server'

type Message = Parameters<EventStore['storeEvent']>[1]

/** How much of a session is kept, in UTF-16 code units: the newest reply in any case. */
const mostKept = 64 * 1024

/**
 * Keeps the newest messages of a session, for a client whose connection broke off while it waited.
 *
 * @source Model Context Protocol, "Transports", "Resumability and Redelivery"
 */
export function createReplay(): EventStore {
  const kept: { id: string; streamId: string; message: Message; length: number }[] = []
  let [count, length] = [0, 0]
  return {
    async storeEvent(streamId, message) {
      const event = { id: `${++count}`, streamId, message, length: JSON.stringify(message).length }
      kept.push(event)
      length += event.length
      while (length > mostKept && kept.length > 1) length -= kept.shift()?.length ?? 0
      return event.id
    },
    async getStreamIdForEventId(eventId) {
      return kept.find(({ id }) => id === eventId)?.streamId
    },
    async replayEventsAfter(lastEventId, { send }) {
      const last = kept.find(({ id }) => id === lastEventId)
      if (!last) throw new Error('These events are gone.')
      const after = kept.slice(kept.indexOf(last) + 1)
      for (const { id, streamId, message } of after) {
        if (streamId === last.streamId) await send(id, message)
      }
      return last.streamId
    },
  }
}
