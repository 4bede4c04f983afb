import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import { type Clock, systemClock } from '#client/state/clock.ts'
import type { Conversation } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import type { Editor } from './editor.ts'
import { storedList } from './storage.ts'
import { apply, replacement } from './text-edits.ts'

/** The changed text of a message that is not saved yet. */
export interface UnsavedEdit {
  readonly messageId: number
  /** Markdown. */
  readonly text: string
  /** The server's text when the edit began: the server refuses to overwrite anything else. */
  readonly original: string
}

/** Edits of messages in their place, kept in this browser at every keystroke until they are saved. */
export interface Edits {
  /** The message whose edit box is open. */
  readonly openId: ReadonlySignal<number | undefined>
  open(messageId: number): void
  /** Closes the box; a changed text is kept. */
  close(): void
  /** The kept text of a message. Reading it subscribes. */
  get(messageId: number): UnsavedEdit | undefined
  /** Keeps a text, unless it is as it was. */
  write(edit: UnsavedEdit): void
  /** Removes the changed text: it was saved, or is not wanted. */
  discard(messageId: number): void
  /** Replaces a part in the kept text that contains it. False if none does. */
  replace(part: string, by: string): boolean
  /** Registers the text box on the screen. Returns a function that ends that. */
  attach(messageId: number, editor: Editor): () => void
  /** Reads what another window wrote to the storage. */
  refresh(): void
  stop(): void
}

interface Kept extends UnsavedEdit {
  /** Whether its box is open, so that a reload opens it again. */
  readonly isOpen: boolean
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
  /** Where the message is, if that is known. */
  readonly conversation?: Conversation | undefined
  /** `dataId` of the store. */
  readonly dataId?: string | null
}

/** Beyond this number, the oldest are dropped. */
const mostKept = 50

export interface EditsOptions {
  readonly store: Store
  readonly storage: KeyValues
  readonly clock?: Clock
  /** Takes what was typed for a message that a server lost to which a backup was restored. */
  readonly onLost?: (conversation: Conversation, text: string) => void
}

export function createEdits(options: EditsOptions): Edits {
  const { store, storage, clock = systemClock } = options
  const stored = storedList<Kept>(storage, `parley:edits:${store.selfId}`)
  const kept = signal<readonly Kept[]>(stored.read())
  const byMessage = computed(() => new Map(kept.value.map((edit) => [edit.messageId, edit])))
  const openId = signal(kept.peek().findLast(({ isOpen }) => isOpen)?.messageId)
  let attached: { readonly messageId: number; readonly editor: Editor } | undefined

  function save(next: readonly Kept[]): void {
    kept.value = next.toSorted((a, b) => a.updatedAt - b.updatedAt).slice(-mostKept)
    stored.write(kept.peek())
  }

  function show(messageId: number | undefined): void {
    openId.value = messageId
    const isRight = (edit: Kept) => edit.isOpen === (edit.messageId === messageId)
    if (kept.peek().every(isRight)) return
    save(kept.peek().map((edit) => ({ ...edit, isOpen: edit.messageId === messageId })))
  }

  function forget(messageIds: readonly number[]): void {
    const rest = kept.peek().filter((edit) => !messageIds.includes(edit.messageId))
    if (rest.length < kept.peek().length) save(rest)
  }

  function write({ messageId, text, original }: UnsavedEdit): void {
    if (text === original) {
      forget([messageId])
      return
    }
    const others = kept.peek().filter((edit) => edit.messageId !== messageId)
    const isOpen = openId.peek() === messageId
    const conversation = store.messages.peek(messageId)?.conversation
    const { dataId } = store
    const edit = { messageId, text, original, isOpen, updatedAt: clock.now(), conversation, dataId }
    save([...others, edit])
  }

  /** Whether its message may be another one by now, as a backup was restored. */
  const isLost = ({ messageId, dataId }: Kept) =>
    messageId > store.newestId || (dataId !== undefined && dataId !== store.dataId)

  /** What was typed for messages that are no longer there, whose IDs others may get. */
  function giveUpLost(): void {
    const lost: number[] = []
    for (const { messageId, text, conversation } of kept.peek().filter(isLost)) {
      const place = store.messages.peek(messageId)?.conversation ?? conversation
      if (!place) continue
      options.onLost?.(place, text)
      lost.push(messageId)
    }
    drop(lost)
  }

  function drop(messageIds: readonly number[]): void {
    forget(messageIds)
    if (messageIds.includes(openId.peek() ?? 0)) openId.value = undefined
  }

  const stopListening = store.onMessages((change) => {
    if (change.kind === 'restart') giveUpLost()
    if (change.kind === 'deleted') drop(change.ids)
  })

  giveUpLost()

  return {
    openId,
    open: show,
    close: () => show(undefined),
    get: (messageId) => byMessage.value.get(messageId),
    write,
    discard: (messageId) => forget([messageId]),
    replace(part, by) {
      const edit = kept.peek().find(({ text }) => text.includes(part))
      if (!edit) return false
      const editor = attached?.messageId === edit.messageId ? attached.editor : undefined
      const change = replacement({ text: edit.text, ...selectionOf(editor) }, part, by)
      if (!change) return false
      if (editor?.hasFocus()) editor.edit(change)
      else write({ ...edit, text: apply(edit.text, change) })
      return true
    },
    attach(messageId, editor) {
      attached = { messageId, editor }
      return () => {
        if (attached?.editor === editor) attached = undefined
      }
    },
    refresh() {
      kept.value = stored.read()
    },
    stop: stopListening,
  }
}

function selectionOf(editor: Editor | undefined) {
  return editor?.selection() ?? { start: 0, end: 0 }
}
