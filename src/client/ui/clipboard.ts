import { openDialogs } from './open-dialogs.ts'

/**
 * Puts a text on the clipboard. Pages that came by plain HTTP have no clipboard of the new kind, so
 * there a text field is selected and copied.
 *
 * @throws if the browser allows neither
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    if (!copySelected(text)) throw error
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const selection = getSelection()
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.readOnly = true
  field.value = text
  // Everything beside the dialog on top is inert.
  const place = openDialogs.peek().at(-1) ?? document.body
  place.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    if (selection && range && selection.rangeCount === 0) selection.addRange(range)
  }
}
