/** What of the browser's storage is used. */
export interface KeyValues {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** In `localStorage`: the picture of what the last page showed. Where room is scarce, it goes first. */
export const lastScreenKey = 'parley:screen'

let isRefused = false
let tell: (() => void) | undefined

/**
 * Calls back once the browser has refused to keep something for all tabs: it is full, or turned off.
 * Without a signal, as what the page runs first uses this file.
 */
export function onStorageRefused(listener: () => void): void {
  if (isRefused) listener()
  else tell = listener
}

/**
 * A storage of the browser that never throws. Where there is none, or it is full, values are kept until
 * the page is gone: whoever reads again what was written must not lose it.
 */
function storageOf(name: 'localStorage' | 'sessionStorage', onRefused?: () => void): KeyValues {
  const refused = new Map<string, string>()
  const attempt = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(window[name])
    } catch {
      return null
    }
  }
  const remove = (key: string) => void attempt((storage) => storage.removeItem(key))
  return {
    getItem: (key) => refused.get(key) ?? attempt((storage) => storage.getItem(key)),
    setItem(key, value) {
      const isSet = () => attempt((storage) => storage.setItem(key, value)) !== null
      refused.delete(key)
      if (isSet()) return
      remove(lastScreenKey)
      if (key === lastScreenKey || isSet()) return
      refused.set(key, value)
      onRefused?.()
    },
    removeItem(key) {
      refused.delete(key)
      remove(key)
    },
  }
}

/** Kept for all tabs. */
export const localValues = storageOf('localStorage', () => {
  isRefused = true
  tell?.()
})
/** Kept for this tab, also over a reload. */
export const tabValues = storageOf('sessionStorage')

/** The names of what one of them has that is the client's. */
export function ownKeys(name: 'localStorage' | 'sessionStorage'): string[] {
  try {
    return Object.keys(window[name]).filter((key) => key.startsWith('parley:'))
  } catch {
    return []
  }
}
