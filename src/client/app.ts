import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type { Api } from './api/api.ts'
import type { Outbox } from './compose/outbox.ts'
import type { MessageList } from './lists/message-list.ts'
import type { Overlay, View } from './narrow/narrow.ts'
import type { Conversation } from './state/model.ts'
import type { Store, UpdateMachine } from './state/store.ts'

/** What components and commands share. */
export interface App {
  readonly api: Api
  readonly store: Store
  readonly machine: UpdateMachine
  readonly router: Router
  readonly outbox: Outbox
  readonly compose: Compose
  /** The list of a narrow, kept among the most recently used ones. */
  openList(narrow: MessageList['narrow']): MessageList
  /** The selected message of the view that is shown. */
  readonly selectedId: Signal<number | undefined>
  /** Says something short to the user, for some seconds; to screen readers, too. */
  notify(text: string, kind?: 'info' | 'error'): void
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
  /** Opens it for a conversation; the text that is there stays, as a draft of where it was. */
  open(to: ComposeTarget, options?: { readonly text?: string; readonly focus?: boolean }): void
  /** Inserts text at the caret, as a block of its own if asked. */
  insert(text: string, options?: { readonly isBlock?: boolean }): void
  close(): void
}

/** Where a message goes; parts that the user has not chosen yet are missing. */
export type ComposeTarget =
  | { readonly kind: 'topic'; readonly channelId: number | undefined; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

export interface ComposeState {
  readonly isOpen: boolean
  readonly target: ComposeTarget
  readonly text: string
}

/** The target where all is chosen. */
export function conversationOf(target: ComposeTarget): Conversation | undefined {
  if (target.kind === 'direct') return target.userIds.length > 0 ? target : undefined
  const { channelId, topic } = target
  return channelId === undefined ? undefined : { kind: 'topic', channelId, topic }
}
