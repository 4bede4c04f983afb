import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import { type Clock, systemClock } from '#client/state/clock.ts'
import type { Conversation } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import type { Editor } from './editor.ts'
import { type StoredList, storedList } from './storage.ts'
import { apply, lineOf, replacement } from './text-edits.ts'

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
  replacePart(part: string, by: string): boolean
  /** Registers the text box on the screen. Returns a function that ends that. */
  attach(messageId: number, editor: Editor): () => void
  /** Reads what another window wrote to the storage. */
  refresh(): void
  stop(): void
}

interface StoredEdit extends UnsavedEdit {
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
  return new BrowserEdits(options)
}

class BrowserEdits implements Edits {
  readonly #options: EditsOptions
  readonly #store: Store
  readonly #clock: Clock
  readonly #stored: StoredList<StoredEdit>
  readonly #kept: Signal<readonly StoredEdit[]>
  readonly #byMessage = computed(
    () => new Map(this.#kept.value.map((edit) => [edit.messageId, edit])),
  )
  readonly openId: Signal<number | undefined>
  #attached: { readonly messageId: number; readonly editor: Editor } | undefined
  readonly stop: () => void

  constructor(options: EditsOptions) {
    this.#options = options
    const { store, storage, clock = systemClock } = options
    this.#store = store
    this.#clock = clock
    this.#stored = storedList<StoredEdit>(storage, `parley:edits:${this.#store.selfId}`)
    this.#kept = signal<readonly StoredEdit[]>(this.#stored.read())
    this.openId = signal(this.#kept.peek().findLast(({ isOpen }) => isOpen)?.messageId)
    this.stop = this.#store.onMessages((change) => {
      if (change.kind === 'restart') this.#giveUpLost()
      if (change.kind === 'deleted') this.#drop(change.ids)
    })
    this.#giveUpLost()
  }

  open(messageId: number | undefined): void {
    this.openId.value = messageId
    const isRight = (edit: StoredEdit) => edit.isOpen === (edit.messageId === messageId)
    if (this.#kept.peek().every(isRight)) return
    this.#save(this.#kept.peek().map((edit) => ({ ...edit, isOpen: edit.messageId === messageId })))
  }

  close(): void {
    this.open(undefined)
  }

  get(messageId: number): UnsavedEdit | undefined {
    return this.#byMessage.value.get(messageId)
  }

  write({ messageId, text, original }: UnsavedEdit): void {
    if (text === original) {
      this.#forget([messageId])
      return
    }
    const others = this.#kept.peek().filter((edit) => edit.messageId !== messageId)
    const isOpen = this.openId.peek() === messageId
    const conversation = this.#store.messages.peek(messageId)?.conversation
    const { dataId } = this.#store
    const edit = {
      messageId,
      text,
      original,
      isOpen,
      updatedAt: this.#clock.now(),
      conversation,
      dataId,
    }
    this.#save([...others, edit])
  }

  discard(messageId: number): void {
    this.#forget([messageId])
  }

  replacePart(part: string, by: string): boolean {
    const edit = this.#kept.peek().find(({ text }) => text.includes(part))
    if (!edit) return false
    const editor = this.#attached?.messageId === edit.messageId ? this.#attached.editor : undefined
    const { text } = edit
    const change = replacement({ text, ...selectionOf(editor) }, lineOf(text, part, by), by)
    if (!change) return false
    if (editor?.hasFocus()) editor.edit(change)
    else this.write({ ...edit, text: apply(edit.text, change) })
    return true
  }

  attach(messageId: number, editor: Editor): () => void {
    this.#attached = { messageId, editor }
    return () => {
      if (this.#attached?.editor === editor) this.#attached = undefined
    }
  }

  refresh(): void {
    this.#kept.value = this.#stored.read()
  }

  #save(next: readonly StoredEdit[]): void {
    this.#kept.value = next.toSorted((a, b) => a.updatedAt - b.updatedAt).slice(-mostKept)
    this.#stored.write(this.#kept.peek())
  }

  #forget(messageIds: readonly number[]): void {
    const rest = this.#kept.peek().filter((edit) => !messageIds.includes(edit.messageId))
    if (rest.length < this.#kept.peek().length) this.#save(rest)
  }

  /** Whether its message may be another one by now, as a backup was restored. */
  #isLost({ messageId, dataId }: StoredEdit) {
    return (
      messageId > this.#store.newestId || (dataId !== undefined && dataId !== this.#store.dataId)
    )
  }

  /** What was typed for messages that are no longer there, whose IDs others may get. */
  #giveUpLost(): void {
    const lost: number[] = []
    for (const { messageId, text, conversation } of this.#kept
      .peek()
      .filter((edit) => this.#isLost(edit))) {
      const place = this.#store.messages.peek(messageId)?.conversation ?? conversation
      if (!place) continue
      this.#options.onLost?.(place, text)
      lost.push(messageId)
    }
    this.#drop(lost)
  }

  #drop(messageIds: readonly number[]): void {
    this.#forget(messageIds)
    if (messageIds.includes(this.openId.peek() ?? 0)) this.openId.value = undefined
  }
}

function selectionOf(editor: Editor | undefined) {
  return editor?.selection() ?? { start: 0, end: 0 }
}
