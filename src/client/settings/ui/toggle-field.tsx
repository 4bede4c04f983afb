import { useSave } from '#client/commands/use-save.ts'
import { controlProps, FieldFrame, type FieldProps } from './field-frame.tsx'

/** A setting that is on or off, saved immediately. */
export function ToggleField(props: FieldProps<boolean>) {
  const { value, onSave, ...frame } = props
  const saving = useSave(value, onSave)
  return (
    <FieldFrame {...frame} status={saving.status} isInline>
      <input
        {...controlProps(props)}
        type="checkbox"
        class="switch"
        checked={saving.shown}
        onChange={(event) => void saving.save(event.currentTarget.checked)}
      />
    </FieldFrame>
  )
}
