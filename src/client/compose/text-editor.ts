import type { Editor } from './editor.ts'
import { apply, type Edit } from './text-edits.ts'
import { partsOf, type TextParts, withBody } from './text-parts.ts'

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

/** A text whose body a text area has. */
export interface WholeText {
  read(): string
  write(text: string): void
}

/** Changes a text whose body is in the area. What is around the body changes without an undo of the area. */
export function wholeEditorOf(area: HTMLTextAreaElement, whole: WholeText): Editor {
  const inner = editorOf(area)

  function selection() {
    const { head, body } = partsOf(whole.read())
    const inBody = (offset: number) => head.length + Math.min(offset, body.length)
    const { start, end } = inner.selection()
    return { start: inBody(start), end: inBody(end) }
  }

  function edit(wanted: Edit): void {
    const text = whole.read()
    const parts = partsOf(text)
    const own = inBody(parts, wanted)
    if (own) {
      inner.edit(own)
      return
    }
    const next = apply(text, wanted)
    const { head, body } = partsOf(next)
    const offset = (at: number) => Math.min(Math.max(at - head.length, 0), body.length)
    inner.focus()
    if (next !== text) whole.write(next)
    if (area.value !== body) area.value = body
    area.setSelectionRange(offset(wanted.start), offset(wanted.end))
  }

  return {
    ...inner,
    selection,
    edit,
    change(editOf) {
      const wanted = editOf({ text: whole.read(), ...selection() })
      if (wanted) edit(wanted)
      return wanted !== undefined
    },
  }
}

/** The same edit of the body; undefined if it changes more, or makes a part of the body something else. */
function inBody(parts: TextParts, { from, to, insert, start, end }: Edit): Edit | undefined {
  const { length } = parts.head
  if (from < length || to > length + parts.body.length) return undefined
  const own = { from: from - length, to: to - length, insert }
  const next = apply(parts.body, own)
  const after = partsOf(withBody(parts, next))
  if (after.head !== parts.head || after.body !== next) return undefined
  const offset = (at: number) => Math.min(Math.max(at - length, 0), next.length)
  return { ...own, start: offset(start), end: offset(end) }
}
