import type { Socket } from 'node:net'
import type { ConnectionLimits } from './connection-limits.ts'

interface Answer {
  readonly socket: Socket
  readonly client: string
  readonly bytes: number
}

/** Smaller answers are not counted: the system takes them at once. */
const leastBytes = 64 * 1024

/**
 * Counts the answers that wait in memory until their clients read them, and closes connections when
 * there are too many: the oldest ones of the client that has most.
 *
 * @returns adds what a connection has not sent yet. `client`: who asked, as far as is known without
 * asking the database; it returns a function to call once the connection has sent it or is closed
 */
export function countUnread(limits: Pick<ConnectionLimits, 'clientBytes' | 'totalBytes'>) {
  const answers = new Set<Answer>()
  const byClient = new Map<string, number>()
  let total = 0

  function change(client: string, bytes: number): void {
    const sum = (byClient.get(client) ?? 0) + bytes
    if (sum === 0) byClient.delete(client)
    else byClient.set(client, sum)
    total += bytes
  }

  function remove(answer: Answer): void {
    if (answers.delete(answer)) change(answer.client, -answer.bytes)
  }

  function closeOldest(client: string): void {
    for (const answer of answers) {
      if (answer.client !== client) continue
      remove(answer)
      answer.socket.destroy()
      return
    }
  }

  function heaviest(): string {
    return [...byClient].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const)[0]
  }

  return (socket: Socket, client: string): (() => void) => {
    const answer = { socket, client, bytes: socket.writableLength }
    if (answer.bytes < leastBytes) return () => {}
    answers.add(answer)
    change(client, answer.bytes)
    const most = Math.max(limits.clientBytes, answer.bytes)
    while ((byClient.get(client) ?? 0) > most) closeOldest(client)
    while (total > limits.totalBytes) closeOldest(heaviest())
    return () => remove(answer)
  }
}
