import type { Choice } from '#client/commands/form-fields.tsx'
import { useSave } from '#client/commands/use-save.ts'
import { controlProps, FieldFrame, type FieldProps, fieldId } from './field-frame.tsx'
import { SelectOne } from './select-one.tsx'

interface ChoiceFieldProps<T> extends FieldProps<T> {
  readonly choices: readonly Choice<T>[]
  /** Shows all choices side by side. */
  readonly isRadio?: boolean
}

/** One of several values, saved immediately. */
export function ChoiceField<T extends string | number | boolean | null>(
  props: ChoiceFieldProps<T>,
) {
  const { value, onSave, choices, isRadio, ...frame } = props
  const saving = useSave(value, onSave)
  if (isRadio) {
    return (
      <FieldFrame {...frame} as="group" status={saving.status}>
        <div class="cluster choice-row">
          {choices.map((choice, index) => (
            <label key={String(choice.value)} class="row choice">
              <input
                type="radio"
                name={fieldId(props.name)}
                id={index === 0 ? fieldId(props.name) : undefined}
                disabled={props.locked !== undefined}
                checked={choice.value === saving.shown}
                onChange={() => void saving.save(choice.value)}
              />
              {choice.label}
            </label>
          ))}
        </div>
      </FieldFrame>
    )
  }
  return (
    <FieldFrame {...frame} status={saving.status}>
      <SelectOne
        {...controlProps(props)}
        label={props.label}
        value={saving.shown}
        choices={choices}
        onChange={(value) => void saving.save(value)}
      />
    </FieldFrame>
  )
}
