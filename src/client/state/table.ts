import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core'

/**
 * Values by key; components follow one or all of them. Reading inside a component or an effect
 * subscribes it: `get` to one key, `all` to every change.
 */
export class Table<K, V> {
  readonly #values = new Map<K, V>()
  /** Held weakly: rows ask for keys that have no value, and of many messages in a day. */
  readonly #watched = new Map<K, WeakRef<Signal<V | undefined>>>()
  readonly #unwatched = new FinalizationRegistry<K>((key) => {
    if (this.#watched.get(key)?.deref() === undefined) this.#watched.delete(key)
  })
  readonly #version = signal(0)

  constructor(entries: Iterable<readonly [K, V]> = []) {
    for (const [key, value] of entries) this.#values.set(key, value)
  }

  get(key: K): V | undefined {
    let watched = this.#watched.get(key)?.deref()
    if (!watched) {
      watched = signal(this.#values.get(key))
      this.#watched.set(key, new WeakRef(watched))
      this.#unwatched.register(watched, key)
    }
    return watched.value
  }

  /** The value without a subscription. */
  peek(key: K): V | undefined {
    return this.#values.get(key)
  }

  has(key: K): boolean {
    return this.#values.has(key)
  }

  /** All values by key; do not keep it, it changes. */
  get all(): ReadonlyMap<K, V> {
    this.#version.value
    return this.#values
  }

  /** All values without a subscription. */
  get current(): ReadonlyMap<K, V> {
    return this.#values
  }

  get version(): ReadonlySignal<number> {
    return this.#version
  }

  set(key: K, value: V): void {
    this.#values.set(key, value)
    const watched = this.#watched.get(key)?.deref()
    if (watched) watched.value = value
    this.#version.value = this.#version.peek() + 1
  }

  /** Changes an existing value; does nothing if there is none. */
  update(key: K, change: (value: V) => V): void {
    const value = this.#values.get(key)
    if (value !== undefined) this.set(key, change(value))
  }

  delete(key: K): void {
    if (!this.#values.delete(key)) return
    const watched = this.#watched.get(key)?.deref()
    if (watched) watched.value = undefined
    this.#version.value = this.#version.peek() + 1
  }

  /** Forgets everything and takes these entries instead, in one step. */
  replace(entries: Iterable<readonly [K, V]>): void {
    this.#values.clear()
    for (const [key, value] of entries) this.#values.set(key, value)
    for (const [key, reference] of this.#watched) {
      const watched = reference.deref()
      if (watched) watched.value = this.#values.get(key)
    }
    this.#version.value = this.#version.peek() + 1
  }
}
