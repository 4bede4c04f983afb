/** Who sends, each so many messages at a time. */
export const senders = 10
export const eachAtATime = 5
/** Everyone. */
export const crowd = 1000
/** How many come in at a time. */
const together = 50

/** A server with people in one place where they talk. */
export interface House {
  readonly name: string
  readonly pid: () => number
  readonly startMs: () => number
  /** Lets people come in until so many are there. */
  fill(people: number): Promise<void>
  /** Sends a text as one of those who came first. Resolves when the server has accepted it. */
  send(sender: number, text: string): Promise<unknown>
  /** Calls `take` with each message that one of the people gets. */
  listen(take: (text: string) => void): void
  /** The texts of the newest messages. */
  history(count: number): Promise<string[]>
  /** Kills the process, and starts it anew on what it left. */
  killAndStart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Lets the next ones of a list come in until so many are there.
 *
 * @param inside those who are; the first to come in does so alone, as it makes the room
 */
export async function comeIn<Who, In>(
  count: number,
  all: readonly Who[],
  inside: In[],
  enter: (who: Who) => Promise<In>,
): Promise<void> {
  while (inside.length < count) {
    const first = inside.length
    const some = Math.min(first === 0 ? 1 : together, count - first)
    inside.push(...(await Promise.all(all.slice(first, first + some).map(enter))))
  }
}
