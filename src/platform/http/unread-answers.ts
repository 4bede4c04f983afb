import type { Socket } from 'node:net'
import { createTally } from '#platform/fairness/tally.ts'
import type { ConnectionLimits } from './connection-limits.ts'

interface Answer {
  readonly socket: Socket
  readonly client: string
  readonly bytes: number
}

/** Smaller answers are not counted: the system accepts them at once. */
const leastBytes = 64 * 1024

/**
 * Counts the answers that wait in memory until their clients read them, and closes connections when
 * there are too many: the oldest ones of the client that has the most.
 *
 * @returns a function that adds an answer that a connection has not sent yet. Its `client` is known
 *   without the database. It returns a function to call once the connection has sent the answer or
 *   is closed
 */
export function countUnread(limits: Pick<ConnectionLimits, 'clientBytes' | 'totalBytes'>) {
  const answers = new Set<Answer>()
  const bytes = createTally()

  function remove(answer: Answer): void {
    if (answers.delete(answer)) bytes.add(answer.client, -answer.bytes)
  }

  function closeOldest(client: string): void {
    for (const answer of answers) {
      if (answer.client !== client) continue
      remove(answer)
      answer.socket.destroy()
      return
    }
  }

  return (socket: Socket, client: string): (() => void) => {
    const answer = { socket, client, bytes: socket.writableLength }
    if (answer.bytes < leastBytes) return () => {}
    answers.add(answer)
    bytes.add(client, answer.bytes)
    const most = Math.max(limits.clientBytes, answer.bytes)
    while (bytes.of(client) > most) closeOldest(client)
    while (bytes.total > limits.totalBytes) closeOldest(bytes.heaviest())
    return () => remove(answer)
  }
}
