import type { RefObject } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isFinishing } from './finishing.ts'

interface ListboxOptions {
  /** How many options there are. */
  readonly count: number
  /** How many of them are in a row of a grid; undefined: a list, which goes around. */
  readonly columns?: number
  /** Whether arrows to the sides belong to the text while the first option of a grid is selected. */
  readonly isInText?: boolean
  /** The option that is selected at first; -1: none. */
  readonly first?: number
  readonly onPick: (index: number, event: KeyboardEvent) => void
  /** Called with the option that an arrow key selected. */
  readonly onMove?: (index: number) => void
}

/** The options below a text field, which keeps the focus: a list, or a grid. */
export interface Listbox {
  /** The id of the list. */
  readonly id: string
  /** The element around the options of a grid; the selected one is kept in view there. */
  readonly list: RefObject<HTMLDivElement | null>
  /** -1: none. */
  readonly selected: number
  select(index: number): void
  /** Moves by arrow keys and picks by Enter. @returns whether the key was for the options */
  press(event: KeyboardEvent): boolean
  /** The attributes of the text field above a list. */
  readonly field: ReturnType<typeof fieldOf>
}

/** The selection among options that are chosen from a text field. */
export function useListbox(options: ListboxOptions): Listbox {
  const { count, first = 0, onPick, onMove } = options
  const id = useId()
  const [chosen, select] = useState(first)
  const selected = Math.min(chosen, count - 1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  function press(event: KeyboardEvent): boolean {
    if (isFinishing(event)) return false
    const moved = movedSelection(event.key, { ...options, selected })
    if (moved !== undefined) {
      select(moved)
      onMove?.(moved)
    } else if (event.key === 'Enter' && selected >= 0) onPick(selected, event)
    else return false
    event.preventDefault()
    return true
  }

  return { id, list, selected, select, press, field: fieldOf(id, selected, count) }
}

function fieldOf(id: string, selected: number, count: number) {
  return {
    role: 'combobox' as const,
    'aria-expanded': count > 0,
    'aria-controls': count > 0 ? id : undefined,
    'aria-activedescendant': selected >= 0 ? optionId(id, selected) : undefined,
    'aria-autocomplete': 'list' as const,
    autocomplete: 'off',
    spellcheck: false,
  }
}

/** The id of an option, for `aria-activedescendant`. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

interface Selection {
  readonly selected: number
  readonly count: number
  readonly columns?: number
  readonly isInText?: boolean
}

/** Where a key moves the selection; undefined for keys that do not. */
export function movedSelection(
  key: string,
  { selected, count, columns, isInText }: Selection,
): number | undefined {
  if (count === 0) return undefined
  if (columns === undefined) {
    if (key === 'ArrowDown') return (selected + 1) % count
    if (key === 'ArrowUp') return (selected <= 0 ? count : selected) - 1
    return undefined
  }
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (sideways !== undefined && isInText && selected === 0) return undefined
  const step = sideways ?? { ArrowUp: -columns, ArrowDown: columns }[key]
  return step === undefined ? undefined : Math.max(0, Math.min(selected + step, count - 1))
}
