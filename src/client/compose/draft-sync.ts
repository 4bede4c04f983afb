import { type Api, CallError } from '#client/api/api.ts'
import type { Draft as WireDraft } from '#client/api/wire.ts'
import type { Clock } from '#client/state/clock.ts'
import { isSameTarget } from '#client/state/compose-target.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Store } from '#client/state/store.ts'
import type { DraftEntries, DraftEntry } from './draft-entries.ts'
import { draftTarget, draftToWire, isFinished } from './draft-target.ts'
import { excess } from './lengths.ts'

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
/** Shorter texts stay in this browser, and those that the server would refuse as too long. */
const shortestContent = 2

/**
 * Sends drafts from here to the server, and receives drafts from elsewhere. The newer of two
 * versions wins; the older one is kept beside it if it has anything that the newer one lacks.
 */
export function createDraftSync(options: DraftSyncOptions): DraftSync {
  return new ServerDraftSync(options)
}

class ServerDraftSync implements DraftSync {
  readonly #api: Api
  readonly #store: Store
  readonly #clock: Clock
  readonly #entries: DraftEntries
  #cancelTimer: (() => void) | undefined
  #isSyncing = false

  constructor({ api, store, clock, entries }: DraftSyncOptions) {
    this.#api = api
    this.#store = store
    this.#clock = clock
    this.#entries = entries
  }

  isRunning(): boolean {
    return this.#isSyncing
  }

  schedule(ms = quietTime): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#clock.after(ms, () => {
      this.#cancelTimer = undefined
      void this.flush()
    })
  }

  async flush(): Promise<void> {
    if (this.#isSyncing || !this.#isSynchronized()) return
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#isSyncing = true
    try {
      for (const key of [...this.#entries.all.peek().keys()]) await this.#upload(key)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      this.schedule(Math.max(retryTime, (error.retryAfter ?? 0) * 1000))
    } finally {
      this.#isSyncing = false
    }
  }

  /** Applies the server's list. */
  merge(drafts: ReadonlyMap<number, WireDraft>): void {
    if (!this.#isSynchronized()) return
    const known = new Map(
      [...this.#entries.all.peek().values()].flatMap((entry) =>
        entry.serverId === undefined ? [] : [[entry.serverId, entry] as const],
      ),
    )
    for (const draft of drafts.values()) {
      const entry = known.get(draft.id)
      if (entry) this.#take(entry, draft)
      else this.#addFrom(draft)
    }
    for (const entry of known.values()) {
      if (entry.serverId !== undefined && !drafts.has(entry.serverId)) this.#lose(entry)
    }
  }

  stop(): void {
    this.#cancelTimer?.()
  }

  #isSynchronized() {
    return this.#store.settings.peek().enable_drafts_synchronization
  }

  /** @throws CallError the server cannot be reached */
  async #upload(key: string): Promise<void> {
    const entry = this.#entries.all.peek().get(key)
    if (!entry) return
    if (entry.isRemoved) {
      if (entry.serverId !== undefined)
        await this.#accepted(this.#api.delete(`/drafts/${entry.serverId}`))
      this.#entries.drop(key)
      return
    }
    const most = this.#store.realm.peek().max_message_length
    const fits = entry.content.trim().length >= shortestContent && excess(entry.content, most) === 0
    if (!entry.isDirty || !fits || entry.localId !== undefined) return
    if (entry.serverId === undefined) await this.#create(entry)
    else await this.#replace(entry, entry.serverId)
  }

  async #create(entry: DraftEntry): Promise<void> {
    const reply = await this.#accepted(
      this.#api.post<{ ids: number[] }>('/drafts', { drafts: [draftToWire(entry)] }),
    )
    const serverId = reply?.ids[0]
    if (serverId === undefined) return
    const now = this.#entries.all.peek().get(entry.key)
    // Its event may have come first, as if it were the draft of another client.
    for (const other of this.#entries.all.peek().values()) {
      if (other.serverId === serverId && other.key !== entry.key) this.#entries.drop(other.key)
    }
    const isDirty = now?.content !== entry.content || now.target !== entry.target
    const isSeen = this.#store.drafts.has(serverId)
    const created = now ?? { ...entry, isRemoved: true }
    this.#entries.put({ ...created, serverId, ...this.#atPresent(), isSeen, isDirty })
    if (isDirty || !now || now.isRemoved) this.schedule()
  }

  async #replace(entry: DraftEntry, serverId: number): Promise<void> {
    try {
      await this.#api.patch(`/drafts/${serverId}`, { draft: draftToWire(entry) })
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error)) throw error
      // Deleted elsewhere while this was typed: it is there again, as another one.
      if (error.status === 404) {
        this.#entries.put({ ...entry, serverId: undefined, isSeen: false })
        this.schedule(0)
      }
      return
    }
    const now = this.#entries.all.peek().get(entry.key)
    if (now && now.content === entry.content && now.target === entry.target) {
      this.#entries.put({ ...now, isDirty: false, ...this.#atPresent() })
    }
  }

  /** A refusal is no reason to keep the other drafts back: this one stays in the browser. */
  async #accepted<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error) || error.status === 401) throw error
      return undefined
    }
  }

  #addFrom(draft: WireDraft): void {
    const target = draftTarget(draft, this.#store.selfId)
    // One that this window, or another one of this browser, is creating.
    const own = [...this.#entries.all.peek().values()].find(
      (entry) =>
        entry.serverId === undefined &&
        !entry.isRemoved &&
        entry.content === draft.content &&
        (isSameTarget(entry.target, target) || (draft.type === '' && !isFinished(entry.target))),
    )
    if (own) {
      this.#entries.put({ ...own, ...this.#seen(), serverId: draft.id, isDirty: false })
      return
    }
    const entry = this.#entries.create(target, draft.content, draft.timestamp * 1000)
    this.#entries.put({ ...entry, ...this.#seen(), serverId: draft.id, isDirty: false })
  }

  #take(entry: DraftEntry, draft: WireDraft): void {
    if (this.#isForgotten(entry) && !entry.content.includes(draft.content)) {
      // Another one, which has the ID now.
      this.#putAnew(entry)
      this.#addFrom(draft)
      return
    }
    if (entry.isRemoved) return
    const told = draftTarget(draft, this.#store.selfId)
    // The server does not store incomplete targets.
    const target = draft.type === '' && !isFinished(entry.target) ? entry.target : told
    const isSame = entry.content === draft.content && isSameTarget(entry.target, target)
    const theirs = {
      ...entry,
      target,
      content: draft.content,
      updatedAt: draft.timestamp * 1000,
      ...this.#seen(),
      isDirty: false,
    }
    if (isSame) {
      const isNews = entry.isDirty || !entry.isSeen || this.#isForgotten(entry)
      if (isNews) this.#entries.put({ ...entry, ...this.#seen(), isDirty: false })
      return
    }
    if (!entry.isDirty && !this.#isForgotten(entry)) {
      this.#entries.put(theirs)
      return
    }
    const isNewer = draft.timestamp > Math.floor(entry.updatedAt / 1000)
    const [newer, older] = isNewer ? [draft, entry] : [entry, draft]
    if (newer.content.includes(older.content)) {
      this.#entries.put(isNewer ? theirs : { ...entry, ...this.#seen(), isDirty: true })
      this.schedule()
      return
    }
    // Neither is lost: the text here continues as a draft of its own.
    const other = this.#entries.create(target, draft.content, draft.timestamp * 1000)
    this.#entries.put(
      { ...entry, serverId: undefined, isSeen: false },
      { ...other, ...this.#seen(), serverId: draft.id, isDirty: false },
    )
    this.schedule()
  }

  /** The server no longer has it. */
  #lose(entry: DraftEntry): void {
    if (!entry.isSeen) return
    if (entry.isDirty || this.#isForgotten(entry)) this.#putAnew(entry)
    else this.#entries.drop(entry.key)
  }

  /** Whether the server was restored to a time before it had this: it did not delete it. */
  #isForgotten({ seenAt = 0, seenIn }: DraftEntry) {
    return seenAt > this.#store.newestId || (seenIn !== undefined && seenIn !== this.#store.dataId)
  }

  #atPresent() {
    return { seenAt: this.#store.newestId, seenIn: this.#store.dataId }
  }

  #seen() {
    return { isSeen: true, ...this.#atPresent() }
  }

  /** Gives the server a draft as if it had never had it. */
  #putAnew(entry: DraftEntry): void {
    if (entry.isRemoved) this.#entries.drop(entry.key)
    else {
      const unseen = { serverId: undefined, isSeen: false, seenAt: 0, seenIn: undefined }
      this.#entries.put({ ...entry, ...unseen, isDirty: true })
    }
    this.schedule()
  }
}
