/** Where people mean to write: letters are for a field there, also on the way from one to the next. */
const forms = 'form, dialog, [role="dialog"], search, .editor, .compose:not(.compose-closed)'

/** Whether an element takes what is typed, or stands beside one that does. */
export function isWriting(element: Element): boolean {
  return isTyping(element) || element.closest(forms) !== null
}

/** Whether an element takes what is typed. */
function isTyping(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !isButtonLike.has(element.type)
  return (
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  )
}

const isButtonLike = new Set(['button', 'checkbox', 'radio', 'submit', 'reset', 'range', 'color'])
