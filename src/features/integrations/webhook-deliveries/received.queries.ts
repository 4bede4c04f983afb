import { seconds } from '#platform/clock.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import type { Attempt } from './queries.ts'

/** How many deliveries to each bot are remembered: the newest. */
const mostOfBot = 20
/** For how many bots deliveries are remembered: those with the latest ones. */
const mostBots = 1000
/** The most that is remembered of each text, in characters: events have the names that services send. */
const longestText = 300

/**
 * In memory, so that a refused delivery writes nothing, and a posted one only its messages. A
 * restart forgets them.
 */
const received = perDatabase(() => ({ count: 0, byBot: new Map<number, Attempt[]>() }))

/** Remembers what an integration delivered to a bot. */
export function rememberReceived(
  read: Read,
  botId: number,
  what: string,
  status: number,
  reply: string,
): void {
  const memory = received(read)
  memory.count += 1
  const at = seconds(read.clock)
  // Below zero, to differ from the IDs of rows.
  const texts = { what: copied(what), answer: copied(reply) }
  const attempt = { id: -memory.count, botId, at, messageId: null, status, ...texts }
  const others = memory.byBot.get(botId) ?? []
  memory.byBot.delete(botId)
  memory.byBot.set(botId, [attempt, ...others.slice(0, mostOfBot - 1)])
  for (const oldest of memory.byBot.keys()) {
    if (memory.byBot.size <= mostBots) return
    memory.byBot.delete(oldest)
  }
}

/** The beginning of a text, without keeping all of it in memory. */
function copied(text: string): string {
  return [...text.slice(0, 2 * longestText)].slice(0, longestText).join('')
}

/** What was delivered to a bot since the server started, the newest first. */
export function listReceived(read: Read, botId: number): readonly Attempt[] {
  return received(read).byBot.get(botId) ?? []
}
