/*
 * Arrow keys in lists of rows: inbox, recent conversations, topics. A row is `[data-row]`; its first
 * link is what it opens.
 */

/** Moves the focus to the next row, or inside a row from control to control. */
export function moveInList(direction: 'up' | 'down' | 'left' | 'right'): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const active = document.activeElement
  const row = active?.closest<HTMLElement>('[data-row]')
  if (!row || direction === 'up' || direction === 'down') {
    const at = row ? rows.indexOf(row) : direction === 'up' ? rows.length : -1
    const next = rows[at + (direction === 'up' ? -1 : 1)]
    const control = next && controlsOf(next)[0]
    control?.focus()
    control?.scrollIntoView({ block: 'nearest' })
    return
  }
  const controls = controlsOf(row)
  const at = controls.indexOf(active as HTMLElement)
  controls[at + (direction === 'left' ? -1 : 1)]?.focus()
}

function controlsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')]
}
