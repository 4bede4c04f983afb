import {
  Bold,
  Code,
  Eye,
  EyeClosed,
  EyeOff,
  Italic,
  Link,
  List,
  ListOrdered,
  Paperclip,
  Sigma,
  SmilePlus,
  Strikethrough,
  TextQuote,
} from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { ComposeTarget, Editor } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { IconNode } from '#client/ui/icon.tsx'
import { pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { type Text, text } from '#translations/translate.ts'
import { partToRemove } from './attached-files.ts'
import { continueList, type Format, format } from './formatting.ts'
import { Preview } from './preview.tsx'
import { optionId, SuggestionList } from './suggestion-list.tsx'
import { editorOf } from './text-editor.ts'
import { insertion, replacement } from './text-edits.ts'
import { UploadList } from './upload-list.tsx'
import { useTypeahead } from './use-typeahead.ts'

const quoteIcon = pointing(TextQuote)
const bulletsIcon = pointing(List)

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
  /** Further buttons of the tool bar, and the content at its end. */
  readonly tools?: ComponentChildren
  readonly end: ComponentChildren
  readonly onFocus?: () => void
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

  useLayoutEffect(() => {
    editorRef.current = area.current ? editorOf(area.current) : undefined
    return () => {
      editorRef.current = undefined
    }
  }, [editorRef])

  const wasPreview = useRef(isPreview)
  // At once: the next key is for what has the focus.
  useLayoutEffect(() => {
    if (wasPreview.current === isPreview) return
    wasPreview.current = isPreview
    if (isPreview) {
      typeahead.close()
      // The text box hides, and keys go to what has the focus.
      preview.current?.focus()
    } else area.current?.focus()
  }, [isPreview])

  function edit(kind: Format): void {
    const editor = editorRef.current
    if (editor)
      editor.edit(format({ text: area.current?.value ?? '', ...editor.selection() }, kind))
  }

  function insert(added: string, isBlock = false): void {
    const editor = editorRef.current
    const value = area.current?.value ?? ''
    editor?.edit(insertion({ text: value, ...editor.selection() }, added, isBlock))
  }

  /** Takes the link to a file out of the text, as deleting it would. */
  function takeOut(source: string): void {
    const editor = editorRef.current
    const value = area.current?.value ?? ''
    if (!editor) return
    const part = partToRemove(value, source)
    const edited = replacement({ text: value, ...editor.selection() }, part, '')
    if (edited) editor.edit(edited)
  }

  function addFiles(files: Iterable<File>): void {
    void app.uploads.add([...files], (placeholder) => insert(placeholder, true))
  }

  /** Keys of the box as a whole: the preview has the focus instead of the text while it is shown. */
  function onAnyKey(event: KeyboardEvent): void {
    const isPreviewKey = event.altKey && event.code === 'KeyP'
    if (!isPreviewKey && !(isPreview && event.key === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    props.onPreview(!isPreview)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isChoice = !hasModifier(event) && !event.shiftKey
    if (isChoice && typeahead.press(event.key)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const kind = formatOf(event)
    if (kind) {
      event.preventDefault()
      edit(kind)
    } else if (event.key === 'Enter') onEnter(event)
    else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      props.onEscape()
    } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowUp') && text === '') {
      if (!props.onEditLast || event.shiftKey || hasModifier(event)) return
      event.preventDefault()
      props.onEditLast()
    }
  }

  function onEnter(event: KeyboardEvent): void {
    const entersSend = app.store.settings.peek().enter_sends
    const isCtrl = event.ctrlKey || event.metaKey
    if (event.altKey) return
    // On touch screens Enter is the only way to a new line.
    const isSendKey = isCtrl || (entersSend && !matchMedia('(pointer: coarse)').matches)
    const sends = isSendKey && !event.shiftKey
    if (sends) {
      event.preventDefault()
      props.onSend()
      return
    }
    const editor = editorRef.current
    const next = editor && continueList({ text, ...editor.selection() })
    if (!editor || !next) return
    event.preventDefault()
    editor.edit(next)
  }

  function onPaste(event: ClipboardEvent): void {
    const data = event.clipboardData
    if (!data) return
    const html = data.getData('text/html')
    const plain = data.getData('text/plain')
    if (data.files.length > 0 && plain === '') {
      event.preventDefault()
      addFiles(data.files)
      return
    }
    const selection = editorRef.current?.selection()
    if (isUrl(plain) && selection && selection.start !== selection.end) {
      event.preventDefault()
      pasteLink(plain)
    } else if (html !== '') {
      event.preventDefault()
      void pasteHtml(html, plain)
    }
  }

  /** Makes the selected text a link, as in other editors. */
  function pasteLink(url: string): void {
    const editor = editorRef.current
    if (!editor) return
    const { start, end } = editor.selection()
    const label = text.slice(start, end)
    const insert = isUrl(label) ? url : `[${label}](${url})`
    const at = start + insert.length
    editor.edit({ from: start, to: end, insert, start: at, end: at })
  }

  async function pasteHtml(html: string, plain: string): Promise<void> {
    let markdown: string | undefined
    try {
      const { htmlToMarkdown } = await import('./html-to-markdown.ts')
      markdown = htmlToMarkdown(html, plain)
    } catch {
      // Without the converter, the plain text is pasted.
    }
    insert(markdown ?? plain)
  }

  const { items, selected } = typeahead
  const isOffering = items.length > 0 && !isPreview
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be added by a button
    <div
      class="editor"
      onKeyDown={onAnyKey}
      onDragOver={(event) => {
        if (props.leavesDrops) return
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => {
        const files = event.dataTransfer?.files
        if (props.leavesDrops || !files || files.length === 0) return
        event.preventDefault()
        addFiles(files)
      }}
    >
      {isOffering && (
        <SuggestionList
          id={listId}
          label={t('Suggestions')}
          items={items}
          selected={selected}
          onPick={typeahead.pick}
        />
      )}
      <textarea
        ref={area}
        class="editor-text"
        aria-label={props.label}
        placeholder={props.placeholder}
        rows={1}
        hidden={isPreview}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={isOffering ? listId : undefined}
        aria-activedescendant={isOffering ? optionId(listId, selected) : undefined}
        enterkeyhint="enter"
        value={text}
        onInput={(event) => {
          props.onText(event.currentTarget.value)
          typeahead.update()
        }}
        onClick={typeahead.update}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => {
          if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') typeahead.update()
        }}
        onPaste={onPaste}
        onFocus={props.onFocus}
        onBlur={typeahead.close}
      />
      {isPreview && <Preview text={text} focusRef={preview} />}
      <UploadList text={text} onRemove={takeOut} />
      <div class="editor-bar">
        <div class="editor-tools" role="toolbar" aria-label={t('Formatting')}>
          <FileButton onFiles={addFiles} />
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
            label={isPreview ? t('Write') : t('Preview')}
            hint={`${t('Preview')} (Alt+P)`}
            icon={isPreview ? EyeClosed : Eye}
            aria-pressed={isPreview}
            onClick={() => props.onPreview(!isPreview)}
          />
          {props.tools}
          <span class="editor-formats">
            {formatButtons.map(({ kind, label, icon, hint }) => (
              <IconButton
                key={kind}
                label={t(label)}
                icon={icon}
                size={16}
                hint={hint ? `${t(label)} (${hint})` : t(label)}
                disabled={isPreview}
                onClick={() => edit(kind)}
              />
            ))}
          </span>
        </div>
        <div class="editor-end">{props.end}</div>
      </div>
    </div>
  )
}

const formatButtons: readonly {
  readonly kind: Format
  readonly label: Text
  readonly icon: IconNode
  readonly hint?: string
}[] = [
  { kind: 'bold', label: text('Bold'), icon: Bold, hint: 'Ctrl+B' },
  { kind: 'italic', label: text('Italic'), icon: Italic, hint: 'Ctrl+I' },
  { kind: 'strikethrough', label: text('Strikethrough'), icon: Strikethrough },
  { kind: 'link', label: text('Link'), icon: Link, hint: 'Ctrl+Shift+L' },
  { kind: 'code', label: text('Code'), icon: Code, hint: 'Ctrl+Shift+C' },
  { kind: 'quote', label: text('Quotation'), icon: quoteIcon },
  { kind: 'bullets', label: text('Bulleted list'), icon: bulletsIcon },
  { kind: 'numbers', label: text('Numbered list'), icon: ListOrdered },
  { kind: 'spoiler', label: text('Spoiler'), icon: EyeOff },
  { kind: 'math', label: text('Formula'), icon: Sigma },
]

function FileButton({ onFiles }: { readonly onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={t('Attach files')}
        icon={Paperclip}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const { files } = event.currentTarget
          // Emptying the field empties its list as well.
          if (files) onFiles([...files])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

function formatOf(event: KeyboardEvent): Format | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined
  const key = event.key.toLowerCase()
  if (!event.shiftKey) return key === 'b' ? 'bold' : key === 'i' ? 'italic' : undefined
  return key === 'l' ? 'link' : key === 'c' ? 'code' : undefined
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text.trim())
}
