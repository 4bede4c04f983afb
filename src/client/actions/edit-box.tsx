import { Check } from 'lucide'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CallError } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt, problemOf } from '#client/commands/attempt.ts'
import { secondsLeft } from '#client/commands/permissions.ts'
import { sourceOf } from '#client/commands/quoting.ts'
import type { Editor } from '#client/compose/editor.ts'
import { MessageEditor } from '#client/compose/message-editor.tsx'
import { contentProblem } from '#client/compose/send.ts'
import { finished } from '#client/compose/text-parts.ts'
import { createTypingSender, typingEdit } from '#client/compose/typing-sender.ts'
import type { Message } from '#client/state/model.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** Edits a message in its place, in the same box in which messages are written. */
export function EditBox({ message }: { readonly message: Message }) {
  const app = useApp()
  const kept = app.edits.get(message.id)
  const [source, setSource] = useState(kept?.original)
  useEffect(() => {
    if (source !== undefined) return
    void attempt(app, sourceOf(app, message.id)).then((text) => {
      if (text === undefined) app.edits.close()
      else setSource(text)
    })
  }, [app, message.id])
  if (source === undefined) return <div class="edit-box" aria-busy="true" />
  return <LoadedEditBox message={message} original={source} text={kept?.text ?? source} />
}

interface LoadedEditBoxProps {
  readonly message: Message
  readonly text: string
  /** The server's text when the edit began: the server refuses to overwrite anything else. */
  readonly original: string
}

function LoadedEditBox({ message, text, original }: LoadedEditBoxProps) {
  const app = useApp()
  const { edits, uploads } = app
  const [isBusy, setBusy] = useState(false)
  const [isPreview, setPreview] = useState(false)
  const editor = useRef<Editor | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const typing = useMemo(() => createTypingSender(app), [app])
  const place = useMemo(() => typingEdit(message), [message.id, message.conversation.kind])

  // At once: the next key is for the text.
  useLayoutEffect(() => {
    const { current } = editor
    current?.edit({ from: 0, to: 0, insert: '', start: text.length, end: text.length })
    // Focusing does not scroll; the box may reach below the pane.
    box.current?.scrollIntoView({ block: 'nearest' })
    return current && edits.attach(message.id, current)
  }, [edits, message.id])
  useEffect(() => () => typing.stop(), [typing])

  function change(next: string): void {
    edits.write({ messageId: message.id, text: next, original })
    if (next === original) typing.stop()
    else typing.typed(place)
  }

  /** The changed text is kept: the message shows a note, and its box opens with it. */
  function leave(): void {
    edits.close()
    focusRow(message.id)
  }

  function close(): void {
    edits.discard(message.id)
    leave()
  }

  async function save(): Promise<void> {
    if (isBusy || uploads.within(text).length > 0) return
    const content = finished(text)
    if (content === original) return close()
    const problem = contentProblem(app.store, content)
    if (problem) return app.notify(problem, 'error')
    setBusy(true)
    try {
      const prev_content_sha256 = await sha256(original)
      await app.api.patch(`/messages/${message.id}`, { content, prev_content_sha256 })
      close()
    } catch (error) {
      setBusy(false)
      app.notify(saveProblem(error), 'error')
    }
  }

  return (
    <div ref={box} class="edit-box">
      <MessageEditor
        label={t('Edit message')}
        text={text}
        onText={change}
        place={message.conversation}
        editedId={message.id}
        isPreview={isPreview}
        onPreview={setPreview}
        onSend={() => void save()}
        onEscape={leave}
        editorRef={editor}
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

function saveProblem(error: unknown): string {
  const isConflict = error instanceof CallError && error.code === 'EXPECTATION_MISMATCH'
  return isConflict
    ? t('The message was changed elsewhere in the meantime. Copy your text and edit it again.')
    : problemOf(error)
}

/** How long the message can still be edited. */
function TimeLeft({ app, message }: { readonly app: App; readonly message: Message }) {
  const limit = app.store.realm.value.realm_message_content_edit_limit_seconds
  const [left, setLeft] = useState(() => secondsLeft(message, limit))
  useEffect(() => {
    if (limit === null) return
    const timer = setInterval(() => setLeft(secondsLeft(message, limit)), 1000)
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
  // After the message has replaced the box again.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`)?.focus(),
  )
}

async function sha256(text: string): Promise<string | undefined> {
  // Only pages over HTTPS or from this machine have it; the server takes edits without as well.
  if (!globalThis.crypto.subtle) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
