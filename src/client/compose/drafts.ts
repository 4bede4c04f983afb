import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core'
import { type Api, CallError } from '#client/api/api.ts'
import type { Draft as WireDraft } from '#client/api/wire.ts'
import type { ComposeTarget } from '#client/app.ts'
import { type Clock, systemClock } from '#client/state/clock.ts'
import { directConversation } from '#client/state/from-wire.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Store } from '#client/state/store.ts'
import { type KeyValues, storedList } from './storage.ts'

/** A text that was begun. */
export interface LocalDraft {
  /** Of this browser. */
  readonly key: string
  readonly target: ComposeTarget
  /** Markdown. */
  readonly content: string
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
}

/**
 * The user's drafts: kept in the browser at every keystroke, and on the server a little later, where
 * the user's other clients find them. Of two versions the newer one wins; the older one stays beside
 * it as a draft of its own where it has what the newer one has not.
 */
export interface Drafts {
  /** The newest first, without those that are being sent. */
  readonly all: ReadonlySignal<readonly LocalDraft[]>
  /**
   * Keeps what was typed. An empty text removes the draft.
   *
   * @param key of the draft that is being written; undefined begins one
   * @returns its key; undefined where nothing is left
   */
  write(key: string | undefined, target: ComposeTarget, content: string): string | undefined
  /** Replaces a part of whichever draft has it. False where none has. */
  replace(part: string, by: string): boolean
  /** The newest draft for a target. */
  find(target: ComposeTarget): LocalDraft | undefined
  remove(key: string): void
  /** Hides a draft while its text is sent, until `settle` says what became of that. */
  send(key: string, localId: string): void
  /** `sent` removes the draft of a message that was sent, `taken` shows it again. */
  settle(localId: string, outcome: 'sent' | 'taken'): void
  /** Takes what another window wrote into the storage. */
  refresh(): void
  /** Gives the server now what it does not have, as when the page is left. */
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

/** How long after the last keystroke the server is told, in milliseconds. */
const quietTime = 2000
/** After a failure, in milliseconds. */
const retryTime = 10_000
/** Shorter texts stay in this browser. */
const shortestContent = 2

interface Entry extends LocalDraft {
  /** The draft on the server, once there is one. */
  readonly serverId: number | undefined
  /** Whether the server's list had it since then: when it is gone there, it was deleted. */
  readonly isSeen: boolean
  /** Whether it was changed here since the server was told. */
  readonly isDirty: boolean
  /** Removed here, but not yet on the server. */
  readonly isRemoved: boolean
  /** The message with its text that is being sent. */
  readonly localId: string | undefined
}

export function createDrafts(options: DraftsOptions): Drafts {
  const { api, store, clock = systemClock, random = Math.random } = options
  const stored = storedList<Entry>(options.storage, `parley:drafts:${store.selfId}`)
  const entries = signal<ReadonlyMap<string, Entry>>(byKey(stored.read()))
  let cancelTimer: (() => void) | undefined
  let isSyncing = false

  const all = computed(() =>
    [...entries.value.values()]
      .filter(({ isRemoved, localId }) => !isRemoved && localId === undefined)
      .sort((a, b) => b.updatedAt - a.updatedAt),
  )

  function put(...changed: readonly Entry[]): void {
    const next = new Map(entries.peek())
    for (const entry of changed) next.set(entry.key, entry)
    save(next)
  }

  function drop(key: string): void {
    const next = new Map(entries.peek())
    if (next.delete(key)) save(next)
  }

  function save(next: ReadonlyMap<string, Entry>): void {
    entries.value = next
    stored.write([...next.values()])
  }

  function newEntry(target: ComposeTarget, content: string, updatedAt: number): Entry {
    const key = `${clock.now().toString(36)}-${random().toString(36).slice(2, 12)}`
    const fresh = { serverId: undefined, isSeen: false, isDirty: true, isRemoved: false }
    return { key, target, content, updatedAt, localId: undefined, ...fresh }
  }

  const isSynchronized = () => store.settings.peek().enable_drafts_synchronization

  function schedule(ms: number): void {
    cancelTimer?.()
    cancelTimer = clock.after(ms, () => {
      cancelTimer = undefined
      void flush()
    })
  }

  async function flush(): Promise<void> {
    if (isSyncing || !isSynchronized()) return
    cancelTimer?.()
    cancelTimer = undefined
    isSyncing = true
    try {
      for (const key of [...entries.peek().keys()]) await upload(key)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      schedule(Math.max(retryTime, (error.retryAfter ?? 0) * 1000))
    } finally {
      isSyncing = false
    }
  }

  /** @throws CallError the server is not to be reached */
  async function upload(key: string): Promise<void> {
    const entry = entries.peek().get(key)
    if (!entry) return
    if (entry.isRemoved) {
      if (entry.serverId !== undefined) await accepted(api.delete(`/drafts/${entry.serverId}`))
      drop(key)
      return
    }
    const isLongEnough = entry.content.trim().length >= shortestContent
    if (!entry.isDirty || !isLongEnough || entry.localId !== undefined) return
    if (entry.serverId === undefined) await create(entry)
    else await replace(entry, entry.serverId)
  }

  async function create(entry: Entry): Promise<void> {
    const reply = await accepted(
      api.post<{ ids: number[] }>('/drafts', { drafts: [draftToWire(entry)] }),
    )
    const serverId = reply?.ids[0]
    if (serverId === undefined) return
    const now = entries.peek().get(entry.key)
    // Its event may have come first, as if it were the draft of another client.
    for (const other of entries.peek().values()) {
      if (other.serverId === serverId && other.key !== entry.key) drop(other.key)
    }
    const isDirty = now?.content !== entry.content || now.target !== entry.target
    const isSeen = store.drafts.has(serverId)
    put({ ...(now ?? { ...entry, isRemoved: true }), serverId, isSeen, isDirty })
    if (isDirty || !now || now.isRemoved) schedule(quietTime)
  }

  async function replace(entry: Entry, serverId: number): Promise<void> {
    try {
      await api.patch(`/drafts/${serverId}`, { draft: draftToWire(entry) })
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error)) throw error
      // Deleted elsewhere while this was typed: it is there again, as another one.
      if (error.status === 404) {
        put({ ...entry, serverId: undefined, isSeen: false })
        schedule(0)
      }
      return
    }
    const now = entries.peek().get(entry.key)
    if (now && now.content === entry.content && now.target === entry.target) {
      put({ ...now, isDirty: false })
    }
  }

  /** A refusal is no reason to keep the other drafts back: this one stays in the browser. */
  async function accepted<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error) || error.status === 401) throw error
      return undefined
    }
  }

  /** Takes what the server's list says. */
  function merge(drafts: ReadonlyMap<number, WireDraft>): void {
    if (!isSynchronized()) return
    const known = new Map(
      [...entries.peek().values()].flatMap((entry) =>
        entry.serverId === undefined ? [] : [[entry.serverId, entry] as const],
      ),
    )
    for (const draft of drafts.values()) {
      const entry = known.get(draft.id)
      if (entry) take(entry, draft)
      else addFrom(draft)
    }
    for (const entry of known.values()) {
      if (entry.serverId !== undefined && !drafts.has(entry.serverId)) lose(entry)
    }
  }

  function addFrom(draft: WireDraft): void {
    const target = draftTarget(draft, store.selfId)
    // One that this window, or another one of this browser, is creating.
    const own = [...entries.peek().values()].find(
      (entry) =>
        entry.serverId === undefined &&
        !entry.isRemoved &&
        entry.content === draft.content &&
        (isSameTarget(entry.target, target) || (draft.type === '' && !isFinished(entry.target))),
    )
    if (own) {
      put({ ...own, serverId: draft.id, isSeen: true, isDirty: false })
      return
    }
    const entry = newEntry(target, draft.content, draft.timestamp * 1000)
    put({ ...entry, serverId: draft.id, isSeen: true, isDirty: false })
  }

  function take(entry: Entry, draft: WireDraft): void {
    if (entry.isRemoved) return
    const told = draftTarget(draft, store.selfId)
    // The server keeps no part of a target that is not finished.
    const target = draft.type === '' && !isFinished(entry.target) ? entry.target : told
    const isSame = entry.content === draft.content && isSameTarget(entry.target, target)
    const theirs = {
      ...entry,
      target,
      content: draft.content,
      updatedAt: draft.timestamp * 1000,
      isSeen: true,
      isDirty: false,
    }
    if (isSame) {
      if (entry.isDirty || !entry.isSeen) put({ ...entry, isSeen: true, isDirty: false })
      return
    }
    if (!entry.isDirty) {
      put(theirs)
      return
    }
    const isNewer = draft.timestamp > Math.floor(entry.updatedAt / 1000)
    const [newer, older] = isNewer ? [draft, entry] : [entry, draft]
    if (newer.content.includes(older.content)) {
      put(isNewer ? theirs : { ...entry, isSeen: true })
      return
    }
    // Neither is lost: what is written here goes on as a draft of its own.
    const other = newEntry(target, draft.content, draft.timestamp * 1000)
    put(
      { ...entry, serverId: undefined, isSeen: false },
      { ...other, serverId: draft.id, isSeen: true, isDirty: false },
    )
    schedule(quietTime)
  }

  /** The server has it no more. */
  function lose(entry: Entry): void {
    if (!entry.isSeen) return
    if (entry.isDirty && !entry.isRemoved) {
      put({ ...entry, serverId: undefined, isSeen: false })
      schedule(quietTime)
    } else drop(entry.key)
  }

  for (const { key, localId } of entries.peek().values()) {
    if (localId !== undefined && !options.isOutgoing?.(localId)) remove(key)
  }
  const stopMerging = effect(() => {
    const drafts = store.drafts.all
    untracked(() => merge(drafts))
  })
  const stopMoves = store.onMessages((change) => {
    if (change.kind !== 'moved' || !change.isWhole) return
    const { from, to } = change
    if (from.kind !== 'topic' || to.kind !== 'topic') return
    const moved = [...entries.peek().values()].filter(({ target }) => isSameTarget(target, from))
    put(...moved.map((entry) => ({ ...entry, target: to, isDirty: true })))
    if (moved.length > 0) schedule(quietTime)
  })
  if ([...entries.peek().values()].some(({ isDirty, isRemoved }) => isDirty || isRemoved)) {
    schedule(quietTime)
  }

  function remove(key: string): void {
    const entry = entries.peek().get(key)
    if (!entry) return
    if (entry.serverId === undefined && !isSyncing) drop(key)
    else put({ ...entry, isRemoved: true })
    schedule(0)
  }

  function write(key: string | undefined, target: ComposeTarget, content: string) {
    const entry = key === undefined ? undefined : entries.peek().get(key)
    if (content.trim() === '') {
      if (entry) remove(entry.key)
      return undefined
    }
    if (entry && entry.content === content && isSameTarget(entry.target, target)) return key
    const written = entry
      ? { ...entry, target, content, updatedAt: clock.now(), isDirty: true, isRemoved: false }
      : newEntry(target, content, clock.now())
    put(written)
    schedule(quietTime)
    return written.key
  }

  return {
    all,
    write,
    replace(part, by) {
      const draft = all.peek().find(({ content }) => content.includes(part))
      if (!draft) return false
      write(
        draft.key,
        draft.target,
        draft.content.replace(part, () => by),
      )
      return true
    },
    find: (target) => all.peek().find((draft) => isSameTarget(draft.target, target)),
    remove,
    send(key, localId) {
      const entry = entries.peek().get(key)
      if (entry) put({ ...entry, localId })
    },
    settle(localId, outcome) {
      const entry = [...entries.peek().values()].find((one) => one.localId === localId)
      if (!entry) return
      if (outcome === 'sent') remove(entry.key)
      else put({ ...entry, localId: undefined })
    },
    refresh() {
      entries.value = byKey(stored.read())
    },
    flush,
    stop() {
      cancelTimer?.()
      stopMerging()
      stopMoves()
    },
  }
}

function byKey(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.key, entry]))
}

/** Whether two targets are the same; topics that differ in case, or in spaces around them, are. */
export function isSameTarget(a: ComposeTarget, b: ComposeTarget): boolean {
  if (a.kind === 'topic' && b.kind === 'topic') {
    return a.channelId === b.channelId && topicKey(a.topic) === topicKey(b.topic)
  }
  return a.kind === 'direct' && b.kind === 'direct' && a.userIds.join() === b.userIds.join()
}

const topicKey = (topic: string) => topic.trim().toLowerCase()

/** Whether the user has chosen the channel, or people. */
function isFinished(target: ComposeTarget): boolean {
  return target.kind === 'topic' ? target.channelId !== undefined : target.userIds.length > 0
}

function draftToWire({ target, content, updatedAt }: LocalDraft) {
  const timestamp = Math.floor(updatedAt / 1000)
  if (target.kind === 'direct') {
    const to = [...target.userIds]
    return { type: to.length > 0 ? 'private' : '', to, topic: '', content, timestamp }
  }
  const { channelId, topic } = target
  if (channelId === undefined) return { type: '', to: [], topic, content, timestamp }
  return { type: 'stream', to: [channelId], topic, content, timestamp }
}

/** Where a draft of the server goes. */
function draftTarget({ type, to, topic }: WireDraft, selfId: number): ComposeTarget {
  if (type === 'private') {
    const conversation = to.length > 0 ? directConversation(to, selfId) : undefined
    return conversation?.kind === 'direct' ? conversation : { kind: 'direct', userIds: [] }
  }
  return { kind: 'topic', channelId: type === 'stream' ? to[0] : undefined, topic }
}
