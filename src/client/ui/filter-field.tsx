import { isFinishing } from './finishing.ts'

interface FilterFieldProps {
  readonly label: string
  /** Shown while it is empty; the label unless it says otherwise. */
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Opens what Enter chooses: the first that is left. Undefined where nothing is, or nothing opens. */
  readonly onChoose?: (() => void) | undefined
}

/**
 * Narrows a list down as one types. Enter chooses the first that is left, and does nothing without a
 * text; Escape clears the text and leaves. In a dialog the focus stays, and a second Escape closes it.
 */
export function FilterField({
  label,
  placeholder = label,
  value,
  onChange,
  onChoose,
}: FilterFieldProps) {
  function onKeyDown(event: KeyboardEvent): void {
    if (isFinishing(event)) return
    const field = event.currentTarget as HTMLInputElement
    const isInDialog = field.closest('dialog') !== null
    // What was typed since it was drawn last is not known to those around yet.
    const isEmpty = field.value.trim() === ''
    if (event.key === 'Enter') {
      if (isEmpty || !onChoose) return
      event.preventDefault()
      onChoose()
    } else if (event.key !== 'Escape' || (isInDialog && isEmpty)) return
    event.preventDefault()
    event.stopPropagation()
    onChange('')
    if (!isInDialog) field.blur()
  }

  return (
    <input
      type="search"
      class="input"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
