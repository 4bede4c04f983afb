import type { Occasion, Tx } from './store.ts'

/** What a feature does on an occasion, inside the same write: if it throws, the write fails. */
export interface Listener {
  readonly occasion: object
  run(tx: Tx, facts: never): void
}

/** The listeners of each occasion, in the order of the features. */
export type Listeners = ReadonlyMap<object, readonly Listener[]>

/** Declares an occasion. @param name in the past tense, for people */
export function occasion<Facts>(name: string): Occasion<Facts> {
  return { name }
}

/** A line of a manifest: runs `run` whenever the occasion is announced. */
export function on<Facts>(
  occasion: Occasion<Facts>,
  run: (tx: Tx, facts: Facts) => void,
): Listener {
  return { occasion, run }
}

/** Orders the listeners of all features by their occasion. */
export function listenersOf(all: readonly Listener[]): Listeners {
  const listeners = new Map<object, Listener[]>()
  for (const listener of all) {
    const others = listeners.get(listener.occasion)
    if (others) others.push(listener)
    else listeners.set(listener.occasion, [listener])
  }
  return listeners
}

/** Runs every listener of an occasion, in order. */
export function announceTo<Facts>(
  listeners: Listeners,
  tx: Tx,
  occasion: Occasion<Facts>,
  facts: Facts,
): void {
  for (const listener of listeners.get(occasion) ?? []) listener.run(tx, facts as never)
}
