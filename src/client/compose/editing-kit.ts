import { addable, openSnippets } from './addable.ts'
import { ComposeWarnings } from './compose-warnings.tsx'
import { DropCover } from './drop-cover.tsx'
import { FormatButtons } from './format-buttons.tsx'
import { breaksLine, continueList, format } from './formatting.ts'
import { paste } from './pasting.ts'
import { Preview } from './preview.tsx'
import { SendKeyHint } from './send-key-hint.tsx'
import { TargetFields } from './target-fields.tsx'
import { Suggestions } from './typeahead-list.tsx'
import { UnkeptNote } from './unkept-note.tsx'

/** All that a box can do besides taking text and sending it: one file, loaded once someone is about to write. */
export const editingKit = {
  addable,
  breaksLine,
  ComposeWarnings,
  continueList,
  DropCover,
  format,
  FormatButtons,
  openSnippets,
  paste,
  Preview,
  SendKeyHint,
  Suggestions,
  TargetFields,
  UnkeptNote,
}

export type EditingKit = typeof editingKit
