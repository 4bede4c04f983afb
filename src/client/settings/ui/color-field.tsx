import { useSave } from '#client/commands/use-save.ts'
import { controlProps, FieldFrame, type FieldProps } from './field-frame.tsx'

/** A color as `#rrggbb`, saved immediately. */
export function ColorField(props: FieldProps<string>) {
  const { value, onSave, ...frame } = props
  const saving = useSave(value, onSave)
  return (
    <FieldFrame {...frame} status={saving.status}>
      <input
        {...controlProps(props)}
        class="colour-input"
        type="color"
        value={saving.shown}
        onChange={(event) => void saving.save(event.currentTarget.value)}
      />
    </FieldFrame>
  )
}
