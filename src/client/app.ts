import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type { Editor } from '#client/compose/editor.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import type { Api } from './api/api.ts'
import type { Drafts } from './compose/drafts.ts'
import type { Edits } from './compose/edits.ts'
import type { Outbox } from './compose/outbox.ts'
import type { Uploads } from './compose/uploads.ts'
import type { MessageList } from './lists/message-list.ts'
import type { Overlay, View } from './narrow/narrow.ts'
import type { Marking } from './state/marking.ts'
import type { Changes } from './state/optimistic.ts'
import type { Store, UpdateMachine } from './state/store.ts'
import type { ToastAction } from './ui/toast.tsx'

/** The parts that components and commands share. */
export interface App {
  readonly api: Api
  readonly store: Store
  readonly machine: UpdateMachine
  readonly router: Router
  readonly drafts: Drafts
  readonly edits: Edits
  readonly uploads: Uploads
  readonly outbox: Outbox
  readonly compose: Compose
  /** Optimistic changes. */
  readonly changes: Changes
  readonly marking: Marking
  /** The list of a narrow, which stays among the most recently used ones. */
  openList(narrow: MessageList['narrow']): MessageList
  /** The selected message of the view that is shown. */
  readonly selectedId: Signal<number | undefined>
  /** The message pane that is shown; undefined in views without messages. */
  readonly pane: Signal<Pane | undefined>
  /**
   * Shows a short message to the user for some seconds, optionally with a button. Screen readers
   * read it.
   */
  notify(text: string, kind?: 'info' | 'error', action?: ToastAction): void
  /** Ends the session of this browser. @throws Error the server could not be reached */
  logOut(): Promise<void>
}

/** The operations of keys and buttons on the message pane. */
export interface Pane {
  readonly list: MessageList
  /** Selects the message this many rows further down, or up, and scrolls to it. */
  moveSelection(by: number): void
  /** Scrolls to a message of the list, selects and focuses it. */
  select(messageId: number): void
  /** Scrolls by nearly a page, and selects a message there. */
  page(direction: 'up' | 'down'): void
  /** Goes to the first or the newest message, fetching it if need be. */
  jump(to: 'oldest' | 'newest'): void
  /** Shows only the beginning of a long message, or all of it; its row stays where it is. */
  fold(messageId: number, isFolded: boolean): void
  /** Stops marking as read until it is opened again: the user marked messages as unread. */
  hold(): void
  /** Whether the newest message of the narrow is drawn and in sight. */
  readonly isAtEnd: ReadonlySignal<boolean>
}

export interface Router {
  readonly view: ReadonlySignal<View>
  readonly overlay: ReadonlySignal<Overlay | undefined>
  /** Goes to a view or overlay by its link. `replace` leaves no entry in the history. */
  go(target: View | Overlay, options?: { readonly replace?: boolean }): void
  /** The link of a view or overlay, with its `#`. */
  href(target: View | Overlay): string
  closeOverlay(): void
}

/** The compose box. */
export interface Compose {
  readonly state: ReadonlySignal<ComposeState>
  /** Opens it for a conversation; the current text stays, as a draft of its conversation. */
  open(to: ComposeTarget, options?: { readonly text?: string; readonly focus?: boolean }): void
  /** Changes the recipient. */
  setTarget(target: ComposeTarget): void
  /** Stores the typed text. */
  setText(text: string): void
  /** Inserts text at the caret, or as a block of its own, where such a block is drawn. */
  insert(text: string, options?: { readonly isBlock?: boolean }): void
  /** Replaces a part of the text that is shown. False if the text does not contain it. */
  replacePart(part: string, by: string): boolean
  /** Empties the box: its text is in the outbox now, which keeps its draft until it is sent. */
  sent(localId: string): void
  /** Closes the box; its text stays, as a draft. */
  close(): void
  /** Closes the box without keeping its text: it was scheduled or thrown away. */
  discard(): void
  /** Registers the text box that is on the screen. Returns a function that ends that. */
  attach(editor: Editor): () => void
}

export interface ComposeState {
  readonly isOpen: boolean
  readonly target: ComposeTarget
  readonly text: string
}
