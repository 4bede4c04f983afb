import type { ComponentChildren } from 'preact'
import { Button } from '#client/ui/button.tsx'

interface NewFormProps {
  /** The name of the button. */
  readonly action: string
  readonly isBusy: boolean
  readonly isInvalid: boolean
  /** What the server refused, where that is about no single field. */
  readonly problem: string | undefined
  readonly onSubmit: () => void
  readonly children: ComponentChildren
}

/** The form of a new channel or group. */
export function NewForm(props: NewFormProps) {
  const { action, isBusy, isInvalid, problem, onSubmit, children } = props
  return (
    <form
      class="form setting-group"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="button-row">
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={isInvalid}>
          {action}
        </Button>
      </div>
    </form>
  )
}
