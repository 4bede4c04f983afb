import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { Refusable } from './refusal.tsx'
import { useSave } from './use-save.ts'

/** The content of a form, kept until it is saved or closed. */
interface Typed {
  /** Whether the object has changed since something was typed. */
  readonly isOvertaken: boolean
  clear(): void
}

interface FormDialogProps {
  readonly title: string
  readonly size?: 'small' | 'medium'
  /** As of `Dialog`. */
  readonly isAddressed?: boolean
  /** The name of the button that saves. */
  readonly action: string
  /** Whether saving leaves it open, because its owner draws something else then. */
  readonly isOpenAfterwards?: boolean
  /** Marks an action that cannot be undone. */
  readonly isDanger?: boolean
  /** The focus begins on the button that saves, so that Enter does it. */
  readonly isActionFocused?: boolean
  readonly isInvalid?: boolean
  readonly draft?: Typed
  /** @throws CallError the server's refusal, which is shown at its field or above the buttons */
  readonly onSave: () => Promise<unknown>
  readonly onClose: () => void
  /** Draws a refusal that no field shows, if not as other forms do. */
  readonly drawProblem?: (problem: string) => ComponentChildren
  /** The fields. */
  readonly children: ComponentChildren
}

/** A form of several fields that are saved together. It stays open until saving succeeds. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    size,
    isAddressed,
    action,
    isOpenAfterwards,
    isDanger,
    isActionFocused,
    isInvalid,
    draft,
    drawProblem,
    onSave,
  } = props
  const form = useId()
  const saving = useSave(undefined, onSave)
  const { status } = saving

  function onClose(): void {
    draft?.clear()
    props.onClose()
  }

  async function save(): Promise<void> {
    if (!(await saving.save(undefined))) return
    if (isOpenAfterwards) draft?.clear()
    else onClose()
  }

  return (
    <Dialog
      title={title}
      size={size}
      isAddressed={isAddressed}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            form={form}
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={status.kind === 'saving'}
            disabled={isInvalid}
            autoFocus={isActionFocused}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Refusable status={status} draw={drawProblem}>
          {props.children}
          {draft?.isOvertaken && (
            <p class="row banner" role="status">
              {t('Someone changed this in the meantime. Saving replaces their change.')}
            </p>
          )}
        </Refusable>
      </form>
    </Dialog>
  )
}
