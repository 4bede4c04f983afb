import { isoLocal } from '#client/ui/dates.ts'
import { serverDate } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'

interface MomentFieldProps {
  /** In the form of `isoLocal`. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for a future time, in the user's time zone. */
export function MomentField({ value, onChange }: MomentFieldProps) {
  return (
    <input
      class="input"
      type="datetime-local"
      required
      aria-label={t('Time')}
      value={value}
      min={isoLocal(serverDate())}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}
