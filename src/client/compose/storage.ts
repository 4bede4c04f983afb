import type { KeyValues } from '#client/ui/browser-storage.ts'

/** A list in the browser's storage, kept as JSON under one key. */
export interface StoredList<T> {
  read(): T[]
  write(items: readonly T[]): void
}

export function storedList<T>(storage: KeyValues, key: string): StoredList<T> {
  return {
    read() {
      try {
        const parsed: unknown = JSON.parse(storage.getItem(key) ?? '[]')
        return Array.isArray(parsed) ? (parsed as T[]) : []
      } catch {
        return []
      }
    },
    write(items) {
      if (items.length === 0) storage.removeItem(key)
      else storage.setItem(key, JSON.stringify(items))
    },
  }
}
