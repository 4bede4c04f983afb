import { type ReadonlySignal, signal } from '@preact/signals'

/** The folded parts of lists, stored in this browser. A part is open unless it says otherwise. */

const storageKey = 'parley:folds'

const folds = signal<Readonly<Record<string, boolean>>>(load())

/** By the key of the part, whether the user opened or folded it. */
export const folded: ReadonlySignal<Readonly<Record<string, boolean>>> = folds

/** Remembers that a part is folded, or open. */
export function fold(key: string, isFolded: boolean): void {
  folds.value = { ...folds.peek(), [key]: isFolded }
  try {
    localStorage.setItem(storageKey, JSON.stringify(folds.peek()))
  } catch {
    // Then it is open again after a reload.
  }
}

function load(): Record<string, boolean> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, boolean>
  } catch {
    return {}
  }
}
