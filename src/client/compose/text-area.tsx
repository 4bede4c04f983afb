import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { useGrowing } from '#client/ui/growing.ts'
import { useEarlyInput } from './early-input.ts'
import { editing } from './editing.ts'
import type { Editor } from './editor.ts'
import { pressKey } from './editor-keys.ts'
import type { Typeahead } from './use-typeahead.ts'

export interface TextAreaProps {
  readonly label: string
  readonly placeholder?: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSend: () => void
  readonly onEscape: () => void
  readonly onEditLast?: () => void
  readonly onFocus?: () => void
  readonly editedId?: number
  readonly editorRef: RefObject<Editor | undefined>
  /** Whether the message is empty, also around the box. */
  readonly isEmpty: boolean
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly typeahead: RefObject<Typeahead | undefined>
  readonly addFiles: (files: Iterable<File>) => void
}

/** The text of a message, with its keys. It is there before what can be done with a text is loaded. */
export function TextArea({ area, typeahead, addFiles, ...props }: TextAreaProps) {
  const app = useApp()
  const { text, editorRef, editedId } = props
  const lastKey = useRef<KeyboardEvent | undefined>(undefined)
  useEarlyInput(area)
  useGrowing(area, text)

  function onKeyDown(event: KeyboardEvent): void {
    lastKey.current = event
    pressKey(event, {
      kit: editing.peek(),
      editor: editorRef.current,
      typeahead: typeahead.current,
      isEmpty: props.isEmpty,
      entersSend: app.store.settings.peek().enter_sends,
      onSend: props.onSend,
      onEscape: props.onEscape,
      onEditLast: props.onEditLast,
    })
  }

  function onPaste(event: ClipboardEvent): void {
    editing.peek()?.paste(event, {
      app,
      editor: editorRef.current,
      addFiles,
      lastKey: lastKey.current,
      editedId,
    })
  }

  return (
    <textarea
      ref={area}
      class="editor-text"
      aria-label={props.label}
      placeholder={props.placeholder}
      rows={1}
      // The placeholder is in the page's direction; with "auto", Firefox draws it out of sight.
      dir={text === '' ? undefined : 'auto'}
      aria-autocomplete="list"
      enterkeyhint="enter"
      value={text}
      onInput={(event) => {
        props.onText(event.currentTarget.value)
        typeahead.current?.update()
      }}
      onClick={() => typeahead.current?.update()}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        if (isFinishing(event)) return
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') typeahead.current?.update()
      }}
      onPaste={onPaste}
      onFocus={props.onFocus}
      onBlur={() => typeahead.current?.close()}
    />
  )
}
