import { signal } from '@preact/signals-core'

/** What the search box should begin with, once. */
export const askedSearch = signal<{ readonly text: string } | undefined>(undefined)

/** Opens the search box with a text to go on with. */
export function askSearch(text: string): void {
  askedSearch.value = { text }
}
