import { signal } from '@preact/signals-core'

/** Code that the page works without, until it is loaded. */
export interface Later<T> {
  /** Undefined until it is loaded. Reading it subscribes. */
  readonly value: T | undefined
  /** Loads it, again if it could not be loaded. */
  preload(): void
}

/** Declares such code. @param load imports it */
export function later<T>(load: () => Promise<T>): Later<T> {
  const loaded = signal<T | undefined>(undefined)
  let isLoading = false

  async function preload(): Promise<void> {
    if (isLoading) return
    isLoading = true
    try {
      loaded.value = await load()
    } catch {
      isLoading = false
    }
  }

  return {
    get value() {
      return loaded.value
    },
    preload: () => void preload(),
  }
}
