import { signal } from '@preact/signals-core'

/** The initial text of the search box, once. */
export const askedSearch = signal<{ readonly text: string } | undefined>(undefined)

/** Opens the search box with a text to continue. */
export function askSearch(text: string): void {
  askedSearch.value = { text }
}
