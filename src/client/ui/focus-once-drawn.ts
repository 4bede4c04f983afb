import { isFinishing } from './finishing.ts'

/** How long a field is waited for, in milliseconds. Its part of the client may have to be loaded. */
const patience = 3000

/** Ends the wait for the field before. */
let giveUp: (() => void) | undefined

/**
 * Focuses a field: at the end of this change, or as soon as it is drawn. What is typed until then is
 * for it, and neither lost nor a shortcut. Escape and a press of the pointer end the wait.
 *
 * @param selector of an input; the first one that can be written in
 */
export function focusOnceDrawn(selector: string): void {
  giveUp?.()
  const find = () => document.querySelector<HTMLInputElement>(`${selector}:not(:disabled)`)
  // What is drawn for this very change is there after it.
  queueMicrotask(() => {
    const field = find()
    if (field) field.focus()
    else wait(find)
  })
}

function wait(find: () => HTMLInputElement | null): void {
  let typed = ''
  const end = new AbortController()
  const watcher = new MutationObserver(() => {
    const field = find()
    if (!field) return
    stop()
    field.focus()
    // As from the keyboard, so that the field offers what fits.
    if (typed !== '') document.execCommand('insertText', false, typed)
  })
  const timer = setTimeout(stop, patience)
  function stop(): void {
    clearTimeout(timer)
    watcher.disconnect()
    end.abort()
    if (giveUp === stop) giveUp = undefined
  }
  giveUp?.()
  giveUp = stop
  function onKey(event: KeyboardEvent): void {
    if (isFinishing(event)) return
    const { key, ctrlKey, metaKey, altKey } = event
    if (key === 'Escape') stop()
    else if (key === 'Backspace') typed = typed.slice(0, -1)
    else if (key.length === 1 && !ctrlKey && !metaKey && !altKey) typed += key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', onKey, { capture: true, signal: end.signal })
  addEventListener('pointerdown', stop, { capture: true, signal: end.signal })
  watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
