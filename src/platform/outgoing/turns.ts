/** Work that is done for clients in turns, so that none of them keeps the others waiting. */
export interface Turns {
  /**
   * Does work when it is the client's turn. Whoever has the least work under way comes first.
   *
   * @param isWanted asked when its turn comes: work that nobody waits for any more is not done
   * @throws TooManyWaiting; NotWanted
   */
  run<T>(client: string, isWanted: () => boolean, work: () => Promise<T>): Promise<T>
}

export interface TurnLimits {
  /** How much is done at a time, and how much of it for one client. */
  readonly running: number
  readonly runningPerClient: number
  /** How much may wait for its turn, and how much of it for one client. */
  readonly waiting: number
  readonly waitingPerClient: number
}

export class TooManyWaiting extends Error {}
export class NotWanted extends Error {}

interface Waiting {
  readonly client: string
  start(): Promise<void>
}

export function createTurns(limits: TurnLimits): Turns {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  const runningFor = (client: string) => running.get(client) ?? 0
  let total = 0

  /** The client with the least work under way; undefined if all of them have their share. */
  function nextOne(): Waiting | undefined {
    let [found, least] = [-1, limits.runningPerClient]
    for (const [i, { client }] of waiting.entries()) {
      const count = runningFor(client)
      if (count < least) [found, least] = [i, count]
    }
    return found < 0 ? undefined : waiting.splice(found, 1)[0]
  }

  function startNext(): void {
    while (total < limits.running) {
      const next = nextOne()
      if (!next) return
      const { client } = next
      total += 1
      running.set(client, runningFor(client) + 1)
      void next.start().finally(() => {
        total -= 1
        if (runningFor(client) === 1) running.delete(client)
        else running.set(client, runningFor(client) - 1)
        startNext()
      })
    }
  }

  return {
    run: (client, isWanted, work) =>
      new Promise((resolve, reject) => {
        const own = waiting.filter((each) => each.client === client).length
        if (waiting.length >= limits.waiting || own >= limits.waitingPerClient) {
          reject(new TooManyWaiting())
          return
        }
        const start = async () => {
          if (!isWanted()) return reject(new NotWanted())
          await work().then(resolve, reject)
        }
        waiting.push({ client, start })
        startNext()
      }),
  }
}
