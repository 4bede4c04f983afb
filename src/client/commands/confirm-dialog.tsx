import { useState } from 'preact/hooks'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { problemOf } from './attempt.ts'
import { openSurface } from './surfaces.tsx'

/** What is asked, and what happens then. */
export interface Question {
  readonly title: string
  readonly text: string
  /** The name of the button that does it. */
  readonly action: string
  /** Of that button: `danger`, for what cannot be undone, if not given. */
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
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  async function confirm(): Promise<void> {
    setBusy(true)
    try {
      await run()
      onClose()
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind={kind} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
