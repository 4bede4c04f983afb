import { effect, signal } from '@preact/signals-core'

/*
 * How wide the bars beside the messages are, kept in this browser: in rem, 0 for a hidden one. A bar
 * that is not named has its usual width.
 */

export type Bar = 'left' | 'right'

const storageKey = 'parley:bars'

export const barWidths = signal<Readonly<Partial<Record<Bar, number>>>>(load())

/** Applied as the module is loaded, before anything is drawn. */
effect(() => {
  const root = document.documentElement
  for (const bar of ['left', 'right'] as const) {
    const width = barWidths.value[bar]
    if (width === undefined) root.style.removeProperty(`--${bar}-width`)
    else root.style.setProperty(`--${bar}-width`, `${width}rem`)
    root.toggleAttribute(`data-no-${bar}`, width === 0)
  }
})

export function setBarWidth(bar: Bar, width: number | undefined): void {
  barWidths.value = { ...barWidths.peek(), [bar]: width }
  try {
    localStorage.setItem(storageKey, JSON.stringify(barWidths.peek()))
  } catch {
    // Then it has its usual width after a reload.
  }
}

function load(): Partial<Record<Bar, number>> {
  try {
    const { left, right } = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return { ...(Number.isFinite(left) && { left }), ...(Number.isFinite(right) && { right }) }
  } catch {
    return {}
  }
}
