import { type Api, CallError } from '#client/api/api.ts'
import type { Draft as WireDraft } from '#client/api/wire.ts'
import type { Clock } from '#client/state/clock.ts'
import { isSameTarget } from '#client/state/compose-target.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Store } from '#client/state/store.ts'
import type { DraftEntries, DraftEntry } from './draft-entries.ts'
import { draftTarget, draftToWire, isFinished } from './draft-target.ts'

/** Synchronizes the drafts of this browser with those of the server. */
export interface DraftSync {
  /** Whether it is sending drafts to the server. */
  isRunning(): boolean
  /**
   * Sends unsaved drafts to the server after a time in milliseconds; by default after a pause in
   * typing.
   */
  schedule(ms?: number): void
  /** Sends them now. */
  flush(): Promise<void>
  /** Applies the server's list. */
  merge(drafts: ReadonlyMap<number, WireDraft>): void
  stop(): void
}

interface DraftSyncOptions {
  readonly api: Api
  readonly store: Store
  readonly clock: Clock
  readonly entries: DraftEntries
}

/** How long after the last keystroke the draft is sent to the server, in milliseconds. */
const quietTime = 2000
/** After a failure, in milliseconds. */
const retryTime = 10_000
/** Shorter texts stay in this browser. */
const shortestContent = 2

/**
 * Sends drafts from here to the server, and receives drafts from elsewhere. The newer of two
 * versions wins; the older one is kept beside it if it has anything that the newer one lacks.
 */
export function createDraftSync({ api, store, clock, entries }: DraftSyncOptions): DraftSync {
  let cancelTimer: (() => void) | undefined
  let isSyncing = false

  const isSynchronized = () => store.settings.peek().enable_drafts_synchronization

  function schedule(ms = quietTime): void {
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
      for (const key of [...entries.all.peek().keys()]) await upload(key)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      schedule(Math.max(retryTime, (error.retryAfter ?? 0) * 1000))
    } finally {
      isSyncing = false
    }
  }

  /** @throws CallError the server cannot be reached */
  async function upload(key: string): Promise<void> {
    const entry = entries.all.peek().get(key)
    if (!entry) return
    if (entry.isRemoved) {
      if (entry.serverId !== undefined) await accepted(api.delete(`/drafts/${entry.serverId}`))
      entries.drop(key)
      return
    }
    const isLongEnough = entry.content.trim().length >= shortestContent
    if (!entry.isDirty || !isLongEnough || entry.localId !== undefined) return
    if (entry.serverId === undefined) await create(entry)
    else await replace(entry, entry.serverId)
  }

  async function create(entry: DraftEntry): Promise<void> {
    const reply = await accepted(
      api.post<{ ids: number[] }>('/drafts', { drafts: [draftToWire(entry)] }),
    )
    const serverId = reply?.ids[0]
    if (serverId === undefined) return
    const now = entries.all.peek().get(entry.key)
    // Its event may have come first, as if it were the draft of another client.
    for (const other of entries.all.peek().values()) {
      if (other.serverId === serverId && other.key !== entry.key) entries.drop(other.key)
    }
    const isDirty = now?.content !== entry.content || now.target !== entry.target
    const isSeen = store.drafts.has(serverId)
    const created = now ?? { ...entry, isRemoved: true }
    entries.put({ ...created, serverId, ...atPresent(), isSeen, isDirty })
    if (isDirty || !now || now.isRemoved) schedule()
  }

  async function replace(entry: DraftEntry, serverId: number): Promise<void> {
    try {
      await api.patch(`/drafts/${serverId}`, { draft: draftToWire(entry) })
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error)) throw error
      // Deleted elsewhere while this was typed: it is there again, as another one.
      if (error.status === 404) {
        entries.put({ ...entry, serverId: undefined, isSeen: false })
        schedule(0)
      }
      return
    }
    const now = entries.all.peek().get(entry.key)
    if (now && now.content === entry.content && now.target === entry.target) {
      entries.put({ ...now, isDirty: false, ...atPresent() })
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

  /** Applies the server's list. */
  function merge(drafts: ReadonlyMap<number, WireDraft>): void {
    if (!isSynchronized()) return
    const known = new Map(
      [...entries.all.peek().values()].flatMap((entry) =>
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
    const own = [...entries.all.peek().values()].find(
      (entry) =>
        entry.serverId === undefined &&
        !entry.isRemoved &&
        entry.content === draft.content &&
        (isSameTarget(entry.target, target) || (draft.type === '' && !isFinished(entry.target))),
    )
    if (own) {
      entries.put({ ...own, ...seen(), serverId: draft.id, isDirty: false })
      return
    }
    const entry = entries.create(target, draft.content, draft.timestamp * 1000)
    entries.put({ ...entry, ...seen(), serverId: draft.id, isDirty: false })
  }

  function take(entry: DraftEntry, draft: WireDraft): void {
    if (isForgotten(entry) && !entry.content.includes(draft.content)) {
      // Another one, which has the ID now.
      putAnew(entry)
      addFrom(draft)
      return
    }
    if (entry.isRemoved) return
    const told = draftTarget(draft, store.selfId)
    // The server does not store incomplete targets.
    const target = draft.type === '' && !isFinished(entry.target) ? entry.target : told
    const isSame = entry.content === draft.content && isSameTarget(entry.target, target)
    const theirs = {
      ...entry,
      target,
      content: draft.content,
      updatedAt: draft.timestamp * 1000,
      ...seen(),
      isDirty: false,
    }
    if (isSame) {
      const isNews = entry.isDirty || !entry.isSeen || isForgotten(entry)
      if (isNews) entries.put({ ...entry, ...seen(), isDirty: false })
      return
    }
    if (!entry.isDirty && !isForgotten(entry)) {
      entries.put(theirs)
      return
    }
    const isNewer = draft.timestamp > Math.floor(entry.updatedAt / 1000)
    const [newer, older] = isNewer ? [draft, entry] : [entry, draft]
    if (newer.content.includes(older.content)) {
      entries.put(isNewer ? theirs : { ...entry, ...seen(), isDirty: true })
      schedule()
      return
    }
    // Neither is lost: the text here continues as a draft of its own.
    const other = entries.create(target, draft.content, draft.timestamp * 1000)
    entries.put(
      { ...entry, serverId: undefined, isSeen: false },
      { ...other, ...seen(), serverId: draft.id, isDirty: false },
    )
    schedule()
  }

  /** The server no longer has it. */
  function lose(entry: DraftEntry): void {
    if (!entry.isSeen) return
    if (entry.isDirty || isForgotten(entry)) putAnew(entry)
    else entries.drop(entry.key)
  }

  /** Whether the server was restored to a time before it had this: it did not delete it. */
  const isForgotten = ({ seenAt = 0, seenIn }: DraftEntry) =>
    seenAt > store.newestId || (seenIn !== undefined && seenIn !== store.dataId)

  const atPresent = () => ({ seenAt: store.newestId, seenIn: store.dataId })
  const seen = () => ({ isSeen: true, ...atPresent() })

  /** Gives the server a draft as if it had never had it. */
  function putAnew(entry: DraftEntry): void {
    if (entry.isRemoved) entries.drop(entry.key)
    else {
      const unseen = { serverId: undefined, isSeen: false, seenAt: 0, seenIn: undefined }
      entries.put({ ...entry, ...unseen, isDirty: true })
    }
    schedule()
  }

  return {
    isRunning: () => isSyncing,
    schedule,
    flush,
    merge,
    stop: () => cancelTimer?.(),
  }
}
