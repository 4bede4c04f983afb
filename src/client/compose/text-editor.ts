import type { Editor } from './editor.ts'
import type { Edit } from './text-edits.ts'

/**
 * Changes a text area as typing does: undo works, and `input` events are sent.
 */
export function editorOf(area: HTMLTextAreaElement): Editor {
  const selection = () => ({ start: area.selectionStart, end: area.selectionEnd })

  function edit({ from, to, insert, start, end }: Edit): void {
    area.focus({ preventScroll: true })
    area.setSelectionRange(from, to)
    const command = insert === '' ? 'delete' : 'insertText'
    const isDone = (from === to && insert === '') || document.execCommand(command, false, insert)
    if (!isDone) {
      area.setRangeText(insert, from, to, 'end')
      area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    area.setSelectionRange(start, end)
  }

  return {
    selection,
    edit,
    change(editOf) {
      const wanted = editOf({ text: area.value, ...selection() })
      if (wanted) edit(wanted)
      return wanted !== undefined
    },
    hasFocus: () => document.activeElement === area,
    focus: () => area.focus({ preventScroll: true }),
  }
}
