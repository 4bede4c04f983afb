import { batch, effect, signal, untracked } from '@preact/signals-core'
import type { Compose, ComposeState } from '#client/app.ts'
import { type ComposeTarget, conversationOf, isSameTarget } from '#client/state/compose-target.ts'
import type { Store } from '#client/state/store.ts'
import type { Drafts } from './drafts.ts'
import type { Editor } from './editor.ts'
import { apply, insertion, replacement } from './text-edits.ts'

const nowhere: ComposeTarget = { kind: 'topic', channelId: undefined, topic: '' }

/** The state of the compose box. Every change of its text is a draft at once. */
export function createCompose(store: Store, drafts: Drafts): Compose {
  const state = signal<ComposeState>({ isOpen: false, target: nowhere, text: '' })
  /** The draft of the current text. */
  let draftKey: string | undefined
  let editor: Editor | undefined
  let wantsFocus = false

  function change(next: Partial<ComposeState>): void {
    state.value = { ...state.peek(), ...next }
  }

  function setText(text: string): void {
    batch(() => {
      change({ text })
      draftKey = drafts.write(draftKey, state.peek().target, text)
    })
  }

  /** Shows the draft of a target, if any. */
  function load(target: ComposeTarget): void {
    const draft = drafts.find(target)
    draftKey = draft?.key
    change({ isOpen: true, target, text: draft?.content ?? '' })
  }

  /** Begins another draft, unless one has exactly this text. */
  function begin(target: ComposeTarget, text: string): void {
    const isIt = (draft: { target: ComposeTarget; content: string }) =>
      draft.content === text && isSameTarget(draft.target, target)
    draftKey = drafts.all.peek().find(isIt)?.key
    change({ isOpen: true, target })
    setText(text)
  }

  function focus(): void {
    // The box may be drawn only after this.
    if (editor) editor.focus()
    else wantsFocus = true
  }

  // Changes of the draft by another browser of the user, or by the outbox.
  effect(() => {
    const all = drafts.all.value
    untracked(() => {
      const { isOpen, target, text } = state.peek()
      if (!isOpen) return
      const draft = draftKey === undefined ? undefined : all.find(({ key }) => key === draftKey)
      if (draft && (draft.content !== text || !isSameTarget(draft.target, target))) {
        change({ text: draft.content, target: draft.target })
      } else if (!draft && draftKey !== undefined) {
        draftKey = undefined
        change({ text: '' })
      } else if (!draft && text === '') load(target)
    })
  })
  store.onMessages((moved) => {
    if (moved.kind !== 'moved' || !moved.isWhole) return
    if (isSameTarget(state.peek().target, moved.from)) change({ target: moved.to })
  })

  return {
    state,
    setText,
    open(asked, { text, focus: takesFocus = true } = {}) {
      const target = ordered(asked)
      const before = state.peek()
      batch(() => {
        if (text !== undefined) begin(target, text)
        else if (!before.isOpen || !isSameTarget(before.target, target)) load(target)
      })
      // If the target is still to be chosen, its first field takes the focus.
      if (takesFocus && conversationOf(target)) focus()
    },
    setTarget(asked) {
      const target = ordered(asked)
      const { target: before, text } = state.peek()
      if (text === '') load(target)
      else {
        batch(() => {
          change({ target })
          draftKey = drafts.write(draftKey, target, text)
        })
      }
      // A topic that differs in case only is another text in its field.
      if (isSameTarget(before, target)) change({ target })
    },
    insert(text, { isBlock = false } = {}) {
      const before = state.peek().text
      const { start, end } = editor?.selection() ?? { start: before.length, end: before.length }
      const edit = insertion({ text: before, start, end }, text, isBlock)
      if (editor) editor.edit(edit)
      else setText(apply(before, edit))
      focus()
    },
    replace(part, by) {
      const { text } = state.peek()
      const selection = editor?.selection() ?? { start: text.length, end: text.length }
      const edit = replacement({ text, ...selection }, part, by)
      if (!edit) return false
      if (editor?.hasFocus()) editor.edit(edit)
      else setText(apply(text, edit))
      return true
    },
    sent(localId) {
      const key = draftKey
      draftKey = undefined
      batch(() => {
        change({ text: '' })
        if (key !== undefined) drafts.send(key, localId)
      })
    },
    close() {
      draftKey = undefined
      change({ isOpen: false, text: '' })
    },
    discard() {
      batch(() => {
        setText('')
        change({ isOpen: false })
      })
    },
    attach(next) {
      editor = next
      if (wantsFocus) next.focus()
      wantsFocus = false
      return () => {
        if (editor === next) editor = undefined
      }
    },
  }
}

/** People in the order of conversation names. */
function ordered(target: ComposeTarget): ComposeTarget {
  if (target.kind === 'topic') return target
  return { ...target, userIds: [...new Set(target.userIds)].sort((a, b) => a - b) }
}
