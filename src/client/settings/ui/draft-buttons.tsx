import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface DraftButtonsProps {
  readonly isSaving: boolean
  readonly isInvalid?: boolean
  /** What the value became meanwhile, in words, by someone else. */
  readonly meanwhile?: string | undefined
  readonly onSave: () => void
  readonly onCancel: () => void
}

/** Saves or gives up what was typed. Shown while that differs from what is saved. */
export function DraftButtons({
  isSaving,
  isInvalid,
  meanwhile,
  onSave,
  onCancel,
}: DraftButtonsProps) {
  return (
    <div class="draft-buttons">
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
