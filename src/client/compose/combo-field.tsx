import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classes } from '#client/ui/button.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { useListbox } from '#client/ui/listbox.ts'
import { SuggestionList, type SuggestionRow } from './suggestion-list.tsx'

interface ComboFieldProps {
  /** For a label elsewhere. */
  readonly id?: string
  /** The ids of what explains the field. */
  readonly describedBy?: string | undefined
  /** The name of the field. */
  readonly label: string
  readonly text: string
  readonly placeholder?: string
  readonly maxLength?: number
  readonly isDisabled?: boolean
  readonly class?: string
  /** The suggestions for the text, the best first. */
  readonly offer: () => readonly SuggestionRow[]
  /** The text in place of suggestions, if there are none. */
  readonly none?: string | undefined
  /** Once something is typed, the first is taken by Enter and Tab without choosing it. */
  readonly picksFirst?: boolean
  readonly onText: (text: string) => void
  /** @param isLeft whether the focus goes on by itself, as the key was Tab */
  readonly onPick: (item: SuggestionRow, isLeft: boolean) => void
  /** Enter and Backspace where there is nothing to pick or to delete. */
  readonly onEnter?: () => void
  readonly onBackspace?: () => void
  readonly onBlur?: () => void
  /** Takes the focus when it is drawn. */
  readonly takesFocus?: boolean
  /** Whether a dialog begins with it. */
  readonly isFirst?: boolean | undefined
}

/** A field with suggestions. */
export function ComboField(props: ComboFieldProps) {
  const { label, text, offer, picksFirst = false, onText, onPick } = props
  const [isOpen, setOpen] = useState(false)
  const input = useFirstFocus(props.takesFocus)
  const items = isOpen ? offer() : []
  const listbox = useListbox({ count: items.length, first: -1, onPick: (index) => pick(index) })
  const { id, selected, select } = listbox

  function open(first: number): void {
    setOpen(true)
    select(first)
  }

  function type(value: string): void {
    open(picksFirst && value.trim() !== '' ? 0 : -1)
    onText(value)
  }

  function leave(): void {
    setOpen(false)
    props.onBlur?.()
  }

  function pick(index: number, isLeft = false): void {
    const item = items[index]
    if (!item) return
    setOpen(false)
    select(-1)
    onPick(item, isLeft)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isFinishing(event) || hasModifier(event)) return
    if (event.key === 'Backspace' && text === '') props.onBackspace?.()
    if (event.key === 'ArrowDown' && !isOpen) {
      setOpen(true)
      return
    }
    if (listbox.press(event)) return
    if (event.key === 'Tab') pick(selected, true)
    else if (event.key === 'Enter') {
      event.preventDefault()
      setOpen(false)
      props.onEnter?.()
    } else if (event.key === 'Escape' && items.length > 0) {
      setOpen(false)
      takeKey(event)
    }
  }

  return (
    <div class={classes('combo', props.class)}>
      <input
        class="input"
        {...listbox.field}
        id={props.id}
        aria-describedby={props.describedBy}
        aria-label={label}
        placeholder={props.placeholder ?? label}
        maxLength={props.maxLength}
        disabled={props.isDisabled}
        autofocus={props.isFirst && !props.isDisabled}
        ref={input}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onFocus={() => open(-1)}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {items.length > 0 && (
        <SuggestionList id={id} label={label} items={items} selected={selected} onPick={pick} />
      )}
      {isOpen && items.length === 0 && <NoSuggestions text={props.none} />}
    </div>
  )
}

function NoSuggestions({ text }: { readonly text: string | undefined }) {
  if (!text) return null
  return (
    <p class="suggestions combo-none" role="status">
      {text}
    </p>
  )
}

/** The reference of a field that takes the focus when it is drawn, if asked. */
function useFirstFocus(takesFocus = false) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [])
  return input
}

const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent) => altKey || ctrlKey || metaKey

function takeKey(event: KeyboardEvent): void {
  event.stopPropagation()
  event.preventDefault()
}
