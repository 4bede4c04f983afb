import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createTally } from '#platform/fairness/tally.ts'
import type { ConnectionLimits } from './connection-limits.ts'

interface UnreadReply {
  readonly socket: Socket
  readonly client: string
  readonly bytes: number
}

/** Smaller answers are not counted: the system accepts them immediately. */
const leastBytes = 64 * 1024

/**
 * Counts the answers that wait in memory until their clients read them, and closes connections when
 * there are too many: the oldest ones of the client that has the most.
 *
 * @returns a function that adds the answer to a request that its connection has not sent yet. It
 *   returns a function to call once the connection has sent the answer or is closed
 */
export function countUnread(limits: Pick<ConnectionLimits, 'clientBytes' | 'totalBytes'>) {
  const replies = new Set<UnreadReply>()
  const held = createTally()

  function remove(reply: UnreadReply): void {
    if (replies.delete(reply)) held.add(reply.client, -reply.bytes)
  }

  function closeOldest(client: string): void {
    for (const reply of replies) {
      if (reply.client !== client) continue
      remove(reply)
      reply.socket.destroy()
      return
    }
  }

  return (request: IncomingMessage): (() => void) => {
    const { socket } = request
    const bytes = socket.writableLength
    if (bytes < leastBytes) return nothing
    const client = clientOf(request)
    const reply = { socket, client, bytes }
    replies.add(reply)
    held.add(client, bytes)
    const most = Math.max(limits.clientBytes, bytes)
    while (held.of(client) > most) closeOldest(client)
    while (held.total > limits.totalBytes) closeOldest(held.heaviest())
    return () => remove(reply)
  }
}

function nothing(): void {}

/** The client according to its unchecked claim, for fairness only. */
function clientOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? ''
}
