import { AtSign, Eye, EyeClosed, SmilePlus } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { commandOf } from '#client/commands/key-bindings.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { IconButton } from '#client/ui/button.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { useGrowing } from '#client/ui/growing.ts'
import { optionId } from '#client/ui/listbox.ts'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { partToRemove } from './attached-files.ts'
import type { Editor } from './editor.ts'
import { pressKey } from './editor-keys.ts'
import { AddButton, FormatButtons, FormatsToggle } from './editor-tools.tsx'
import { format } from './formatting.ts'
import { draftText, editedText } from './later-text.ts'
import { LengthNote } from './length-note.tsx'
import { notePasteKey, paste } from './pasting.ts'
import { Preview } from './preview.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { editorOf } from './text-editor.ts'
import { insertion, replacement } from './text-edits.ts'
import { UploadList } from './upload-list.tsx'
import { type Typeahead, useTypeahead } from './use-typeahead.ts'

interface MessageEditorProps {
  /** The name of the text box. */
  readonly label: string
  readonly placeholder?: string
  readonly text: string
  readonly onText: (text: string) => void
  /** The recipient, for suggestions. */
  readonly place: ComposeTarget
  readonly isPreview: boolean
  readonly onPreview: (isPreview: boolean) => void
  readonly onSend: () => void
  readonly onEscape: () => void
  /** The key ← or ↑ in an empty box. */
  readonly onEditLast?: () => void
  /** Called with the text box, and with undefined when it goes. */
  readonly editorRef: RefObject<Editor | undefined>
  /** What can be added besides files, asked for when the menu opens. */
  readonly others?: (button: Element) => readonly MenuItem[]
  /** The content at the end of the tool bar. */
  readonly end: ComponentChildren
  readonly onFocus?: () => void
  /** The message whose text it is; without, it is the draft of the compose box. */
  readonly editedId?: number
  /** Leaves files that are dropped on it to the page, which takes those beside it as well. */
  readonly leavesDrops?: boolean
}

/** The text box of a message with its tool bar, suggestions, uploads and preview. */
export function MessageEditor(props: MessageEditorProps) {
  const { text, editorRef, isPreview } = props
  const app = useApp()
  const area = useRef<HTMLTextAreaElement>(null)
  const preview = useRef<HTMLElement>(null)
  const listId = useId()
  const typeahead = useTypeahead(app, area, props.place)
  useEditorRef(editorRef, area)
  useFocusFor(isPreview, { area, preview, onPreview: typeahead.close })

  function insert(added: string, isBlock = false): void {
    editorRef.current?.change((selected) => insertion(selected, added, isBlock))
  }

  function addFiles(files: Iterable<File>): void {
    void app.uploads.add([...files], (placeholder) => insert(placeholder, true))
  }

  function removeUpload(link: string): void {
    editorRef.current?.change((selected) =>
      replacement(selected, partToRemove(selected.text, link), ''),
    )
  }

  /** Keys of the box as a whole: the preview has the focus instead of the text while it is shown. */
  function onAnyKey(event: KeyboardEvent): void {
    if (isFinishing(event)) return
    const isPreviewKey = commandOf(event, ['compose']) === 'preview'
    if (!isPreviewKey && !(isPreview && event.key === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    props.onPreview(!isPreview)
  }

  function mention(): void {
    editorRef.current?.change((selected) => {
      const isInWord = /\S$/.test(selected.text.slice(0, selected.start))
      return insertion(selected, isInWord ? ' @' : '@')
    })
    area.current?.focus()
    typeahead.update()
  }

  const bar = useToolBar(props, { insert, addFiles, mention })
  const { items, selected } = typeahead
  const isOffering = items.length > 0 && !isPreview
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be added by a button
    <div class="editor" onKeyDown={onAnyKey} {...(!props.leavesDrops && dropping(addFiles))}>
      {isOffering && (
        <SuggestionList
          id={listId}
          label={t('Suggestions')}
          items={items}
          selected={selected}
          onPick={typeahead.pick}
        />
      )}
      <TextArea
        {...props}
        area={area}
        typeahead={typeahead}
        listId={isOffering ? listId : undefined}
        addFiles={addFiles}
      />
      {isPreview && <Preview text={text} focusRef={preview} />}
      <UploadList text={text} onRemove={removeUpload} />
      <LengthNote text={text} isDraft={props.editedId === undefined} />
      {bar.formats}
      <div class="editor-bar">
        <div class="editor-tools" role="toolbar" aria-label={t('Tools')}>
          {bar.tools}
        </div>
        <div class="editor-end">{props.end}</div>
      </div>
    </div>
  )
}

/** What takes files that are dropped. */
function dropping(addFiles: (files: Iterable<File>) => void) {
  return {
    onDragOver(event: DragEvent) {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    },
    onDrop(event: DragEvent) {
      const files = event.dataTransfer?.files
      if (!files || files.length === 0) return
      event.preventDefault()
      addFiles(files)
    },
  }
}

interface TextAreaProps extends MessageEditorProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly typeahead: Typeahead
  /** The suggestions that are shown. */
  readonly listId: string | undefined
  readonly addFiles: (files: Iterable<File>) => void
}

function TextArea({ area, typeahead, listId, addFiles, ...props }: TextAreaProps) {
  const app = useApp()
  const { text, editorRef } = props
  useGrowing(area, text)

  function onKeyDown(event: KeyboardEvent): void {
    notePasteKey(event)
    pressKey(event, {
      editor: editorRef.current,
      typeahead,
      isEmpty: text === '',
      entersSend: app.store.settings.peek().enter_sends,
      onSend: props.onSend,
      onEscape: props.onEscape,
      onEditLast: props.onEditLast,
    })
  }

  return (
    <textarea
      ref={area}
      class="editor-text"
      aria-label={props.label}
      placeholder={props.placeholder}
      rows={1}
      hidden={props.isPreview}
      // The placeholder is in the page's direction; with "auto", Firefox draws it out of sight.
      dir={text === '' ? undefined : 'auto'}
      aria-autocomplete="list"
      aria-controls={listId}
      aria-activedescendant={listId && optionId(listId, typeahead.selected)}
      enterkeyhint="enter"
      value={text}
      onInput={(event) => {
        props.onText(event.currentTarget.value)
        typeahead.update()
      }}
      onClick={typeahead.update}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        if (isFinishing(event)) return
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') typeahead.update()
      }}
      onPaste={(event) =>
        paste(event, {
          editor: editorRef.current,
          addFiles,
          offerPicture: (take) =>
            app.notify(t('Pasted as text.'), 'info', { label: t('Paste as picture'), run: take }),
          textOf: (editor) =>
            props.editedId === undefined
              ? draftText(app, editor)
              : editedText(app, editor, props.editedId),
        })
      }
      onFocus={props.onFocus}
      onBlur={typeahead.close}
    />
  )
}

function useEditorRef(
  editorRef: RefObject<Editor | undefined>,
  area: RefObject<HTMLTextAreaElement | null>,
): void {
  useLayoutEffect(() => {
    editorRef.current = area.current ? editorOf(area.current) : undefined
    return () => {
      editorRef.current = undefined
    }
  }, [editorRef])
}

interface FocusTargets {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly preview: RefObject<HTMLElement | null>
  readonly onPreview: () => void
}

/** Moves the focus to the preview, and back to the text. */
function useFocusFor(isPreview: boolean, { area, preview, onPreview }: FocusTargets): void {
  const wasPreview = useRef(isPreview)
  // At once: the next key is for what has the focus.
  useLayoutEffect(() => {
    if (wasPreview.current === isPreview) return
    wasPreview.current = isPreview
    if (isPreview) {
      onPreview()
      // The text box hides, and keys go to what has the focus.
      preview.current?.focus()
    } else area.current?.focus()
  }, [isPreview])
}

interface ToolBarActs {
  readonly insert: (added: string) => void
  readonly addFiles: (files: Iterable<File>) => void
  /** Begins a mention where the caret is. */
  readonly mention: () => void
}

/** The buttons of the tool bar. */
function useToolBar(
  { editorRef, isPreview, onPreview, others }: MessageEditorProps,
  { insert, addFiles, mention }: ToolBarActs,
) {
  const app = useApp()
  // Nothing of it changes with the text: what is the same vnode is not drawn again with every key.
  return useMemo(
    () => ({
      tools: (
        <>
          <AddButton onFiles={addFiles} others={others ?? (() => [])} />
          <FormatsToggle />
          <IconButton
            label={t('Emoji')}
            icon={SmilePlus}
            onClick={(event) =>
              openEmojiPicker(
                app,
                event.currentTarget,
                (emoji, text) => insert(`${text ?? `:${emoji.name}:`} `),
                { isForText: true },
              )
            }
          />
          <IconButton
            label={t('Mention someone')}
            icon={AtSign}
            disabled={isPreview}
            onClick={mention}
          />
          <IconButton
            label={isPreview ? t('Write') : t('Preview')}
            hint={`${t('Preview')} (Alt+P)`}
            icon={isPreview ? EyeClosed : Eye}
            aria-pressed={isPreview}
            onClick={() => onPreview(!isPreview)}
          />
        </>
      ),
      formats: (
        <FormatButtons
          isDisabled={isPreview}
          onFormat={(kind) => editorRef.current?.change((selected) => format(selected, kind))}
        />
      ),
    }),
    [app, editorRef, isPreview, onPreview],
  )
}
