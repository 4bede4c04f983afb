import type { ComponentChildren } from 'preact'
import { FormText } from '#client/commands/form-fields.tsx'
import { placeProblem } from '#client/commands/placing.ts'
import type { Saving } from '#client/commands/use-save.ts'
import { Button } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

interface Named {
  readonly name: string
  readonly description: string
}

interface NewFormProps {
  /** The name of the button. */
  readonly action: string
  readonly saving: Saving<undefined>
  readonly typed: Named
  /** The most characters of each. */
  readonly longest: { readonly [field in keyof Named]: number }
  /** Whether anything but the name is not right yet. */
  readonly isInvalid?: boolean
  readonly onInput: (change: Partial<Named>) => void
  /** The fields after the name and the description. */
  readonly children: ComponentChildren
}

/** The form of a new channel or group. */
export function NewForm(props: NewFormProps) {
  const { action, saving, typed, longest, isInvalid = false, onInput } = props
  const { status } = saving
  const { problems, other } = placeProblem(status, ['name', 'description'])
  return (
    <form
      class="form setting-group"
      onSubmit={(event) => {
        event.preventDefault()
        void saving.save(undefined)
      }}
    >
      <FormText
        label={t('Name')}
        value={typed.name}
        maxLength={longest.name}
        problem={problems.name}
        isRequired
        onInput={(name) => onInput({ name })}
      />
      <FormText
        label={t('Description')}
        value={typed.description}
        maxLength={longest.description}
        problem={problems.description}
        isLong
        onInput={(description) => onInput({ description })}
      />
      {props.children}
      <Problem text={other} />
      <div class="button-row">
        <Button
          type="submit"
          kind="primary"
          isBusy={status.kind === 'saving'}
          disabled={isInvalid || typed.name.trim() === ''}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
