/** Does work for clients in fair turns, so that none keeps the others waiting. */
export interface Turns {
  /**
   * Does work when it is the client's turn: the client with the least work under way comes first.
   *
   * @param isWanted called when the turn comes: false if nobody waits for the work any more
   * @throws TooManyWaiting; NoLongerWanted
   */
  run<T>(client: string, isWanted: () => boolean, work: () => Promise<T>): Promise<T>
}

export interface TurnLimits {
  /** The most work under way at a time, in total and for one client. */
  readonly running: number
  readonly runningPerClient: number
  /** The most work that may wait, in total and for one client. */
  readonly waiting: number
  readonly waitingPerClient: number
}

export class TooManyWaiting extends Error {}
export class NoLongerWanted extends Error {}

interface Waiting {
  readonly client: string
  start(): Promise<void>
}

export function createTurns(limits: TurnLimits): Turns {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  const runningFor = (client: string) => running.get(client) ?? 0
  let total = 0

  /** The client with the least work under way; undefined if all have reached their limit. */
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
          if (!isWanted()) return reject(new NoLongerWanted())
          await work().then(resolve, reject)
        }
        waiting.push({ client, start })
        startNext()
      }),
  }
}
