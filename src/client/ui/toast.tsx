import { type ReadonlySignal, signal } from '@preact/signals-core'
import { X } from 'lucide'
import { createContext, type RefObject } from 'preact'
import { useContext } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { openDialogs } from './open-dialogs.ts'
import { t } from './t.ts'

export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

export interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'info' | 'error'
  readonly action?: ToastAction | undefined
}

/** Short messages to the user that go away by themselves. */
export interface Toasts {
  readonly shown: ReadonlySignal<readonly Toast[]>
  show(text: string, kind?: Toast['kind'], action?: ToastAction): void
  dismiss(id: number): void
}

const shownAtOnce = 3
const secondsFor = { info: 5, error: 9 }
/** Where there is a button to press. */
const secondsToAct = 10

export function createToasts(): Toasts {
  const shown = signal<readonly Toast[]>([])
  const ends = new Map<number, ReturnType<typeof setTimeout>>()
  let lastId = 0

  function dismiss(id: number): void {
    clearTimeout(ends.get(id))
    ends.delete(id)
    shown.value = shown.peek().filter((toast) => toast.id !== id)
  }

  /** Keeps it for its time from now on. */
  function hold({ id, kind, action }: Toast): void {
    clearTimeout(ends.get(id))
    const seconds = action ? secondsToAct : secondsFor[kind]
    ends.set(id, setTimeout(dismiss, seconds * 1000, id))
  }

  function show(text: string, kind: Toast['kind'] = 'info', action?: ToastAction): void {
    const same = shown.peek().find((toast) => toast.text === text)
    // What is done once more is told once more; what fails once more is told already.
    if (same?.kind === 'error' && kind === 'error' && !same.action && !action) {
      hold(same)
      return
    }
    if (same) dismiss(same.id)
    lastId += 1
    const toast = { id: lastId, text, kind, action }
    shown.value = [...shown.peek(), toast].slice(-shownAtOnce)
    hold(toast)
  }

  return { shown, show, dismiss }
}

/** The toasts of everything below it. */
export const ToastsContext = createContext<Toasts | undefined>(undefined)

interface ToastAreaProps {
  /** The one that it is in; undefined beside all of them. */
  readonly dialog?: RefObject<HTMLDialogElement | null>
}

/**
 * Where toasts appear, and screen readers hear them: in the shell, and in each modal dialog, since
 * everything beside the one on top is covered and inert. Only the area on top shows them.
 */
export function ToastArea({ dialog }: ToastAreaProps) {
  const toasts = useContext(ToastsContext)
  if (!toasts) return null
  const isOnTop = openDialogs.value.at(-1) === (dialog?.current ?? undefined)
  const shown = isOnTop ? toasts.shown.value : []
  return (
    <div class="stack toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} class={`row toast toast-${toast.kind}`}>
          <span class="toast-text">{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              class="toast-action"
              onClick={() => {
                dismissAndRun(toasts, toast)
              }}
            >
              {toast.action.label}
            </button>
          )}
          <IconButton
            label={t('Dismiss')}
            icon={X}
            size={14}
            onClick={() => toasts.dismiss(toast.id)}
          />
        </div>
      ))}
    </div>
  )
}

function dismissAndRun(toasts: Toasts, toast: Toast): void {
  toasts.dismiss(toast.id)
  toast.action?.run()
}
