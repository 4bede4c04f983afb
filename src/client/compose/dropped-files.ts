import type { App } from '#client/app.ts'
import { openDialogs } from '#client/ui/open-dialogs.ts'
import { t } from '#client/ui/t.ts'

/**
 * Adds files that are dropped anywhere on the page to the message, because the browser would leave
 * the page to show them. Elements that accept files themselves are left alone.
 *
 * @returns stops it
 */
export function takeDroppedFiles({ compose, uploads, notify }: App): () => void {
  const listeners = new AbortController()
  const { signal } = listeners

  /** Whether the page should accept a drag. */
  const isOurs = (event: DragEvent) =>
    !event.defaultPrevented &&
    event.dataTransfer?.types.includes('Files') === true &&
    !(event.target instanceof HTMLInputElement && event.target.type === 'file')
  const isTaken = () => compose.state.peek().isOpen && openDialogs.peek().length === 0

  function over(event: DragEvent): void {
    if (!isOurs(event)) return
    event.preventDefault()
    if (event.dataTransfer && !isTaken()) event.dataTransfer.dropEffect = 'none'
    mark(isTaken())
  }

  function drop(event: DragEvent): void {
    mark(false)
    if (!isOurs(event)) return
    event.preventDefault()
    if (!isTaken()) {
      notify(t('To send files, open a conversation first.'), 'error')
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
      if (!event.relatedTarget) mark(false)
    },
    { signal },
  )
  return () => listeners.abort()
}

/** Shows the drop target. */
function mark(isOn: boolean): void {
  document.documentElement.toggleAttribute('data-dragging', isOn)
}
