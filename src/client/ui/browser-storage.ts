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
 * A storage of the browser that never throws: where there is none, or it is full, nothing is kept, which
 * costs no more than what it was kept for.
 */
function storageOf(name: 'localStorage' | 'sessionStorage', onRefused?: () => void): KeyValues {
  const attempt = <T>(use: (storage: Storage) => T, refused?: () => void): T | null => {
    try {
      return use(window[name])
    } catch {
      refused?.()
      return null
    }
  }
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key)),
    setItem(key, value) {
      const set = (refused?: () => void) =>
        attempt((storage) => storage.setItem(key, value), refused)
      const makeRoom = () => {
        attempt((storage) => storage.removeItem(lastScreenKey))
        if (key !== lastScreenKey) set(onRefused)
      }
      set(makeRoom)
    },
    removeItem: (key) => void attempt((storage) => storage.removeItem(key)),
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
