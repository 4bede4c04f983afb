import { effect } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { isSameTarget } from '#client/state/compose-target.ts'
import type { LocalDraft } from './draft-entries.ts'
import type { Editor } from './editor.ts'
import { apply, type Edit } from './text-edits.ts'

/** The text of a draft or an edit, in whichever box it is shown by now, or in none. */
export interface LaterText {
  /** Undefined once it is sent, saved or removed. Reading it subscribes. */
  read(): string | undefined
  replace(change: Change): void
}

type Change = Omit<Edit, 'start' | 'end'>

/** The draft that the compose box shows; undefined if it shows nothing. */
export function draftText(app: App, editor: Editor): LaterText | undefined {
  const { compose, drafts } = app
  const shown = compose.state.peek()
  const isShown = (draft: LocalDraft, { text, target } = compose.state.peek()) =>
    draft.content === text && isSameTarget(draft.target, target)
  const key = drafts.all.peek().find((draft) => isShown(draft, shown))?.key
  if (key === undefined) return undefined
  const draftOf = (all: readonly LocalDraft[]) => all.find((draft) => draft.key === key)
  return {
    read: () => draftOf(drafts.all.value)?.content,
    replace(change) {
      const draft = draftOf(drafts.all.peek())
      if (!draft || (isShown(draft) && replaceIn(editor, draft.content, change))) return
      drafts.write(key, draft.target, apply(draft.content, change))
    },
  }
}

/** The text of a message that is being edited; undefined if it is unchanged. */
export function editedText(app: App, editor: Editor, messageId: number): LaterText | undefined {
  const { edits } = app
  return {
    read: () => edits.get(messageId)?.text,
    replace(change) {
      const edit = edits.get(messageId)
      if (!edit || replaceIn(editor, edit.text, change)) return
      edits.write({ ...edit, text: apply(edit.text, change) })
    },
  }
}

/** Changes the text in its box, if that has the focus, so that it can be undone there. */
function replaceIn(editor: Editor, content: string, { from, to, insert }: Change): boolean {
  if (!editor.hasFocus()) return false
  const moved = (offset: number) =>
    offset >= to ? offset + insert.length - (to - from) : Math.min(offset, from + insert.length)
  return editor.change(({ text, start, end }) =>
    text === content ? { from, to, insert, start: moved(start), end: moved(end) } : undefined,
  )
}

/**
 * Follows a part of a text through all changes beside it.
 *
 * @returns ends that, and replaces the part unless it was changed meanwhile; it gets what is before
 *   and after the part, and returns undefined to leave it as it is
 */
export function followPart(
  text: LaterText,
  start: number,
  end: number,
): (by: (before: string, after: string) => string | undefined) => void {
  let last: string | undefined
  let [from, to] = [start, end]
  const stop = effect(() => {
    const next = text.read()
    if (last !== undefined && from < to) {
      const by = movedBy(last, next ?? '', from, to)
      // Without one, nothing is left to replace.
      if (by === undefined) to = from
      else [from, to] = [from + by, to + by]
    }
    last = next ?? ''
  })
  return (by) => {
    stop()
    if (last === undefined || from === to) return
    const insert = by(last.slice(0, from), last.slice(to))
    if (insert !== undefined) text.replace({ from, to, insert })
  }
}

/**
 * How far one change of a text has moved a part of it; undefined if it has changed the part. Compares
 * no more than the part, as every key is a change, unless the part is at both places by its repetition.
 */
function movedBy(before: string, after: string, from: number, to: number): number | undefined {
  const by = after.length - before.length
  const part = before.slice(from, to)
  const isAt = (offset: number) => offset >= 0 && after.startsWith(part, offset)
  const [stays, moves] = [isAt(from), isAt(from + by)]
  if (stays && moves) return after.startsWith(before.slice(0, to)) ? 0 : by
  if (stays) return 0
  return moves ? by : undefined
}
