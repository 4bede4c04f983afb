import { useId } from 'preact/hooks'
import { t } from '#client/ui/t.ts'
import { type Privacy, privacies } from './privacy.ts'

interface PrivacyChoicesProps {
  readonly chosen: Privacy
  readonly isOffered: (privacy: Privacy) => boolean
  readonly isDisabled?: boolean
  readonly onChoose: (privacy: Privacy) => void
}

/** The kinds of privacy, each with what it means. */
export function PrivacyChoices({ chosen, isOffered, isDisabled, onChoose }: PrivacyChoicesProps) {
  const name = useId()
  return (
    <div class="stack">
      {(Object.keys(privacies) as Privacy[]).filter(isOffered).map((privacy) => (
        <label key={privacy} class="check-row">
          <input
            type="radio"
            name={name}
            disabled={isDisabled}
            checked={privacy === chosen}
            onChange={() => onChoose(privacy)}
          />
          <span>
            {t(privacies[privacy].label)}
            <span class="field-help field-help-block">{t(privacies[privacy].help)}</span>
          </span>
        </label>
      ))}
    </div>
  )
}
