/**
 * Counts something for each client, and in total. A client with a count of zero takes no memory.
 */
export interface Tally {
  readonly total: number
  of(client: string): number
  /** @param amount may be negative */
  add(client: string, amount: number): void
  /** Adds an amount until the function that it returns is called, however often. */
  hold(client: string, amount: number): () => void
  /** The client that has most; empty if none has any. */
  heaviest(): string
}

export function createTally(): Tally {
  const amounts = new Map<string, number>()
  let total = 0
  const of = (client: string) => amounts.get(client) ?? 0

  function add(client: string, amount: number): void {
    const sum = of(client) + amount
    if (sum === 0) amounts.delete(client)
    else amounts.set(client, sum)
    total += amount
  }

  return {
    get total() {
      return total
    },
    of,
    add,
    hold(client, amount) {
      let isHeld = true
      add(client, amount)
      return () => {
        if (isHeld) add(client, -amount)
        isHeld = false
      }
    },
    heaviest: () => [...amounts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const)[0],
  }
}
