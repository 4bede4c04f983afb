import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { Clock } from '#client/state/clock.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import { storedList } from './storage.ts'

/** An unfinished text. */
export interface LocalDraft {
  /** The draft's key in this browser. */
  readonly key: string
  readonly target: ComposeTarget
  /** Markdown. */
  readonly content: string
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
}

/** A draft with its state on the server. */
export interface DraftEntry extends LocalDraft {
  /** The draft on the server, once there is one. */
  readonly serverId: number | undefined
  /** Whether the server's list had it since then: when it is gone there, it was deleted. */
  readonly isSeen: boolean
  /** `newestId` of the store when the server got it as it was then. */
  readonly seenAt?: number
  /** `dataId` of the store at that time. */
  readonly seenIn?: string | null
  /** Whether it was changed here since it was last sent to the server. */
  readonly isDirty: boolean
  /** Removed here, but not yet on the server. */
  readonly isRemoved: boolean
  /** The message with its text that is being sent. */
  readonly localId: string | undefined
}

/** The drafts of this browser, in its storage. */
export interface DraftEntries {
  readonly all: ReadonlySignal<ReadonlyMap<string, DraftEntry>>
  /** Adds entries, or replaces those with their keys. */
  put(...changed: readonly DraftEntry[]): void
  drop(key: string): void
  /** An entry that is not among them yet. */
  create(target: ComposeTarget, content: string, updatedAt: number): DraftEntry
  /** Takes what another window wrote into the storage. */
  refresh(): void
}

export interface DraftEntriesOptions {
  readonly storage: KeyValues
  /** The name of the entry in the storage. */
  readonly name: string
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
}

export function createDraftEntries(options: DraftEntriesOptions): DraftEntries {
  const { storage, name, clock, random } = options
  const stored = storedList<DraftEntry>(storage, name)
  const all = signal<ReadonlyMap<string, DraftEntry>>(byKey(stored.read()))

  function save(next: ReadonlyMap<string, DraftEntry>): void {
    all.value = next
    stored.write([...next.values()])
  }

  return {
    all,
    put(...changed) {
      const next = new Map(all.peek())
      for (const entry of changed) next.set(entry.key, entry)
      save(next)
    },
    drop(key) {
      const next = new Map(all.peek())
      if (next.delete(key)) save(next)
    },
    create(target, content, updatedAt) {
      const key = `${clock.now().toString(36)}-${random().toString(36).slice(2, 12)}`
      const fresh = { serverId: undefined, isSeen: false, isDirty: true, isRemoved: false }
      return { key, target, content, updatedAt, localId: undefined, ...fresh }
    },
    refresh() {
      all.value = byKey(stored.read())
    },
  }
}

function byKey(entries: readonly DraftEntry[]): ReadonlyMap<string, DraftEntry> {
  return new Map(entries.map((entry) => [entry.key, entry]))
}
