import type { ScrollAnchor } from './dom-window.ts'

/*
 * Where each entry of the browser's history was left, so that Back returns there, to the pixel. An
 * entry is known by a mark in its state.
 */

const storageKey = 'parley:places'
const kept = 50

let places: Map<string, ScrollAnchor> | undefined

function all(): Map<string, ScrollAnchor> {
  if (places) return places
  const loaded = load()
  places = loaded
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify([...loaded].slice(-kept)))
    } catch {
      // Then a reload opens views as if they were new.
    }
  })
  return loaded
}

function load(): Map<string, ScrollAnchor> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
  } catch {
    return new Map()
  }
}

/** The mark of the current entry of the history; gives it one if need be. */
export function currentEntry(): string {
  const state: unknown = history.state
  const known = typeof state === 'object' && state !== null && 'entry' in state && state.entry
  if (typeof known === 'string') return known
  const entry = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  history.replaceState({ ...(state as object | null), entry }, '')
  return entry
}

/** Where an entry was left, if it was there before. */
export function scrollAnchorOf(entry: string): ScrollAnchor | undefined {
  return all().get(entry)
}

/** For an entry that is to show something else. */
export function forgetScrollAnchor(entry: string): void {
  all().delete(entry)
}

export function rememberScrollAnchor(entry: string, place: ScrollAnchor): void {
  const entries = all()
  // Those used last are kept longest.
  entries.delete(entry)
  entries.set(entry, place)
}
