import { useSave } from '#client/commands/use-save.ts'
import type { SettingOffer, Unit } from '#client/settings/offers.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { t } from '#client/ui/t.ts'
import { fingerprint, useDraft } from './draft.ts'
import { DraftButtons } from './draft-buttons.tsx'
import { controlProps, FieldFrame, type FieldProps } from './field-frame.tsx'

interface NumberFieldProps extends FieldProps<number | null> {
  readonly unit?: Unit | undefined
  /** On the wire, as the two limits. */
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly special?: SettingOffer['special'] | undefined
}

/** A number with its unit, and a check box for the value that is not a number, if there is one. */
export function NumberField(props: NumberFieldProps) {
  const { value, onSave, unit, minimum, maximum, special, ...frame } = props
  const scale = unit?.scale ?? 1
  const draft = useDraft<string>(props.name)
  const saving = useSave(value, onSave)
  const { shown } = saving
  const isSpecial = special !== undefined && shown === special.value
  const typed = draft.value?.typed
  const text = typed ?? (isSpecial || shown === null ? '' : textOf(shown / scale))
  const parsed = numberOf(text, scale)
  const isChanged = typed !== undefined && parsed !== value
  const isInvalid = !isBetween(parsed, minimum, maximum)

  async function save(): Promise<void> {
    if (parsed === undefined || isInvalid || !isChanged) return
    if (await saving.save(parsed)) draft.value = undefined
  }
  function cancel(): void {
    draft.value = undefined
    saving.clear()
  }
  async function toggleSpecial(isOn: boolean): Promise<void> {
    if (!isOn) {
      draft.value = { typed: '', base: fingerprint(value) }
      return
    }
    draft.value = undefined
    if (special && value !== special.value) await saving.save(special.value)
  }

  const isBoxChecked = isSpecial && typed === undefined
  return (
    <FieldFrame {...frame} status={saving.status}>
      <div class="row cluster number-row">
        <input
          {...controlProps(props)}
          class="input number-input"
          type="number"
          step="any"
          min={minimum === undefined ? undefined : minimum / scale}
          max={maximum === undefined ? undefined : maximum / scale}
          disabled={props.locked !== undefined || isBoxChecked}
          value={text}
          onInput={({ currentTarget }) => {
            draft.value = { typed: currentTarget.value, base: fingerprint(value) }
          }}
          onKeyDown={(event) => {
            if (isFinishing(event)) return
            if (event.key === 'Enter') void save()
            else if (event.key === 'Escape' && isChanged) {
              event.preventDefault()
              event.stopPropagation()
              cancel()
            }
          }}
        />
        {unit && <span class="field-help">{t(unit.name)}</span>}
        {special && (
          <label class="row choice">
            <input
              type="checkbox"
              disabled={props.locked !== undefined}
              checked={isBoxChecked}
              onChange={(event) => void toggleSpecial(event.currentTarget.checked)}
            />
            {t(special.label)}
          </label>
        )}
      </div>
      {isChanged && (
        <DraftButtons
          isSaving={saving.status.kind === 'saving'}
          isInvalid={isInvalid}
          onSave={() => void save()}
          onCancel={cancel}
        />
      )}
    </FieldFrame>
  )
}

function isBetween(number: number | undefined, minimum = -Infinity, maximum = Infinity): boolean {
  return number !== undefined && number >= minimum && number <= maximum
}

function textOf(number: number): string {
  return String(Math.round(number * 100) / 100)
}

/** What is typed in the wire's unit, which is whole; undefined where it is no number. */
export function numberOf(text: string, scale: number): number | undefined {
  const number = Number(text.replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(number) ? undefined : Math.round(number * scale)
}
