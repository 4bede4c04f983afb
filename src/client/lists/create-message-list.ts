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
import { type Asked, ListRequests, openingPage, type Page } from './list-requests.ts'
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
  { store, api }: ListParts,
  start?: KeptList,
): MessageList {
  const stretch = new Stretch()
  const highlights = new Highlights((id) => store.messages.peek(id))
  const requests = new ListRequests({
    api,
    terms: termsOf(narrow, store.selfId),
    onStart: () => stretch.forgetArrived(),
    onProblem(problem) {
      if (problem !== undefined) update({ isOpening: false, problem })
      else if (status.value.problem !== undefined) update({ problem })
    },
  })
  let opened = start !== undefined
  if (start) stretch.replace(start.ids)
  /** The pending call of `open`. */
  let opening: { readonly anchor: Anchor; readonly done: Promise<void> } | undefined
  /** Whether the list is in view. */
  let isWatched = false
  /** Whether events were missed since it was fetched. */
  let isStale = false

  const ids = signal<readonly number[]>([], {
    watched: () => {
      isWatched = true
    },
    unwatched: () => {
      isWatched = false
    },
  })
  const status: Signal<ListStatus> = signal({
    isOpening: false,
    hasOldest: start?.hasOldest ?? false,
    hasNewest: start?.hasNewest ?? false,
    problem: undefined,
  })
  const anchors = createAnchors(narrow, store, { ids, status })
  const anchorId = signal<number | undefined>(undefined)
  const firstUnreadId = signal<number | undefined>(undefined)
  const movedTo = signal<Narrow | undefined>(undefined)

  const list: MessageList = {
    narrow,
    ids,
    status,
    anchorId,
    firstUnreadId,
    readingId: undefined,
    movedTo,
    matches: highlights.found,
    long: new LongMessages(),
    open,
    fetchOlder: () => requests.alone('older', () => fetchMore('older')),
    fetchNewer: () => requests.alone('newer', () => fetchMore('newer')),
    kept() {
      const { hasOldest, hasNewest } = status.peek()
      const isWhole = opened && !isStale && movedTo.peek() === undefined
      return isWhole ? { narrow, ids: stretch.ids, hasOldest, hasNewest } : undefined
    },
    close() {
      requests.cancel()
      stopHolding()
      stopListening()
      stopFiltering()
    },
  }
  const changes: ListChanges = {
    has: (id) => includesId(stretch.ids, id),
    insert,
    remove(gone) {
      if (stretch.remove(new Set(gone))) show()
    },
    askWhether(unclear) {
      if (opened || requests.isFetching) void askWhether(unclear)
    },
    fetch(some) {
      if (opened) void fetchMoved(some)
    },
    edited(changed) {
      const outdated = highlights.forgetOutdated(changed)
      if (outdated.length > 0) void askWhether(outdated)
    },
    moved(to) {
      movedTo.value = to
    },
    restart() {
      if (!opened) return
      isStale = true
      // A list out of view is fetched when it is opened.
      if (isWatched) void refetchAround()
    },
  }

  const stopHolding = store.holdMessages(() => {
    shorten(isWatched ? kept.inView : kept.outOfView)
    return stretch.held
  })
  const stopListening = store.onMessages((change) => applyChange(change, narrow, store, changes))
  // Mutes change rarely, so everything is filtered again then.
  const stopFiltering = effect(() => {
    followMuting(narrow, store)
    untracked(show)
  })
  return list

  // Opening.

  /** Opens it. Concurrent calls share one request. */
  function open(anchor: Anchor): Promise<void> {
    const isSame = (other: Anchor) => JSON.stringify(other) === JSON.stringify(anchor)
    if (opening && isSame(opening.anchor)) return opening.done
    const done = openAt(anchor).finally(() => {
      if (opening === mine) opening = undefined
    })
    const mine = { anchor, done }
    opening = mine
    return done
  }

  async function openAt(anchor: Anchor): Promise<void> {
    movedTo.value = whereNamed()
    if (movedTo.value) return
    const known = opened && !isStale ? anchors.known(anchor) : undefined
    if (known) {
      batch(() => {
        anchorId.value = known.id
        firstUnreadId.value = anchors.firstUnread(known.id)
      })
      return
    }
    requests.cancel()
    update({ isOpening: true, problem: undefined })
    await refetch(openingPage(anchor), anchor.at)
  }

  /** The conversation of the linked message, if it is known to be elsewhere. */
  function whereNamed(): Narrow | undefined {
    if (narrow.kind !== 'topic' || narrow.withId === undefined) return undefined
    return followMessage(narrow, store.messages.peek(narrow.withId)?.conversation)
  }

  /** Replaces all messages with the result of a fetch; until then they stay. */
  async function refetch(asked: Asked, at: Anchor['at']): Promise<void> {
    const answer = await requests.page(asked)
    if (!answer) return
    const { found, elsewhere } = receive(answer)
    batch(() => {
      opened = true
      isStale = false
      movedTo.value = elsewhere
      stretch.replace(elsewhere ? [] : found)
      const { found_oldest: hasOldest, found_newest: hasNewest } = answer
      if (hasNewest && !elsewhere) stretch.appendArrived(exists)
      show()
      update({ isOpening: false, hasOldest, hasNewest })
      anchorId.value = anchors.nearest(
        typeof asked.anchor === 'number' ? asked.anchor : answer.anchor,
      )
      firstUnreadId.value = anchors.firstUnread(at === 'first-unread' ? anchorId.value : undefined)
    })
    if (!elsewhere) await fillPage()
  }

  /** If all fetched messages are muted, more have to be fetched. */
  async function fillPage(): Promise<void> {
    if (ids.value.length > 0 || stretch.ids.length === 0) return
    if (!status.value.hasOldest) await list.fetchOlder()
    else if (!status.value.hasNewest) await list.fetchNewer()
  }

  /** Fetches the messages being read again; the current ones stay until then. */
  async function refetchAround(): Promise<void> {
    const at = list.readingId ?? anchorId.value
    const wasAtEnd = status.value.hasNewest && (at === undefined || at === ids.value.at(-1))
    const unreadId = firstUnreadId.value
    requests.cancel()
    update({ isOpening: true, problem: undefined })
    await refetch(
      wasAtEnd || at === undefined
        ? { anchor: 'newest', before: around, after: 0 }
        : { anchor: at, before: around, after: around },
      'message',
    )
    // The marker stays in its place for the reader.
    if (unreadId !== undefined && includesId(ids.value, unreadId)) firstUnreadId.value = unreadId
  }

  // Fetching more.

  async function fetchMore(side: 'older' | 'newer'): Promise<void> {
    if (isStale) return await refetchAround()
    const isOlder = side === 'older'
    const shown = ids.value.length
    for (let i = 0; i < mostMutedPages; i++) {
      const anchor = isOlder ? stretch.ids[0] : stretch.ids.at(-1)
      const { isOpening, hasOldest, hasNewest } = status.value
      if (isOpening || anchor === undefined || (isOlder ? hasOldest : hasNewest)) return
      const [before, after] = isOlder ? [page, 0] : [0, page]
      const answer = await requests.page({ anchor, before, after, withAnchor: false })
      if (!answer) return
      const { found } = receive(answer)
      batch(() => {
        stretch.add(found)
        if (!isOlder && answer.found_newest) stretch.appendArrived(exists)
        show()
        update(isOlder ? { hasOldest: answer.found_oldest } : { hasNewest: answer.found_newest })
      })
      if (ids.value.length > shown) return
    }
  }

  /** Passes fetched messages to the store, and returns those that belong here. */
  function receive(answer: Page): { found: number[]; elsewhere: Narrow | undefined } {
    store.addMessages(answer.messages.map((wire) => messageFromWire(wire, store.selfId)))
    highlights.remember(answer.messages)
    const found = answer.messages.map(({ id }) => id)
    const sample = found[0] === undefined ? undefined : store.messages.peek(found[0])
    return { found, elsewhere: followMessage(narrow, sample?.conversation) }
  }

  // Changes.

  function insert(some: readonly number[]): void {
    if (some.length === 0) return
    if (requests.isFetching) stretch.arrive(some)
    if (!opened) return
    const within = stretch.within(some, status.value)
    if (within.length === 0) return
    const last = stretch.ids.at(-1)
    stretch.add(within)
    // A long list is not filtered again for each message that comes.
    const areNewest = last === undefined || within.every((id) => id > last)
    if (areNewest) ids.value = mergeIds(ids.value, within.filter(isInSight))
    else show()
  }

  async function askWhether(unclear: readonly number[]): Promise<void> {
    const found = await requests.matching(unclear)
    if (!found) return
    batch(() => {
      highlights.remember(found)
      insert(found.map(({ id }) => id))
    })
  }

  async function fetchMoved(some: readonly number[]): Promise<void> {
    const answer = await requests.messages(some)
    if (answer) batch(() => insert(receive(answer).found))
  }

  /** Lets go of what is far from the message being read: it can be fetched again. */
  function shorten(most: number): void {
    if (requests.isFetching || stretch.ids.length <= most) return
    const { hasOldest, hasNewest } = status.peek()
    const part = partOf({ ids: stretch.ids, hasOldest, hasNewest }, most, list.readingId)
    batch(() => {
      stretch.replace(part.ids)
      show()
      update({ hasOldest: part.hasOldest, hasNewest: part.hasNewest })
    })
  }

  // What is shown.

  function show(): void {
    const shown = stretch.ids.filter(isInSight)
    const before = ids.peek()
    const isSame = shown.length === before.length && shown.every((id, i) => id === before[i])
    if (!isSame) ids.value = shown
  }

  function exists(id: number): boolean {
    return store.messages.peek(id) !== undefined
  }

  function isInSight(id: number): boolean {
    const message = store.messages.peek(id)
    return message !== undefined && isShown(narrow, message, store)
  }

  function update(change: Partial<ListStatus>): void {
    status.value = { ...status.peek(), ...change }
  }
}
