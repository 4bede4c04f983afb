import { useId } from 'preact/hooks'
import type { Choice } from '#client/settings/ui/choice-field.tsx'

interface FormTextProps {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly isLong?: boolean
  readonly isRequired?: boolean
  /** What the server refused. */
  readonly problem?: string | undefined
  readonly onInput: (value: string) => void
}

/** A text of a form that is sent as a whole. */
export function FormText(props: FormTextProps) {
  const { label, value, maxLength, isLong, isRequired, problem, onInput } = props
  const id = useId()
  const shared = {
    id,
    class: 'input',
    value,
    maxLength,
    required: isRequired,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput(currentTarget.value),
  }
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {isLong ? <textarea {...shared} rows={3} /> : <input {...shared} />}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

interface FormSelectProps<T extends string | number> {
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
}

/** One of several values in a form. */
export function FormSelect<T extends string | number>(props: FormSelectProps<T>) {
  const { label, value, choices, onChange } = props
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      <select
        class="input select"
        value={String(value)}
        onChange={({ currentTarget }) => {
          const chosen = choices[currentTarget.selectedIndex]
          if (chosen) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={String(choice.value)} value={String(choice.value)}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}

interface FormCheckProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** What a form switches on or off. */
export function FormCheck({ label, isChecked, onChange }: FormCheckProps) {
  return (
    <label class="check-row">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
