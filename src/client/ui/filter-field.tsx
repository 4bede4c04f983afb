import { isFinishing } from './finishing.ts'

interface FilterFieldProps {
  readonly label: string
  /** Shown while it is empty; the label unless it says otherwise. */
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called on Enter, which chooses the first match, if that makes sense. */
  readonly onEnter?: () => void
}

/** Narrows a list down as one types. Escape clears it and leaves. */
export function FilterField({
  label,
  placeholder = label,
  value,
  onChange,
  onEnter,
}: FilterFieldProps) {
  return (
    <input
      type="search"
      class="input"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (isFinishing(event)) return
        if (event.key === 'Enter' && onEnter) onEnter()
        else if (event.key !== 'Escape') return
        onChange('')
        event.currentTarget.blur()
        event.stopPropagation()
      }}
    />
  )
}
