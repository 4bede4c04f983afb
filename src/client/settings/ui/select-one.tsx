import { useLayoutEffect, useState } from 'preact/hooks'
import { type Choice, ChoiceList } from '#client/commands/form-fields.tsx'
import { ComboField } from '#client/compose/combo-field.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'

/** Choices beyond this number are found by typing, as channels of a large organization. */
const mostListed = 30

interface SelectOneProps<T> {
  readonly id: string
  /** The name of the field, which a label elsewhere shows as well. */
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
  readonly disabled?: boolean
  readonly 'aria-describedby'?: string
}

/** The control for one of several values: a list, or a field to find one of many. */
export function SelectOne<T extends string | number | boolean | null>(props: SelectOneProps<T>) {
  const { label: _, ...list } = props
  return props.choices.length > mostListed ? <FindOne {...props} /> : <ChoiceList {...list} />
}

function FindOne<T extends string | number | boolean | null>(props: SelectOneProps<T>) {
  const { id, label, value, choices, onChange, disabled } = props
  const chosen = choices.find((choice) => choice.value === value)?.label ?? ''
  const [text, setText] = useState(chosen)
  // Before the next key: what it types stays.
  useLayoutEffect(() => setText(chosen), [chosen])
  const offered = () => {
    const isUntouched = text === chosen || text.trim() === ''
    const found = isUntouched
      ? choices.slice(0, mostListed)
      : rank(choices, text, { names: (choice) => choice.label, limit: mostListed })
    return found.map((choice) => ({ key: String(choice.value), label: choice.label }))
  }
  return (
    <ComboField
      id={id}
      describedBy={props['aria-describedby']}
      label={label}
      text={text}
      picksFirst
      isDisabled={disabled ?? false}
      offer={offered}
      none={t('Nothing found')}
      onText={setText}
      onPick={({ key }) => {
        const picked = choices.find((choice) => String(choice.value) === key)
        if (!picked) return
        setText(picked.label)
        onChange(picked.value)
      }}
      onBlur={() => setText(chosen)}
    />
  )
}
