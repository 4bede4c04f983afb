import { commandOf } from '#client/commands/key-bindings.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import type { EditingKit } from './editing-kit.ts'
import type { Editor } from './editor.ts'
import type { Format } from './formatting.ts'
import { noteEnter } from './send-counts.ts'
import type { Typeahead } from './use-typeahead.ts'

/** What the keys of a text box of messages act on. */
export interface EditorKeys {
  /** Undefined until it is loaded: what needs it waits (`early-input.ts`). */
  readonly kit: EditingKit | undefined
  readonly editor: Editor | undefined
  readonly typeahead: Typeahead | undefined
  readonly isEmpty: boolean
  /** Whether Enter sends, by the user's setting. */
  readonly entersSend: boolean
  readonly onSend: () => void
  readonly onEscape: () => void
  readonly onEditLast?: (() => void) | undefined
}

/** Handles a key: for the suggestions, a format, sending, a list, or leaving the box. */
export function pressKey(event: KeyboardEvent, keys: EditorKeys): void {
  if (isFinishing(event)) return
  const isPlain = !hasModifier(event) && !event.shiftKey
  const kind = formats[commandOf(event, ['compose']) ?? '']
  if (isPlain && keys.typeahead?.press(event.key)) {
    event.preventDefault()
    event.stopPropagation()
  } else if (kind) {
    event.preventDefault()
    keys.editor?.change((selected) => keys.kit?.format(selected, kind))
  } else if (event.key === 'Enter') pressEnter(event, keys)
  else if (event.key === 'Escape') {
    event.preventDefault()
    event.stopPropagation()
    keys.onEscape()
  } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowUp') && isPlain && keys.isEmpty) {
    if (!keys.onEditLast) return
    event.preventDefault()
    keys.onEditLast()
  }
}

function pressEnter(event: KeyboardEvent, keys: EditorKeys): void {
  const { kit, editor, entersSend, onSend } = keys
  if (event.altKey) return
  noteEnter()
  const isCtrl = event.ctrlKey || event.metaKey
  // On touch screens Enter is the only way to a new line.
  const mayBreak = !entersSend || matchMedia('(pointer: coarse)').matches
  const isSendKey = isCtrl || !(mayBreak || isInBlock(keys))
  if (isSendKey && !event.shiftKey) {
    event.preventDefault()
    onSend()
  } else if (editor?.change((selected) => kit?.continueList(selected, navigator.languages))) {
    event.preventDefault()
  }
}

function isInBlock({ kit, editor }: EditorKeys): boolean {
  let isIn = false
  editor?.change((selected) => {
    // If it could not be loaded, at least no half of some code is sent.
    isIn = kit?.breaksLine(selected) ?? /^[ \t]*(?:`{3}|~{3})/m.test(selected.text)
    return undefined
  })
  return isIn
}

/** The formats that have a key, by its command. */
const formats: Readonly<Record<string, Format>> = {
  bold: 'bold',
  italic: 'italic',
  link: 'link',
  code: 'code',
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey
}
