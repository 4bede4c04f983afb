import type { Editor } from '#client/app.ts'

/**
 * Changes a text area as typing does: undo works, and `input` events are sent.
 */
export function editorOf(area: HTMLTextAreaElement): Editor {
  return {
    selection: () => ({ start: area.selectionStart, end: area.selectionEnd }),
    hasFocus: () => document.activeElement === area,
    focus: () => area.focus({ preventScroll: true }),
    edit({ from, to, insert, start, end }) {
      area.focus({ preventScroll: true })
      area.setSelectionRange(from, to)
      const command = insert === '' ? 'delete' : 'insertText'
      const isDone = (from === to && insert === '') || document.execCommand(command, false, insert)
      if (!isDone) {
        area.setRangeText(insert, from, to, 'end')
        area.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
      area.setSelectionRange(start, end)
    },
  }
}
