import { signal } from '@preact/signals-core'

/** Code that the page works without, until it is loaded. */
export interface Later<T> {
  /** Undefined until it is loaded. Reading it subscribes. */
  readonly value: T | undefined
  /** The same without subscribing. */
  peek(): T | undefined
  /** Loads it, again if it could not be loaded. */
  load(): Promise<T>
  /** The same, for whom it is not urgent. */
  preload(): void
}

/** Declares such code. @param bring imports it */
export function later<T>(bring: () => Promise<T>): Later<T> {
  const loaded = signal<T | undefined>(undefined)
  let loading: Promise<T> | undefined

  async function start(): Promise<T> {
    try {
      const part = await bring()
      loaded.value = part
      return part
    } catch (error) {
      loading = undefined
      throw error
    }
  }

  function load(): Promise<T> {
    loading ??= start()
    return loading
  }

  return {
    get value() {
      return loaded.value
    },
    peek: () => loaded.peek(),
    load,
    preload: () => void load().catch(() => undefined),
  }
}
