import { FormDialog } from './form-dialog.tsx'
import { openSurface } from './surfaces.tsx'

/** What is asked, and what happens then. */
export interface Question {
  readonly title: string
  readonly text: string
  /** The name of the button that does it. */
  readonly action: string
  /** The kind of that button. Default: `danger`, for what cannot be undone. */
  readonly kind?: 'primary' | 'danger'
  /** @throws CallError what the server refuses, which the dialog shows */
  readonly run: () => Promise<unknown>
}

/** Asks before something that cannot be undone, or is much at once. */
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
      {() => <p>{text}</p>}
    </FormDialog>
  )
}
