import { batch, signal } from '@preact/signals-core'
import type { Compose, ComposeState, ComposeTarget, Editor } from '#client/app.ts'
import { apply, insertion } from './formatting.ts'

/** Where the texts of the compose box are kept, by where they go. */
export interface ComposeDrafts {
  /** The text that was left there; undefined where there is none. */
  textFor(target: ComposeTarget): string | undefined
  /** Keeps a text, or forgets it where it is empty. Called at every keystroke. */
  keep(target: ComposeTarget, text: string): void
  /** Moves what is kept to another target, which the user chose instead. */
  move(from: ComposeTarget, to: ComposeTarget): void
}

const nowhere: ComposeTarget = { kind: 'topic', channelId: undefined, topic: '' }

/** The state of the compose box. Every change of its text is a draft at once. */
export function createCompose(drafts: ComposeDrafts): Compose {
  const state = signal<ComposeState>({ isOpen: false, target: nowhere, text: '' })
  let editor: Editor | undefined
  let wantsFocus = false

  function change(next: Partial<ComposeState>): void {
    state.value = { ...state.peek(), ...next }
  }

  function setText(text: string): void {
    change({ text })
    drafts.keep(state.peek().target, text)
  }

  function focus(): void {
    // The box may be drawn only after this.
    if (editor) editor.focus()
    else wantsFocus = true
  }

  return {
    state,
    setText,
    open(target, { text, focus: takesFocus = true } = {}) {
      const before = state.peek()
      const stays = before.isOpen && sameTarget(before.target, target)
      batch(() => {
        if (!stays) change({ isOpen: true, target, text: drafts.textFor(target) ?? '' })
        if (text !== undefined) setText(text)
      })
      if (takesFocus) focus()
    },
    setTarget(target) {
      const { target: before, text } = state.peek()
      if (sameTarget(before, target)) return
      if (text !== '') drafts.move(before, target)
      const kept = text === '' ? drafts.textFor(target) : undefined
      change({ target, text: kept ?? text })
    },
    insert(text, { isBlock = false } = {}) {
      const before = state.peek().text
      const { start, end } = editor?.selection() ?? { start: before.length, end: before.length }
      const edit = insertion({ text: before, start, end }, text, isBlock)
      if (editor) editor.edit(edit)
      else setText(apply(before, edit))
      focus()
    },
    close() {
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

/** Whether two targets are the same; topics that differ in case only are. */
export function sameTarget(a: ComposeTarget, b: ComposeTarget): boolean {
  if (a.kind === 'direct') {
    return b.kind === 'direct' && [...a.userIds].sort().join() === [...b.userIds].sort().join()
  }
  if (b.kind === 'direct' || a.channelId !== b.channelId) return false
  return a.topic.toLowerCase() === b.topic.toLowerCase()
}
