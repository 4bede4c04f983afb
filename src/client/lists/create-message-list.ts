import { batch, effect, type Signal, signal, untracked } from '@preact/signals-core'
import type { Api } from '#client/api/api.ts'
import { followMessage } from '#client/narrow/follow.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { termsOf } from '#client/narrow/terms.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Store } from '#client/state/store.ts'
import { Highlights } from './highlights.ts'
import { includesId, mergeIds } from './ids.ts'
import { createAnchors } from './list-anchors.ts'
import { applyChange, type ListChanges } from './list-changes.ts'
import { ListRequests, openingPage, type Page, type PageRequest } from './list-requests.ts'
import { LongMessages } from './long-messages.ts'
import type { Anchor, KeptList, ListStatus, MessageList } from './message-list.ts'
import { followMuting, isShown } from './muted-rows.ts'
import { partOf, Stretch } from './stretch.ts'

/** How many messages later fetches ask for, and how many after a restart. */
const page = 100
const around = 150
/** How many pages in a row may contain only muted messages. */
const mostMutedPages = 5
/** How many messages a list keeps when memory is tidied, in view and out of it. */
const kept = { inView: 2000, outOfView: 60 }

export interface ListParts {
  readonly store: Store
  readonly api: Api
}

/**
 * The messages of a narrow, kept up to date until it is closed. It fetches nothing before `open`.
 *
 * @param start its initial messages
 */
export function createMessageList(
  narrow: Narrow,
  options: ListParts,
  start?: KeptList,
): MessageList {
  return new NarrowMessageList(narrow, options, start)
}

class NarrowMessageList implements MessageList {
  readonly narrow: Narrow
  readonly #store: Store
  readonly #stretch = new Stretch()
  readonly #highlights = new Highlights((id) => this.#store.messages.peek(id))
  readonly #requests: ListRequests
  #opened: boolean
  /** The pending call of `open`. */
  #opening: { readonly anchor: Anchor; readonly done: Promise<void> } | undefined
  /** Whether the list is in view. */
  #isWatched = false
  /** Whether events were missed since it was fetched. */
  #isStale = false
  readonly ids = signal<readonly number[]>([], {
    watched: () => {
      this.#isWatched = true
    },
    unwatched: () => {
      this.#isWatched = false
    },
  })
  readonly status: Signal<ListStatus>
  readonly #anchors: ReturnType<typeof createAnchors>
  readonly anchorId = signal<number | undefined>(undefined)
  readonly firstUnreadId = signal<number | undefined>(undefined)
  readonly movedTo = signal<Narrow | undefined>(undefined)
  readonly #changes: ListChanges
  readonly #stopHolding: () => void
  readonly #stopListening: () => void
  // Mutes change rarely, so everything is filtered again then.
  readonly #stopFiltering: () => void
  readingId: number | undefined = undefined
  readonly matches = this.#highlights.found
  readonly long = new LongMessages()

  constructor(narrow: Narrow, { store, api }: ListParts, start?: KeptList) {
    this.narrow = narrow
    this.#store = store
    this.#requests = new ListRequests({
      api,
      terms: termsOf(narrow, store.selfId),
      onStart: () => this.#stretch.forgetArrived(),
      onProblem: (problem) => {
        if (problem !== undefined) this.#update({ isOpening: false, problem })
        else if (this.status.value.problem !== undefined) this.#update({ problem })
      },
    })
    this.#opened = start !== undefined
    if (start) this.#stretch.replace(start.ids)
    this.status = signal({
      isOpening: false,
      hasOldest: start?.hasOldest ?? false,
      hasNewest: start?.hasNewest ?? false,
      problem: undefined,
    })
    this.#anchors = createAnchors(narrow, store, { ids: this.ids, status: this.status })
    this.#changes = {
      has: (id) => includesId(this.#stretch.ids, id),
      insert: (some) => this.#insert(some),
      remove: (gone) => {
        if (this.#stretch.remove(new Set(gone))) this.#show()
      },
      askWhether: (unclear) => {
        if (this.#opened || this.#requests.isFetching) void this.#askWhether(unclear)
      },
      fetch: (some) => {
        if (this.#opened) void this.#fetchMoved(some)
      },
      edited: (changed) => {
        const outdated = this.#highlights.forgetOutdated(changed)
        if (outdated.length > 0) void this.#askWhether(outdated)
      },
      moved: (to) => {
        this.movedTo.value = to
      },
      restart: () => {
        if (!this.#opened) return
        this.#isStale = true
        // A list out of view is fetched when it is opened.
        if (this.#isWatched) void this.#refetchAround()
      },
    }
    this.#stopHolding = store.holdMessages(() => {
      this.#shorten(this.#isWatched ? kept.inView : kept.outOfView)
      return this.#stretch.held
    })
    this.#stopListening = store.onMessages((change) =>
      applyChange(change, this.narrow, this.#store, this.#changes),
    )
    this.#stopFiltering = effect(() => {
      followMuting(this.narrow, this.#store)
      untracked(() => this.#show())
    })
  }

  // Opening.
  /** Opens it. Concurrent calls share one request. */
  open(anchor: Anchor): Promise<void> {
    const isSame = (other: Anchor) => JSON.stringify(other) === JSON.stringify(anchor)
    if (this.#opening && isSame(this.#opening.anchor)) return this.#opening.done
    const done = this.#openAt(anchor).finally(() => {
      if (this.#opening === mine) this.#opening = undefined
    })
    const mine = { anchor, done }
    this.#opening = mine
    return done
  }

  fetchOlder(): Promise<void> {
    return this.#requests.alone('older', () => this.#fetchMore('older'))
  }

  fetchNewer(): Promise<void> {
    return this.#requests.alone('newer', () => this.#fetchMore('newer'))
  }

  kept(): KeptList | undefined {
    const { hasOldest, hasNewest } = this.status.peek()
    const isWhole = this.#opened && !this.#isStale && this.movedTo.peek() === undefined
    return isWhole
      ? { narrow: this.narrow, ids: this.#stretch.ids, hasOldest, hasNewest }
      : undefined
  }

  close(): void {
    this.#requests.cancel()
    this.#stopHolding()
    this.#stopListening()
    this.#stopFiltering()
  }

  async #openAt(anchor: Anchor): Promise<void> {
    this.movedTo.value = this.#whereNamed()
    if (this.movedTo.value) return
    const known = this.#opened && !this.#isStale ? this.#anchors.known(anchor) : undefined
    if (known) {
      batch(() => {
        this.anchorId.value = known.id
        this.firstUnreadId.value = this.#anchors.firstUnread(known.id)
      })
      return
    }
    this.#requests.cancel()
    this.#update({ isOpening: true, problem: undefined })
    await this.#refetch(openingPage(anchor), anchor.at)
  }

  /** The conversation of the linked message, if it is known to be elsewhere. */
  #whereNamed(): Narrow | undefined {
    if (this.narrow.kind !== 'topic' || this.narrow.withId === undefined) return undefined
    return followMessage(this.narrow, this.#store.messages.peek(this.narrow.withId)?.conversation)
  }

  /** Replaces all messages with the result of a fetch; until then they stay. */
  async #refetch(asked: PageRequest, at: Anchor['at']): Promise<void> {
    const reply = await this.#requests.page(asked)
    if (!reply) return
    const { found, elsewhere } = this.#receive(reply)
    batch(() => {
      this.#opened = true
      this.#isStale = false
      this.movedTo.value = elsewhere
      this.#stretch.replace(elsewhere ? [] : found)
      const { found_oldest: hasOldest, found_newest: hasNewest } = reply
      if (hasNewest && !elsewhere) this.#stretch.appendArrived((id) => this.#exists(id))
      this.#show()
      this.#update({ isOpening: false, hasOldest, hasNewest })
      this.anchorId.value = this.#anchors.nearest(
        typeof asked.anchor === 'number' ? asked.anchor : reply.anchor,
      )
      this.firstUnreadId.value = this.#anchors.firstUnread(
        at === 'first-unread' ? this.anchorId.value : undefined,
      )
    })
    if (!elsewhere) await this.#fillPage()
  }

  /** If all fetched messages are muted, more have to be fetched. */
  async #fillPage(): Promise<void> {
    if (this.ids.value.length > 0 || this.#stretch.ids.length === 0) return
    if (!this.status.value.hasOldest) await this.fetchOlder()
    else if (!this.status.value.hasNewest) await this.fetchNewer()
  }

  /** Fetches the messages being read again; the current ones stay until then. */
  async #refetchAround(): Promise<void> {
    const at = this.readingId ?? this.anchorId.value
    const wasAtEnd =
      this.status.value.hasNewest && (at === undefined || at === this.ids.value.at(-1))
    const unreadId = this.firstUnreadId.value
    this.#requests.cancel()
    this.#update({ isOpening: true, problem: undefined })
    await this.#refetch(
      wasAtEnd || at === undefined
        ? { anchor: 'newest', before: around, after: 0 }
        : { anchor: at, before: around, after: around },
      'message',
    )
    // The marker stays in its place for the reader.
    if (unreadId !== undefined && includesId(this.ids.value, unreadId))
      this.firstUnreadId.value = unreadId
  }

  // Fetching more.
  async #fetchMore(side: 'older' | 'newer'): Promise<void> {
    if (this.#isStale) return await this.#refetchAround()
    const isOlder = side === 'older'
    const shown = this.ids.value.length
    for (let i = 0; i < mostMutedPages; i++) {
      const anchor = isOlder ? this.#stretch.ids[0] : this.#stretch.ids.at(-1)
      const { isOpening, hasOldest, hasNewest } = this.status.value
      if (isOpening || anchor === undefined || (isOlder ? hasOldest : hasNewest)) return
      const [before, after] = isOlder ? [page, 0] : [0, page]
      const reply = await this.#requests.page({ anchor, before, after, withAnchor: false })
      if (!reply) return
      const { found } = this.#receive(reply)
      batch(() => {
        this.#stretch.add(found)
        if (!isOlder && reply.found_newest) this.#stretch.appendArrived((id) => this.#exists(id))
        this.#show()
        this.#update(
          isOlder ? { hasOldest: reply.found_oldest } : { hasNewest: reply.found_newest },
        )
      })
      if (this.ids.value.length > shown) return
    }
  }

  /** Passes fetched messages to the store, and returns those that belong here. */
  #receive(reply: Page): { found: number[]; elsewhere: Narrow | undefined } {
    this.#store.addMessages(reply.messages.map((wire) => messageFromWire(wire, this.#store.selfId)))
    this.#highlights.remember(reply.messages)
    const found = reply.messages.map(({ id }) => id)
    const sample = found[0] === undefined ? undefined : this.#store.messages.peek(found[0])
    return { found, elsewhere: followMessage(this.narrow, sample?.conversation) }
  }

  // Changes.
  #insert(some: readonly number[]): void {
    if (some.length === 0) return
    if (this.#requests.isFetching) this.#stretch.arrive(some)
    if (!this.#opened) return
    const within = this.#stretch.within(some, this.status.value)
    if (within.length === 0) return
    const last = this.#stretch.ids.at(-1)
    this.#stretch.add(within)
    // A long list is not filtered again for each message that comes.
    const areNewest = last === undefined || within.every((id) => id > last)
    if (areNewest)
      this.ids.value = mergeIds(
        this.ids.value,
        within.filter((id) => this.#isInSight(id)),
      )
    else this.#show()
  }

  async #askWhether(unclear: readonly number[]): Promise<void> {
    const found = await this.#requests.matching(unclear)
    if (!found) return
    batch(() => {
      this.#highlights.remember(found)
      this.#insert(found.map(({ id }) => id))
    })
  }

  async #fetchMoved(some: readonly number[]): Promise<void> {
    const reply = await this.#requests.messages(some)
    if (reply) batch(() => this.#insert(this.#receive(reply).found))
  }

  /** Lets go of what is far from the message being read: it can be fetched again. */
  #shorten(most: number): void {
    if (this.#requests.isFetching || this.#stretch.ids.length <= most) return
    const { hasOldest, hasNewest } = this.status.peek()
    const part = partOf({ ids: this.#stretch.ids, hasOldest, hasNewest }, most, this.readingId)
    batch(() => {
      this.#stretch.replace(part.ids)
      this.#show()
      this.#update({ hasOldest: part.hasOldest, hasNewest: part.hasNewest })
    })
  }

  // What is shown.
  #show(): void {
    const shown = this.#stretch.ids.filter((id) => this.#isInSight(id))
    const before = this.ids.peek()
    const isSame = shown.length === before.length && shown.every((id, i) => id === before[i])
    if (!isSame) this.ids.value = shown
  }

  #exists(id: number): boolean {
    return this.#store.messages.peek(id) !== undefined
  }

  #isInSight(id: number): boolean {
    const message = this.#store.messages.peek(id)
    return message !== undefined && isShown(this.narrow, message, this.#store)
  }

  #update(change: Partial<ListStatus>): void {
    this.status.value = { ...this.status.peek(), ...change }
  }
}
