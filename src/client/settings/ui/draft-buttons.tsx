import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface DraftButtonsProps {
  readonly isSaving: boolean
  readonly isInvalid?: boolean
  /** The value that someone else has saved meanwhile, in words. */
  readonly meanwhile?: string | undefined
  readonly onSave: () => void
  readonly onCancel: () => void
}

/** Saves or discards the typed value. Shown while it differs from the saved one. */
export function DraftButtons({
  isSaving,
  isInvalid,
  meanwhile,
  onSave,
  onCancel,
}: DraftButtonsProps) {
  return (
    <div class="row cluster draft-buttons">
      {meanwhile !== undefined && (
        <p class="field-help" role="status">
          {t('Changed in the meantime to: {value}', { value: meanwhile || t('nothing') })}
        </p>
      )}
      <Button kind="primary" isBusy={isSaving} disabled={isInvalid} onClick={onSave}>
        {t('Save')}
      </Button>
      <Button disabled={isSaving} onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
