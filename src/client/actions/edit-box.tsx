import { Check, Eye, EyeClosed } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CallError } from '#client/api/api.ts'
import type { App, Editor } from '#client/app.ts'
import { apply, insertion } from '#client/compose/formatting.ts'
import { MessageEditor } from '#client/compose/message-editor.tsx'
import { sourceOf } from '#client/compose/quoting.ts'
import { createUploads } from '#client/compose/uploads.tsx'
import type { Message } from '#client/state/model.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
import { attempt, problemOf } from './attempt.ts'
import { stopEditing, unsavedEdits } from './editing.ts'
import { secondsLeft } from './permissions.ts'

/** Edits a message in its place, in the same box in which messages are written. */
export function EditBox({ message }: { readonly message: Message }) {
  const app = useApp()
  const [source, setSource] = useState(unsavedEdits.get(message.id))
  useEffect(() => {
    if (source) return
    void attempt(app, sourceOf(app, message.id)).then((text) => {
      if (text === undefined) stopEditing()
      else setSource({ text, original: text })
    })
  }, [app, message.id])
  if (!source) return <div class="edit-box" aria-busy="true" />
  return <LoadedEditBox message={message} {...source} />
}

interface LoadedEditBoxProps {
  readonly message: Message
  readonly text: string
  /** What the server had when the edit began: it refuses to overwrite anything else. */
  readonly original: string
}

function LoadedEditBox({ message, text: initial, original }: LoadedEditBoxProps) {
  const app = useApp()
  const [text, setText] = useState(initial)
  const [isBusy, setBusy] = useState(false)
  const [isPreview, setPreview] = useState(false)
  const editor = useRef<Editor | undefined>(undefined)
  const latest = useRef(text)
  latest.current = text

  function change(next: string): void {
    latest.current = next
    setText(next)
    if (next === original) unsavedEdits.delete(message.id)
    else unsavedEdits.set(message.id, { text: next, original })
  }

  const uploads = useMemo(
    () =>
      createUploads(app, {
        insert(added) {
          const current = editor.current
          const value = latest.current
          const at = current?.selection() ?? { start: value.length, end: value.length }
          const edit = insertion({ text: value, ...at }, added, true)
          if (current) current.edit(edit)
          else change(apply(value, edit))
        },
        replace: (from, by) => change(latest.current.replace(from, () => by)),
      }),
    [app],
  )

  useEffect(() => {
    const current = editor.current
    current?.edit({ from: 0, to: 0, insert: '', start: initial.length, end: initial.length })
  }, [])

  function close(): void {
    unsavedEdits.delete(message.id)
    stopEditing()
    focusRow(message.id)
  }

  async function save(): Promise<void> {
    if (isBusy || uploads.list.peek().length > 0) return
    const content = latest.current.trimEnd()
    if (content === original) return close()
    setBusy(true)
    try {
      await app.api.patch(`/messages/${message.id}`, {
        content,
        prev_content_sha256: await sha256(original),
      })
      close()
    } catch (error) {
      setBusy(false)
      const isConflict = error instanceof CallError && error.code === 'EXPECTATION_MISMATCH'
      app.notify(
        isConflict
          ? t('The message was changed elsewhere meanwhile. Copy your text and edit it again.')
          : problemOf(error),
        'error',
      )
    }
  }

  return (
    <div class="edit-box">
      <MessageEditor
        label={t('Edit message')}
        text={text}
        onText={change}
        place={message.conversation}
        uploads={uploads}
        isPreview={isPreview}
        onSend={() => void save()}
        onEscape={close}
        editorRef={editor}
        tools={
          <IconButton
            label={isPreview ? t('Write') : t('Preview')}
            icon={isPreview ? EyeClosed : Eye}
            aria-pressed={isPreview}
            onClick={() => setPreview(!isPreview)}
          />
        }
        end={
          <>
            <TimeLeft app={app} message={message} />
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" icon={Check} isBusy={isBusy} onClick={() => void save()}>
              {t('Save')}
            </Button>
          </>
        }
      />
    </div>
  )
}

/** How long the message can still be edited. */
function TimeLeft({ app, message }: { readonly app: App; readonly message: Message }) {
  const limit = app.store.realm.value.realm_message_content_edit_limit_seconds
  const [left, setLeft] = useState(() => secondsLeft(app.store, message, limit))
  useEffect(() => {
    if (limit === null) return
    const timer = setInterval(() => setLeft(secondsLeft(app.store, message, limit)), 1000)
    return () => clearInterval(timer)
  }, [app, message, limit])
  if (limit === null || left > 86_400) return null
  const seconds = Math.max(0, Math.floor(left))
  const rest = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span class="time-left" title={t('Time left for editing')}>
      {rest}
    </span>
  )
}

function focusRow(messageId: number): void {
  // After the box has given its place to the message again.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`)?.focus(),
  )
}

async function sha256(text: string): Promise<string | undefined> {
  // Only pages over HTTPS or from this machine have it; the server takes edits without, too.
  if (!globalThis.crypto.subtle) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
