import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals-core'
import type { Api } from '#client/api/api.ts'
import { type Clock, serverClock } from '#client/state/clock.ts'
import { type ComposeTarget, isSameTarget } from '#client/state/compose-target.ts'
import type { Store } from '#client/state/store.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import { createDraftEntries, type DraftEntries, type LocalDraft } from './draft-entries.ts'
import { createDraftSync, type DraftSync } from './draft-sync.ts'
import { lineOf } from './text-edits.ts'

/**
 * The user's drafts: kept in the browser at every keystroke, and on the server a little later,
 * where the user's other clients find them. The newer of two versions wins; the older one is kept
 * beside it as a draft of its own if it has anything that the newer one lacks.
 */
export interface Drafts {
  /** The newest first, without those that are being sent. */
  readonly all: ReadonlySignal<readonly LocalDraft[]>
  /**
   * Stores the typed text. An empty text removes the draft.
   *
   * @param key of the current draft; undefined begins one
   * @returns its key; undefined if nothing is left
   */
  write(key: string | undefined, target: ComposeTarget, content: string): string | undefined
  /** Replaces a part in the draft that contains it. False if none does. */
  replacePart(part: string, by: string): boolean
  /** The newest draft for a target. */
  find(target: ComposeTarget): LocalDraft | undefined
  remove(key: string): void
  /** Hides a draft while its text is sent, until `settle` reports the result. */
  send(key: string, localId: string): void
  /** `sent` removes the draft of a message that was sent, `taken` shows it again. */
  settle(localId: string, outcome: 'sent' | 'taken'): void
  /** Takes what another window wrote into the storage. */
  refresh(): void
  /** Sends unsaved drafts to the server now, for example when the page is left. */
  flush(): Promise<void>
  stop(): void
}

export interface DraftsOptions {
  readonly api: Api
  readonly store: Store
  readonly storage: KeyValues
  readonly clock?: Clock
  /** From 0 to below 1. */
  readonly random?: () => number
  /** Whether a message is still in the outbox; by default, none is. */
  readonly isOutgoing?: (localId: string) => boolean
}

export function createDrafts(options: DraftsOptions): Drafts {
  return new BrowserDrafts(options)
}

class BrowserDrafts implements Drafts {
  readonly #clock: Clock
  readonly #entries: DraftEntries
  readonly #sync: DraftSync
  readonly all = computed(() =>
    [...this.#entries.all.value.values()]
      .filter(({ isRemoved, localId }) => !isRemoved && localId === undefined)
      .sort((a, b) => b.updatedAt - a.updatedAt),
  )
  readonly #stopMerging: () => void
  readonly #stopMoves: () => void

  constructor(options: DraftsOptions) {
    const { api, store, storage, clock = serverClock, random = Math.random } = options
    this.#clock = clock
    const name = `parley:drafts:${store.selfId}`
    this.#entries = createDraftEntries({ storage, name, clock: this.#clock, random })
    this.#sync = createDraftSync({ api, store, clock: this.#clock, entries: this.#entries })
    for (const { key, localId } of this.#entries.all.peek().values()) {
      if (localId !== undefined && !options.isOutgoing?.(localId)) this.remove(key)
    }
    this.#stopMerging = effect(() => {
      const drafts = store.drafts.all
      untracked(() => this.#sync.merge(drafts))
    })
    this.#stopMoves = store.onMessages((change) => {
      if (change.kind !== 'moved' || !change.isWhole) return
      const { from, to } = change
      if (from.kind !== 'topic' || to.kind !== 'topic') return
      const moved = [...this.#entries.all.peek().values()].filter(({ target }) =>
        isSameTarget(target, from),
      )
      this.#entries.put(...moved.map((entry) => ({ ...entry, target: to, isDirty: true })))
      if (moved.length > 0) this.#sync.schedule()
    })
    if (
      [...this.#entries.all.peek().values()].some(({ isDirty, isRemoved }) => isDirty || isRemoved)
    ) {
      this.#sync.schedule()
    }
  }

  write(key: string | undefined, target: ComposeTarget, content: string): string | undefined {
    const entry = key === undefined ? undefined : this.#entries.all.peek().get(key)
    if (content.trim() === '') {
      if (entry) this.remove(entry.key)
      return undefined
    }
    if (entry && entry.content === content && isSameTarget(entry.target, target)) return key
    const written = entry
      ? { ...entry, target, content, updatedAt: this.#clock.now(), isDirty: true, isRemoved: false }
      : this.#entries.create(target, content, this.#clock.now())
    this.#entries.put(written)
    this.#sync.schedule()
    return written.key
  }

  replacePart(part: string, by: string): boolean {
    const draft = this.all.peek().find(({ content }) => content.includes(part))
    if (!draft) return false
    this.write(
      draft.key,
      draft.target,
      draft.content.replace(lineOf(draft.content, part, by), () => by),
    )
    return true
  }

  find(target: ComposeTarget): LocalDraft | undefined {
    return this.all.peek().find((draft) => isSameTarget(draft.target, target))
  }

  remove(key: string): void {
    const entry = this.#entries.all.peek().get(key)
    if (!entry) return
    if (entry.serverId === undefined && !this.#sync.isRunning()) this.#entries.drop(key)
    else this.#entries.put({ ...entry, isRemoved: true })
    this.#sync.schedule(0)
  }

  send(key: string, localId: string): void {
    const entry = this.#entries.all.peek().get(key)
    if (entry) this.#entries.put({ ...entry, localId })
  }

  settle(localId: string, outcome: 'sent' | 'taken'): void {
    const entry = [...this.#entries.all.peek().values()].find((one) => one.localId === localId)
    if (!entry) return
    if (outcome === 'sent') this.remove(entry.key)
    else this.#entries.put({ ...entry, localId: undefined })
  }

  refresh(): void {
    this.#entries.refresh()
  }

  flush(): Promise<void> {
    return this.#sync.flush()
  }

  stop(): void {
    this.#sync.stop()
    this.#stopMerging()
    this.#stopMoves()
  }
}
