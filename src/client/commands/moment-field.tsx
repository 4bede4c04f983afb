import { serverDate } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'
import { isoLocal } from './moments.ts'

interface MomentFieldProps {
  /** As `isoLocal` makes it. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for a time to come, on the user's clock. */
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
