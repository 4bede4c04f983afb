import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The selection in a grid below a search field, which keeps the focus. */
export interface GridChoice {
  /** The element around the options; the selected one is kept in view there. */
  readonly grid: RefObject<HTMLDivElement | null>
  readonly selected: number
  select(index: number): void
  /**
   * Moves the selection by an arrow key.
   *
   * @param isInText whether arrows to the sides belong to the text while the first option is
   *   selected
   * @returns the new position; undefined: not an arrow key
   */
  move(event: KeyboardEvent, isInText: boolean): number | undefined
}

/** @param count how many options there are @param columns how many of them are in a row */
export function useGridChoice(count: number, columns: number): GridChoice {
  const [selected, select] = useState(0)
  const grid = useRef<HTMLDivElement>(null)
  useEffect(() => {
    grid.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  }

  function move(event: KeyboardEvent, isInText: boolean): number | undefined {
    const step = steps[event.key]
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    if (step === undefined || (isSideways && isInText && selected === 0)) return undefined
    event.preventDefault()
    const next = Math.max(0, Math.min(selected + step, count - 1))
    select(next)
    return next
  }

  return { grid, selected, select, move }
}
