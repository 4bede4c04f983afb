/** The part of the browser's `localStorage` that is used. */
export interface KeyValues {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A list in the browser's storage, kept as JSON under one key. */
export interface StoredList<T> {
  read(): T[]
  /** False where the storage is full or turned off: what was typed is in memory only. */
  write(items: readonly T[]): boolean
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
      try {
        if (items.length === 0) storage.removeItem(key)
        else storage.setItem(key, JSON.stringify(items))
        return true
      } catch {
        return false
      }
    },
  }
}
