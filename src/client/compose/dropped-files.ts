import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { openDialogs } from '#client/ui/open-dialogs.ts'
import { t } from '#client/ui/t.ts'
import { standingProblem } from './send.ts'

const isDragging = signal(false)

/** Whether files are dragged over the page, which adds them to the message if they are dropped. */
export const areFilesDragged: ReadonlySignal<boolean> = isDragging

/** Why files cannot be added to the message, in words for the user; undefined: they can. */
export function dropProblem({ compose, store }: App): string | undefined {
  const { isOpen, target } = compose.state.value
  if (!isOpen) return t('To send files, open a conversation first.')
  return standingProblem(store, target)
}

/**
 * Adds files that are dropped anywhere on the page to the message, because the browser would leave
 * the page to show them. Elements that accept files themselves are left alone.
 *
 * @returns stops it
 */
export function takeDroppedFiles(app: App): () => void {
  const { compose, uploads, notify } = app
  const listeners = new AbortController()
  const { signal } = listeners

  /** Whether the page should accept a drag. */
  const isOurs = (event: DragEvent) =>
    !event.defaultPrevented &&
    event.dataTransfer?.types.includes('Files') === true &&
    !(event.target instanceof HTMLInputElement && event.target.type === 'file')

  function over(event: DragEvent): void {
    const isHere = isOurs(event) && openDialogs.peek().length === 0
    isDragging.value = isHere
    if (!isOurs(event)) return
    event.preventDefault()
    const isTaken = isHere && dropProblem(app) === undefined
    if (event.dataTransfer && !isTaken) event.dataTransfer.dropEffect = 'none'
  }

  function drop(event: DragEvent): void {
    isDragging.value = false
    if (!isOurs(event)) return
    event.preventDefault()
    if (openDialogs.peek().length > 0) return
    const problem = dropProblem(app)
    if (problem !== undefined) {
      notify(problem, 'error')
      return
    }
    void uploads.add([...(event.dataTransfer?.files ?? [])], (placeholder) =>
      compose.insert(placeholder, { isBlock: true }),
    )
  }

  document.addEventListener('dragover', over, { signal })
  document.addEventListener('drop', drop, { signal })
  document.addEventListener(
    'dragleave',
    (event) => {
      // Out of the window, not from one element to another.
      if (!event.relatedTarget) isDragging.value = false
    },
    { signal },
  )
  return () => {
    isDragging.value = false
    listeners.abort()
  }
}
