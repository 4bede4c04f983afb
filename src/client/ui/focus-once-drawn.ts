import { isFinishing } from './finishing.ts'

/** How long a field is waited for, in milliseconds. Its part of the client may have to be loaded. */
const patience = 3000

/** What is typed for the field that is waited for. */
let awaited: { typed: string; readonly stop: () => void } | undefined

/**
 * Focuses a field: at the end of this change, or as soon as it is drawn. What is typed until then is
 * for it, and neither lost nor a shortcut. Escape and a press of the pointer end the wait.
 *
 * @param selector of an input; the first one that can be written in
 */
export function focusOnceDrawn(selector: string): void {
  awaited?.stop()
  const find = () => document.querySelector<HTMLInputElement>(`${selector}:not(:disabled)`)
  const end = new AbortController()
  const watcher = new MutationObserver(look)
  const timer = setTimeout(stop, patience)
  const waiting = { typed: '', stop }
  awaited = waiting

  function stop(): void {
    clearTimeout(timer)
    watcher.disconnect()
    end.abort()
    if (awaited === waiting) awaited = undefined
  }
  function look(): void {
    const field = find()
    if (!field || awaited !== waiting) return
    stop()
    field.focus()
    // As from the keyboard, so that the field offers what fits.
    const { typed } = waiting
    if (typed !== '' && field === document.activeElement) {
      document.execCommand('insertText', false, typed)
    }
  }
  addEventListener('keydown', takeKey, { capture: true, signal: end.signal })
  addEventListener('pointerdown', stop, { capture: true, signal: end.signal })
  watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  // What is drawn for this very change is there after it.
  queueMicrotask(look)
}

function takeKey(event: KeyboardEvent): void {
  if (!typeAhead(event)) return
  event.preventDefault()
  event.stopPropagation()
}

/** Those that would do something elsewhere, and can do nothing in a field that is not there. */
export const lostKeys: ReadonlySet<string> = new Set([
  'Enter',
  'Tab',
  'Delete',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
])

/** Gives a key to the field that is waited for. @returns whether one is, and the key is for it */
export function typeAhead(event: KeyboardEvent): boolean {
  if (!awaited || isFinishing(event)) return false
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey) return false
  if (key === 'Escape') awaited.stop()
  else if (key === 'Backspace') awaited.typed = awaited.typed.slice(0, -1)
  else if (key.length === 1) awaited.typed += key
  else return lostKeys.has(key)
  return true
}
