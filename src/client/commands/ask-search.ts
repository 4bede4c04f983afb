import { signal } from '@preact/signals-core'
import { focusOnceDrawn } from '#client/ui/focus-once-drawn.ts'

/** The initial text of the search box, once. */
export const askedSearch = signal<{ readonly text: string | undefined } | undefined>(undefined)

/** Whether the open search lies over the main pane, as on a phone. */
export const searchCovers = signal(false)

/** Opens the search box with a text to continue; undefined: with what is searched or shown now. */
export function askSearch(text?: string): void {
  askedSearch.value = { text }
  focusOnceDrawn('.search input')
}
