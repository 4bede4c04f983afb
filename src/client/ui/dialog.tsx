import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { classes, IconButton } from './button.tsx'
import { giveFocus } from './give-focus.ts'
import { useLayer } from './layers.ts'
import { openDialogs } from './open-dialogs.ts'
import { t } from './t.ts'
import { ToastArea } from './toast.tsx'

interface DialogProps {
  /** Its name, shown as its heading. */
  readonly title: string
  readonly onClose: () => void
  /** `wide` for two columns, `full` for pictures. */
  readonly size?: 'small' | 'medium' | 'wide' | 'full'
  readonly class?: string
  /** Hides the heading, not the name. */
  readonly isBare?: boolean
  /** Whether it has an address of its own, which Back leaves. */
  readonly isAddressed?: boolean
  /** The buttons at the bottom. */
  readonly footer?: ComponentChildren
  readonly children?: ComponentChildren
}

/**
 * The element that takes the focus: one that asks for it, or the link of the current page, or the
 * first field.
 */
const firstFields = [
  '[autofocus], .dialog-body a[aria-current]',
  '.dialog-body :is(input, textarea, select, button, a[href]):not(:disabled)',
]

/**
 * A modal dialog while it is drawn. Escape, the close button and a click beside it call `onClose`;
 * the focus goes back to where it was.
 */
export function Dialog({
  title,
  onClose,
  size = 'medium',
  class: className,
  isBare,
  isAddressed,
  footer,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayer(onClose, !isAddressed)
  // At once: the next key is for the dialog.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const before = document.activeElement
    dialog.showModal()
    openDialogs.value = [...openDialogs.peek(), dialog]
    // Not the close button, which is the first control.
    const fields = firstFields.flatMap((selector) => [
      ...dialog.querySelectorAll<HTMLElement>(selector),
    ])
    // A phone hides some of them.
    const field = fields.find((each) => each.checkVisibility())
    if (field) giveFocus(field)
    return () => {
      openDialogs.value = openDialogs.peek().filter((each) => each !== dialog)
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={classes('surface dialog', `dialog-${size}`, className)}
      aria-labelledby={isBare ? undefined : id}
      aria-label={isBare ? title : undefined}
      onCancel={(event) => {
        if (event.target !== ref.current) return
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        // The dialog's own box is filled by `.dialog-box`, so what is left is the backdrop.
        if (event.target === ref.current) onClose()
      }}
    >
      <div class="grow dialog-box">
        {!isBare && (
          <div class="row loose dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton label={t('Close')} icon={X} onClick={onClose} />
          </div>
        )}
        <div class="dialog-body">{children}</div>
        {footer && <div class="dialog-foot">{footer}</div>}
      </div>
      <ToastArea dialog={ref} />
    </dialog>
  )
}
