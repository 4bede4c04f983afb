import { batch, effect, signal, untracked } from '@preact/signals-core'
import type { Compose, ComposeState } from '#client/app.ts'
import { type ComposeTarget, conversationOf, isSameTarget } from '#client/state/compose-target.ts'
import type { Store } from '#client/state/store.ts'
import type { Drafts } from './drafts.ts'
import type { Editor } from './editor.ts'
import { apply, insertion, lineOf, replacement } from './text-edits.ts'
import { blockInsertion } from './text-parts.ts'

const nowhere: ComposeTarget = { kind: 'topic', channelId: undefined, topic: '' }

/**
 * The state of the compose box. Every change of its text is a draft immediately.
 *
 * @param onAwaited called when the box gets the focus as soon as it is drawn
 */
export function createCompose(store: Store, drafts: Drafts, onAwaited = () => {}): Compose {
  return new MessageCompose(store, drafts, onAwaited)
}

class MessageCompose implements Compose {
  readonly #drafts: Drafts
  readonly #onAwaited: () => void
  readonly state = signal<ComposeState>({ isOpen: false, target: nowhere, text: '' })
  /** The draft of the current text. */
  #draftKey: string | undefined
  #editor: Editor | undefined
  #wantsFocus = false

  constructor(store: Store, drafts: Drafts, onAwaited: () => void) {
    this.#drafts = drafts
    this.#onAwaited = onAwaited
    // Changes of the draft by another browser of the user, or by the outbox.
    effect(() => {
      const all = this.#drafts.all.value
      untracked(() => {
        const { isOpen, target, text } = this.state.peek()
        if (!isOpen) return
        const draft =
          this.#draftKey === undefined ? undefined : all.find(({ key }) => key === this.#draftKey)
        if (draft && (draft.content !== text || !isSameTarget(draft.target, target))) {
          this.#change({ text: draft.content, target: draft.target })
        } else if (!draft && this.#draftKey !== undefined) {
          this.#draftKey = undefined
          this.#change({ text: '' })
        } else if (!draft && text === '') this.#load(target)
      })
    })
    store.onMessages((moved) => {
      if (moved.kind !== 'moved' || !moved.isWhole) return
      if (isSameTarget(this.state.peek().target, moved.from)) this.#change({ target: moved.to })
    })
  }

  setText(text: string): void {
    batch(() => {
      this.#change({ text })
      this.#draftKey = this.#drafts.write(this.#draftKey, this.state.peek().target, text)
    })
  }

  open(
    asked: ComposeTarget,
    { text, focus: takesFocus = true }: { readonly text?: string; readonly focus?: boolean } = {},
  ): void {
    const target = ordered(asked)
    const before = this.state.peek()
    batch(() => {
      if (text !== undefined) this.#begin(target, text)
      else if (!before.isOpen || !isSameTarget(before.target, target)) this.#load(target)
    })
    // If the target is still to be chosen, its first field takes the focus.
    if (takesFocus && conversationOf(target)) this.#focus()
  }

  readonly setTarget = (asked: ComposeTarget): void => {
    const target = ordered(asked)
    const { target: before, text } = this.state.peek()
    if (text === '') this.#load(target)
    else {
      batch(() => {
        this.#change({ target })
        this.#draftKey = this.#drafts.write(this.#draftKey, target, text)
      })
    }
    // A topic that differs in case only is another text in its field.
    if (isSameTarget(before, target)) this.#change({ target })
  }

  insert(text: string, { isBlock = false }: { readonly isBlock?: boolean } = {}): void {
    const before = this.state.peek().text
    const { start, end } = this.#editor?.selection() ?? { start: before.length, end: before.length }
    const selected = { text: before, start, end }
    const edit = isBlock ? blockInsertion(selected, text) : insertion(selected, text)
    if (this.#editor) this.#editor.edit(edit)
    else this.setText(apply(before, edit))
    this.#focus()
  }

  replacePart(part: string, by: string): boolean {
    const { text } = this.state.peek()
    const selection = this.#editor?.selection() ?? { start: text.length, end: text.length }
    const edit = replacement({ text, ...selection }, lineOf(text, part, by), by)
    if (!edit) return false
    if (this.#editor?.hasFocus()) this.#editor.edit(edit)
    else this.setText(apply(text, edit))
    return true
  }

  sent(localId: string): void {
    const key = this.#draftKey
    this.#draftKey = undefined
    batch(() => {
      this.#change({ text: '' })
      if (key !== undefined) this.#drafts.send(key, localId)
    })
  }

  close(): void {
    this.#draftKey = undefined
    this.#change({ isOpen: false, text: '' })
  }

  discard(): void {
    batch(() => {
      this.setText('')
      this.#change({ isOpen: false })
    })
  }

  attach(next: Editor): () => void {
    this.#editor = next
    if (this.#wantsFocus) next.focus()
    this.#wantsFocus = false
    return () => {
      if (this.#editor === next) this.#editor = undefined
    }
  }

  #change(next: Partial<ComposeState>): void {
    this.state.value = { ...this.state.peek(), ...next }
  }

  /** Shows the draft of a target, if any. */
  #load(target: ComposeTarget): void {
    const draft = this.#drafts.find(target)
    this.#draftKey = draft?.key
    this.#change({ isOpen: true, target, text: draft?.content ?? '' })
  }

  /** Begins another draft, unless one has exactly this text. */
  #begin(target: ComposeTarget, text: string): void {
    const isIt = (draft: { target: ComposeTarget; content: string }) =>
      draft.content === text && isSameTarget(draft.target, target)
    this.#draftKey = this.#drafts.all.peek().find(isIt)?.key
    this.#change({ isOpen: true, target })
    this.setText(text)
  }

  #focus(): void {
    // The box may be drawn only after this.
    if (this.#editor) this.#editor.focus()
    else {
      this.#wantsFocus = true
      this.#onAwaited()
    }
  }
}

/** People in the order of conversation names. */
function ordered(target: ComposeTarget): ComposeTarget {
  if (target.kind === 'topic') return target
  return { ...target, userIds: [...new Set(target.userIds)].sort((a, b) => a - b) }
}
