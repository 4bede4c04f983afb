import { FormDialog } from './form-dialog.tsx'
import { openSurface } from './surfaces.tsx'

/** The question, and the action. */
export interface Question {
  readonly title: string
  readonly text: string
  /** The name of the button that does it. */
  readonly action: string
  /** The kind of that button. Default: `danger`, for actions that cannot be undone. */
  readonly kind?: 'primary' | 'danger'
  /** @throws CallError the server's refusal, which the dialog shows */
  readonly run: () => Promise<unknown>
}

/** Asks before something that cannot be undone, or has a large effect. */
export function openConfirm(question: Question): void {
  openSurface((close) => <ConfirmDialog {...question} onClose={close} />)
}

function ConfirmDialog({
  title,
  text,
  action,
  kind = 'danger',
  run,
  onClose,
}: Question & { readonly onClose: () => void }) {
  return (
    <FormDialog
      title={title}
      size="small"
      action={action}
      isDanger={kind === 'danger'}
      onSave={run}
      onClose={onClose}
    >
      <p>{text}</p>
    </FormDialog>
  )
}
