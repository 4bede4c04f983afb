import { useState } from 'preact/hooks'
import { useSave } from '#client/commands/use-save.ts'
import type { Unit } from '#client/settings/offers.ts'
import { t } from '#client/ui/t.ts'
import { controlProps, FieldFrame, type FieldProps, fieldId } from './field-frame.tsx'

interface SliderFieldProps extends FieldProps<number> {
  /** Its name has the number in it: `{count}%`. */
  readonly unit: Unit
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** Told while it is moved; undefined once the value is saved or refused. */
  readonly onMove?: ((value: number | undefined) => void) | undefined
}

/** A number on a slider with the value beside it, saved when it is let go. */
export function SliderField(props: SliderFieldProps) {
  const { value, onSave, unit, minimum, maximum, onMove, ...frame } = props
  const saving = useSave(value, onSave)
  const [moved, setMoved] = useState<number>()
  const shown = moved ?? saving.shown
  const shownText = t(unit.name, { count: shown })

  function move(next: number | undefined): void {
    setMoved(next)
    onMove?.(next)
  }
  async function letGo(next: number): Promise<void> {
    const isSaved = saving.save(next)
    move(undefined)
    await isSaved
  }

  return (
    <FieldFrame {...frame} status={saving.status}>
      <div class="row loose slider-row">
        <input
          {...controlProps(props)}
          class="slider"
          type="range"
          min={minimum}
          max={maximum}
          value={shown}
          aria-valuetext={shownText}
          onInput={({ currentTarget }) => move(currentTarget.valueAsNumber)}
          onChange={({ currentTarget }) => void letGo(currentTarget.valueAsNumber)}
        />
        <output class="slider-value" for={fieldId(props.name)}>
          {shownText}
        </output>
      </div>
    </FieldFrame>
  )
}
