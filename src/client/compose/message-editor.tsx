import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { commandOf } from '#client/commands/key-bindings.ts'
import { withLoaded } from '#client/commands/with-loaded.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { dropping } from '#client/ui/dropping.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { mayHaveTokens, QuoteCards, TokenLayer, UploadList, WidgetCard } from './drawn-parts.ts'
import { editing } from './editing.ts'
import type { Editor } from './editor.ts'
import { LengthNote } from './length-note.tsx'
import { TextArea } from './text-area.tsx'
import { type WholeText, wholeEditorOf } from './text-editor.ts'
import { insertion, partToRemove, replacement } from './text-edits.ts'
import { blockInsertion, finished, partsOf, withBody } from './text-parts.ts'
import { useToolBar } from './tool-bar.tsx'
import type { Typeahead } from './use-typeahead.ts'
import { widgetSource } from './widget-source.ts'

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

/**
 * The text box of a message with its tool bar, suggestions and preview. Quotes at the start of the text,
 * links at its end, and a poll or list are drawn as what they will be, and only the rest is in the box.
 */
export function MessageEditor(props: MessageEditorProps) {
  const { text, editorRef, isPreview } = props
  const app = useApp()
  const area = useRef<HTMLTextAreaElement>(null)
  const preview = useRef<HTMLElement>(null)
  const listId = useId()
  const typeahead = useRef<Typeahead | undefined>(undefined)
  const kit = editing.value
  const whole = useWhole(props)
  useEditorRef(editorRef, area, whole)
  const isWidget = text !== whole.typed && (widgetSource(text)?.lines.length ?? 0) > 0
  useFocusFor(isPreview, { area, preview, onPreview: () => typeahead.current?.close() })

  function insert(added: string, isBlock = false): void {
    editorRef.current?.change((selected) =>
      isBlock ? blockInsertion(selected, added) : insertion(selected, added),
    )
  }

  function addFiles(files: Iterable<File>): void {
    void app.uploads.add([...files], (placeholder) => insert(placeholder, true))
  }

  /** Keys of the box as a whole: the preview has the focus instead of the text while it is shown. */
  function onAnyKey(event: KeyboardEvent): void {
    if (isFinishing(event)) return
    if (isWidget && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      props.onSend()
    }
    const isPreviewKey = commandOf(event, ['compose']) === 'preview'
    if (!isPreviewKey && !(isPreview && event.key === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    void withLoaded(app, editing, () => props.onPreview(!isPreview))
  }

  function mention(): void {
    editorRef.current?.change((selected) => {
      const isInWord = /\S$/.test(selected.text.slice(0, selected.start))
      return insertion(selected, isInWord ? ' @' : '@')
    })
    area.current?.focus()
    typeahead.current?.update()
  }

  const bar = useToolBar(props, { insert, addFiles, mention })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be added by a button
    <div class="editor" onKeyDown={onAnyKey} {...(!props.leavesDrops && dropping(addFiles))}>
      {kit && (
        <kit.Suggestions
          id={listId}
          area={area}
          place={props.place}
          isHidden={isPreview}
          typeahead={typeahead}
        />
      )}
      <DrawnText
        {...props}
        area={area}
        preview={preview}
        typeahead={typeahead}
        addFiles={addFiles}
        isWidget={isWidget}
        onType={whole.type}
      />
      <LengthNote text={text} isDraft={props.editedId === undefined} />
      {bar.formats}
      <div class="row tight editor-bar">
        <div class="editor-tools" role="toolbar" aria-label={t('Tools')}>
          {bar.tools}
        </div>
        <div class="row tight editor-end">{props.end}</div>
      </div>
    </div>
  )
}

interface DrawnTextProps extends MessageEditorProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly preview: RefObject<HTMLElement | null>
  readonly typeahead: RefObject<Typeahead | undefined>
  readonly addFiles: (files: Iterable<File>) => void
  /** Whether the text is drawn as a poll or list. */
  readonly isWidget: boolean
  /** Takes the text of the box. */
  readonly onType: (body: string) => void
}

/** The box, with the parts of the text that are drawn as what they will be, or the preview of it all. */
function DrawnText(props: DrawnTextProps) {
  const { text, editorRef, isPreview, isWidget, onType, area, preview } = props
  const Preview = editing.value?.Preview
  const parts = partsOf(text)
  const replace = (part: string, by: string) => {
    if (by === '') editorRef.current?.change((selected) => replacement(selected, part, by))
    // The focus stays in the field of the quote.
    else props.onText(text.replace(part, () => by))
  }
  return (
    <>
      {parts.head !== '' && !isPreview && <QuoteCards text={text} onReplace={replace} />}
      {isWidget && !isPreview && <WidgetCard text={text} onText={props.onText} />}
      <div class="editor-field" hidden={isPreview || isWidget}>
        <TextArea {...props} text={parts.body} isEmpty={text === ''} onText={onType} />
        {mayHaveTokens(parts.body) && <TokenLayer area={area} text={parts.body} />}
      </div>
      {isPreview && Preview && <Preview text={finished(text)} focusRef={preview} />}
      {/\]\(/.test(text) && (
        <UploadList text={text} onRemove={(link) => replace(partToRemove(text, link), '')} />
      )}
    </>
  )
}

/** The whole text; the box has only what is written in it. */
function useWhole({ text, onText }: MessageEditorProps) {
  const latest = useRef({ text, onText })
  latest.current = { text, onText }
  const typed = useRef<string | undefined>(undefined)
  const write = (next: string) => {
    latest.current = { ...latest.current, text: next }
    latest.current.onText(next)
  }
  return {
    read: () => latest.current.text,
    write,
    /** Takes what was typed into the box. */
    type(body: string) {
      const next = withBody(partsOf(latest.current.text), body)
      typed.current = next
      write(next)
    },
    /** The last text that someone typed: it is not drawn as something else under their hands. */
    typed: typed.current,
  }
}

function useEditorRef(
  editorRef: RefObject<Editor | undefined>,
  area: RefObject<HTMLTextAreaElement | null>,
  whole: WholeText,
): void {
  const latest = useRef(whole)
  latest.current = whole
  useLayoutEffect(() => {
    const text: WholeText = {
      read: () => latest.current.read(),
      write: (next) => latest.current.write(next),
    }
    editorRef.current = area.current ? wholeEditorOf(area.current, text) : undefined
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
