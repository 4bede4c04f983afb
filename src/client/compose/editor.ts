import type { Edit, SelectedText } from '#client/compose/text-edits.ts'

/** A text box on the screen, through which text is changed so that its own undo works. */
export interface Editor {
  /** The caret or selection, as offsets in the text. */
  selection(): { readonly start: number; readonly end: number }
  edit(edit: Edit): void
  /** Makes the edit that depends on text and selection. False if there is none. */
  change(editOf: (selected: SelectedText) => Edit | undefined): boolean
  hasFocus(): boolean
  focus(): void
}
