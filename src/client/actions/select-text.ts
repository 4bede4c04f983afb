/**
 * Lets a finger select text of a message, beginning with all of it, until the selection ends.
 * Otherwise resting fingers open the menu, and the browser's own selection would get in the way.
 */
export function selectText(messageId: number): void {
  const body = bodyOf(messageId)
  const selection = getSelection()
  if (!body || !selection) return
  body.setAttribute('data-selecting', '')
  selection.selectAllChildren(body)
  const listeners = new AbortController()
  const end = () => {
    listeners.abort()
    body.removeAttribute('data-selecting')
  }
  const look = () => {
    if (selection.isCollapsed || !body.contains(selection.anchorNode)) end()
  }
  // Not before the event about the selection that was just made; it may be gone by then.
  requestAnimationFrame(() => {
    document.addEventListener('selectionchange', look, { signal: listeners.signal })
    look()
  })
}

/** The visible text of a message; undefined if it is not drawn. */
export const shownText = (messageId: number): string | undefined =>
  // biome-ignore lint/performance/useDomNodeTextContent: with the lines that it is laid out in, and without closed spoilers
  bodyOf(messageId)?.innerText

function bodyOf(messageId: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main [data-message-id="${messageId}"] .rendered`)
}
