import { effect } from '@preact/signals-core'
import type { Api } from '#client/api/api.ts'
import type { FeatureEvent } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import {
  claimKept,
  forgetKept,
  openDatabase,
  openingSession,
  resultOf,
  sessionMark,
  setHint,
} from '#client/commands/kept-database.ts'
import { hasSurface } from '#client/commands/surfaces.tsx'
import { keptLists } from '#client/lists/kept-lists.ts'
import type { ListCache } from '#client/lists/list-cache.ts'
import {
  canKeepEvent,
  keptChannels,
  keptMessages,
  keptPeople,
  keptRest,
} from '#client/state/kept.ts'
import { whenIdle } from '#client/ui/idle.ts'
import { ownVersion } from '#client/ui/own-version.ts'
import { keepScreen } from './copy-screen.ts'
import type { KeptEvents, KeptHead, partNames } from './kept.ts'
import { type Pauses, watchPauses } from './pauses.ts'

/** How long to wait before the store is written again, in milliseconds. */
const afterChange = 5000
const afterUnsettled = 1000
/** How many events, and characters of them, are logged before the store is written in their place. */
const mostEvents = 500
const mostCharacters = 500_000
/** This many times as much, if the store cannot be written; then nothing is stored anymore. */
const tooMany = 4

export interface KeepingParts {
  readonly app: Pick<App, 'api' | 'machine' | 'store' | 'router'>
  readonly lists: ListCache
  /** Whether the store has no change that the server may still refuse. */
  isSettled(): boolean
  /** Whether this page already has the queue and the stored data. */
  readonly isOurs: Promise<boolean>
}

type Part = (typeof partNames)[number]

/**
 * Stores the store for the next page, once no other page of this browser does: each poll's events
 * as they come, and now and then, when the browser has nothing else to do and nobody acts, the
 * store in their place.
 *
 * @returns a function that ends it
 */
export function startKeeping(parts: KeepingParts): () => void {
  // Another user may have logged in since, in another tab.
  const session = openingSession()
  const isSame = () => session !== '' && sessionMark() === session
  const ending = new AbortController()
  let keeper: Keeper | undefined
  let hasKeptQueue = false
  void parts.isOurs.then((isOurs) => {
    hasKeptQueue = isOurs
  })

  async function start(): Promise<void> {
    if (!(await parts.isOurs) && !(await claimKept(ending.signal))) return
    const database = await openDatabase()
    if (ending.signal.aborted || !isSame()) return database.close()
    keeper = new Keeper(database, parts, session, isSame)
  }

  /** A page that keeps nothing leaves no queue behind, unless it is that of the stored data. */
  function leave({ persisted }: PageTransitionEvent): void {
    if (keeper || hasKeptQueue || persisted) return
    parts.app.machine.stop()
    void deleteQueue(parts.app.api, parts.app.machine.queueId)
  }

  addEventListener('pagehide', leave)
  // Without IndexedDB each start is a slow one.
  if (session !== '') start().catch(() => {})
  return () => {
    removeEventListener('pagehide', leave)
    ending.abort()
    keeper?.stop()
  }
}

async function deleteQueue(api: Api, queueId: string): Promise<void> {
  // It may be gone already.
  await api.delete('/events', { queue_id: queueId }, { isLast: true }).catch(() => {})
}

class Keeper {
  readonly #database: IDBDatabase
  readonly #parts: KeepingParts
  readonly #session: string
  readonly #isAllowed: () => boolean
  readonly #ends: (() => void)[]
  readonly #pauses: Pauses = watchPauses(window)
  /** The stored state of each part, by the versions of its tables. */
  readonly #stored = new Map<Part, string>()
  /** The queue whose events are logged: undefined until the store was written since it was opened. */
  #queueId: string | undefined
  /** The queue of the stored data. */
  #storedQueueId: string | undefined
  #events = 0
  #characters = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(
    database: IDBDatabase,
    parts: KeepingParts,
    session: string,
    isAllowed: () => boolean,
  ) {
    this.#database = database
    this.#parts = parts
    this.#session = session
    this.#isAllowed = isAllowed
    const { machine, store, router } = parts.app
    let isLeft = false
    const hide = () => {
      // A page that is left is hidden after that: it would copy all that it has twice.
      if (document.visibilityState === 'hidden' && !isLeft) this.#write()
    }
    const write = () => {
      isLeft = true
      // What is written now is there or not; what was written before still is.
      if (this.#write()) this.#promise()
    }
    const comeBack = () => {
      isLeft = false
    }
    document.addEventListener('visibilitychange', hide)
    addEventListener('pagehide', write)
    addEventListener('pageshow', comeBack)
    database.onclose = () => this.stop()
    this.#ends = [
      this.#pauses.stop,
      () => document.removeEventListener('visibilitychange', hide),
      () => removeEventListener('pagehide', write),
      () => removeEventListener('pageshow', comeBack),
      machine.onEvents((events, after) => this.#log(events, after)),
      store.onMessages(({ kind }) => {
        if (kind === 'restart') this.#begin()
      }),
      effect(() => {
        router.view.value
        this.#schedule(afterChange)
      }),
    ]
    void this.#learnStored().catch(() => this.#giveUp())
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const end of this.#ends) end()
    this.#database.close()
  }

  async #learnStored(): Promise<void> {
    const head = await resultOf<KeptHead | undefined>(
      this.#database.transaction('parts').objectStore('parts').get('head'),
    )
    if (head?.session === this.#session) this.#storedQueueId = head.position.queueId
    this.#begin()
  }

  /** The stored data cannot be extended: it belongs to another queue, or lacks some events. */
  #begin(): void {
    this.#queueId = undefined
    this.#schedule(afterUnsettled)
  }

  #schedule(ms: number): void {
    if (this.#isStopped || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      whenIdle(() => {
        this.#timer = undefined
        const isBusy = this.#isLoading() || !this.#pauses.isNow()
        if (isBusy || !this.#write()) this.#schedule(afterUnsettled)
      })
    }, ms)
  }

  /** Messages that are on their way would be missing in what the next page shows immediately. */
  #isLoading(): boolean {
    return [...this.#parts.lists.all()].some(({ status }) => status.peek().isOpening)
  }

  #log(events: readonly FeatureEvent[], after: number): void {
    if (this.#queueId === undefined || !this.#isAllowed()) return
    if (!events.every(canKeepEvent)) {
      this.#begin()
      return
    }
    const batch: KeptEvents = { queueId: this.#queueId, after, events }
    this.#events += events.length
    this.#characters += JSON.stringify(events).length
    const isLong = Math.max(this.#events / mostEvents, this.#characters / mostCharacters)
    if (isLong > tooMany) {
      this.#giveUp()
      return
    }
    if (isLong > 1) this.#schedule(0)
    this.#change((objectStore) => objectStore('log').add(batch))
  }

  /** Writes what has changed of the store. @returns whether that could be begun now */
  #write(): boolean {
    if (this.#isStopped || !this.#isAllowed()) return true
    const { app, lists, isSettled } = this.#parts
    const { store, machine } = app
    if (!isSettled()) return false
    const kept = keptLists(lists.all(), store)
    const messages = keptMessages(store, new Set(kept.flatMap(({ ids }) => ids)))
    const head: KeptHead = {
      name: 'head',
      session: this.#session,
      version: ownVersion() ?? '',
      position: machine.position,
    }
    const people = String(store.users.version.peek())
    const { channels, subscriptions, subscribers, folders } = store
    const tables = [channels, subscriptions, subscribers, folders]
    const places = tables.map(({ version }) => version.peek()).join()
    this.#change((objectStore) => {
      const put = (name: Part | 'head', value: object, version?: string) => {
        if (version !== undefined && this.#stored.get(name as Part) === version) return
        objectStore('parts').put({ ...value, name })
        if (version !== undefined) this.#stored.set(name as Part, version)
      }
      put('people', keptPeople(store), people)
      put('channels', keptChannels(store), places)
      put('messages', { ...messages, lists: kept })
      put('rest', keptRest(store, messages))
      put('head', head)
      objectStore('log').clear()
    }, this.#promise)
    const before = this.#storedQueueId
    if (before !== undefined && before !== machine.queueId) void deleteQueue(app.api, before)
    this.#storedQueueId = this.#queueId = machine.queueId
    this.#events = 0
    this.#characters = 0
    // What could not be begun to be stored has been given up.
    if (this.#isStopped) return true
    if (!hasSurface()) keepScreen(document.querySelector('.shell'))
    return true
  }

  /** Not before it is stored: a page that is left meanwhile may not have stored it. */
  readonly #promise = () => {
    if (!this.#isStopped && this.#isAllowed()) setHint(this.#session)
  }

  /** Makes all of a change or nothing, as far as one can tell before the page goes. */
  #change(
    make: (objectStore: (name: 'parts' | 'log') => IDBObjectStore) => void,
    stored?: () => void,
  ): void {
    try {
      const transaction = this.#database.transaction(['parts', 'log'], 'readwrite', {
        durability: 'relaxed',
      })
      transaction.onabort = () => this.#giveUp()
      if (stored) transaction.oncomplete = stored
      make((name) => transaction.objectStore(name))
      transaction.commit()
    } catch {
      this.#giveUp()
    }
  }

  /** The disk is full, or the browser refuses: nothing is better than a part. */
  #giveUp(): void {
    this.stop()
    void forgetKept()
  }
}
