import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { optionId } from '#client/ui/listbox.ts'

/** A suggestion while someone types. */
export interface SuggestionRow {
  readonly key: string
  readonly label: string
  readonly detail?: string | undefined
  readonly picture?: ComponentChildren
  /** Behind the label. */
  readonly mark?: ComponentChildren
}

interface SuggestionListProps {
  readonly id: string
  readonly label: string
  readonly items: readonly SuggestionRow[]
  readonly selected: number
  readonly onPick: (index: number) => void
}

/** The suggestions of a text box, as a listbox that leaves the focus in the text box. */
export function SuggestionList({ id, label, items, selected, onPick }: SuggestionListProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div ref={ref} id={id} class="suggestions" role="listbox" aria-label={label}>
      {items.map((item, index) => (
        <div
          key={item.key}
          id={optionId(id, index)}
          class="row suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          // Before the text box loses the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            if (event.button === 0) onPick(index)
          }}
        >
          {item.picture}
          <span class="suggestion-label ellipsis">{item.label}</span>
          {item.mark}
          {item.detail && <span class="grow ellipsis suggestion-detail">{item.detail}</span>}
        </div>
      ))}
    </div>
  )
}
