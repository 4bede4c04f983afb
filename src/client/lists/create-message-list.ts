import { batch, effect, type Signal, signal, untracked } from '@preact/signals-core'
import type { Api } from '#client/api/api.ts'
import { CallError } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import { followMessage, followMove } from '#client/narrow/follow.ts'
import { containsMessage, isTopicMuted } from '#client/narrow/matches.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { conversationOfNarrow, termsOf } from '#client/narrow/terms.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import { conversationKey, type Message } from '#client/state/model.ts'
import type { MessageChange, Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { includesId, mergeIds, positionOf, withoutIds } from './ids.ts'
import { LongMessages } from './long-messages.ts'
import type { Anchor, ListStatus, MessageList } from './message-list.ts'

/** How many messages the first fetch asks for, how many the later ones, how many after a restart. */
const first = { before: 30, after: 50 }
const page = 100
const around = 150
/** How many pages in a row may hold nothing but muted messages. */
const mostMutedPages = 5

export interface ListParts {
  readonly store: Store
  readonly api: Api
}

interface Page {
  readonly anchor?: number
  readonly found_oldest: boolean
  readonly found_newest: boolean
  readonly messages: readonly WireMessage[]
}

type FoundMatch = Pick<WireMessage, 'id' | 'match_content' | 'match_subject'>

interface Asked {
  readonly anchor: number | 'newest' | 'first_unread'
  readonly before: number
  readonly after: number
  /** Whether the anchor itself is wanted: not where it is known. */
  readonly withAnchor?: boolean
}

/**
 * The messages of a narrow, kept up to date until it is closed. It fetches nothing before `open`.
 *
 * A fetch that says that it has the newest may come back after a newer message came as an event.
 * So what arrives while a fetch is on its way is kept, and appended once a fetch reaches the end:
 * everything newer than its answer comes as an event.
 */
export function createMessageList(narrow: Narrow, { store, api }: ListParts): MessageList {
  const terms = termsOf(narrow, store.selfId)
  /** Everything fetched, muted messages too, so that unmuting needs no fetch. */
  let fetched: readonly number[] = []
  /** Fetches of an older generation have nothing to say any more. */
  let generation = 0
  let opened = false
  const running: { older?: Promise<void>; newer?: Promise<void> } = {}
  let fetching = 0
  /** What arrived during fetches, and belongs here if one of them reaches the end. */
  let arrived: number[] = []
  /** The text of messages as of when the server highlighted it. */
  const highlighted = new Map<number, string | undefined>()
  /** Whether somebody looks at the list. */
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
    hasOldest: false,
    hasNewest: false,
    problem: undefined,
  })
  const anchorId = signal<number | undefined>(undefined)
  const firstUnreadId = signal<number | undefined>(undefined)
  const movedTo = signal<Narrow | undefined>(undefined)
  const matches: Signal<ReadonlyMap<number, { html: string; topic: string }>> = signal(new Map())

  const list: MessageList = {
    narrow,
    ids,
    status,
    anchorId,
    firstUnreadId,
    readingId: undefined,
    movedTo,
    matches,
    long: new LongMessages(),
    open,
    fetchOlder: () => alone('older', fetchBefore),
    fetchNewer: () => alone('newer', fetchAfter),
    close() {
      forgetFetches()
      stopHolding()
      stopListening()
      stopFiltering()
    },
  }

  const stopHolding = store.holdMessages(() => [...fetched, ...arrived])
  const stopListening = store.onMessages(applyChange)
  // Who and what is muted changes seldom, so then everything is filtered again.
  const stopFiltering = effect(() => {
    if (hidesMutedPeople(narrow)) store.mutedUsers.value
    if (hidesMutedTopics(narrow)) {
      store.topicPolicies.version.value
      if (narrow.kind === 'all') store.subscriptions.version.value
    }
    untracked(() => show(fetched))
  })
  return list

  // Opening.

  async function open(anchor: Anchor): Promise<void> {
    movedTo.value = whereNamed()
    if (movedTo.value) return
    const known = opened && !isStale ? knownAnchor(anchor) : undefined
    if (known) {
      batch(() => {
        anchorId.value = known.id
        firstUnreadId.value = firstUnread(known.id)
      })
      return
    }
    forgetFetches()
    update({ isOpening: true, problem: undefined })
    if (anchor.at === 'newest') await refetch(newest(), 'newest')
    else {
      const from = anchor.at === 'message' ? anchor.id : 'first_unread'
      await refetch({ anchor: from, ...first }, anchor.at)
    }
  }

  /** Where the message that the link names is, if that is known to be elsewhere. */
  function whereNamed(): Narrow | undefined {
    if (narrow.kind !== 'topic' || narrow.withId === undefined) return undefined
    return followMessage(narrow, store.messages.peek(narrow.withId)?.conversation)
  }

  /** The message at which to open what is there; undefined where that needs a fetch. */
  function knownAnchor(anchor: Anchor): { readonly id: number | undefined } | undefined {
    const { hasNewest, hasOldest } = status.value
    if (anchor.at === 'message') {
      return includesId(ids.value, anchor.id) ? { id: anchor.id } : undefined
    }
    if (anchor.at === 'first-unread') {
      const place = conversationOfNarrow(narrow)
      const complete = place !== undefined && !store.unreads.isIncomplete.value
      const unread = complete ? store.unreads.idsOf(place)[0] : ids.value.find(isUnread)
      if (unread !== undefined) {
        const isFirst = complete || hasOldest || unread !== ids.value[0]
        return isFirst && includesId(ids.value, unread) ? { id: unread } : undefined
      }
    }
    return hasNewest ? { id: ids.value.at(-1) } : undefined
  }

  /** Takes what a fetch finds in place of all that is there; until then that stays. */
  async function refetch(asked: Asked, at: Anchor['at']): Promise<void> {
    const answer = await ask(asked)
    if (!answer) return
    const { found, elsewhere } = receive(answer)
    batch(() => {
      opened = true
      isStale = false
      movedTo.value = elsewhere
      fetched = elsewhere ? [] : found
      const hasNewest = answer.found_newest
      if (hasNewest && !elsewhere) appendArrived()
      show(fetched)
      update({ isOpening: false, hasOldest: answer.found_oldest, hasNewest })
      anchorId.value = nearest(typeof asked.anchor === 'number' ? asked.anchor : answer.anchor)
      firstUnreadId.value = firstUnread(at === 'first-unread' ? anchorId.value : undefined)
    })
    if (elsewhere) return
    await fillPage()
  }

  /** Where everything that came is muted, there is more to look for. */
  async function fillPage(): Promise<void> {
    if (ids.value.length > 0 || fetched.length === 0) return
    if (!status.value.hasOldest) await list.fetchOlder()
    else if (!status.value.hasNewest) await list.fetchNewer()
  }

  function newest(): Asked {
    return { anchor: 'newest', before: first.after, after: 0 }
  }

  // More of it.

  async function fetchBefore(): Promise<void> {
    if (isStale) return refetchAround()
    const shown = ids.value.length
    for (let i = 0; i < mostMutedPages; i++) {
      const from = fetched[0]
      const { isOpening, hasOldest } = status.value
      if (isOpening || hasOldest || from === undefined) return
      const answer = await ask({ anchor: from, before: page, after: 0, withAnchor: false })
      if (!answer) return
      const { found } = receive(answer)
      batch(() => {
        fetched = mergeIds(fetched, found)
        show(fetched)
        update({ hasOldest: answer.found_oldest })
      })
      if (ids.value.length > shown) return
    }
  }

  async function fetchAfter(): Promise<void> {
    if (isStale) return refetchAround()
    const shown = ids.value.length
    for (let i = 0; i < mostMutedPages; i++) {
      const from = fetched.at(-1)
      const { isOpening, hasNewest } = status.value
      if (isOpening || hasNewest || from === undefined) return
      const answer = await ask({ anchor: from, before: 0, after: page, withAnchor: false })
      if (!answer) return
      const { found } = receive(answer)
      batch(() => {
        fetched = mergeIds(fetched, found)
        if (answer.found_newest) appendArrived()
        show(fetched)
        update({ hasNewest: answer.found_newest })
      })
      if (ids.value.length > shown) return
    }
  }

  /** One fetch of a kind at a time. */
  function alone(which: 'older' | 'newer', run: () => Promise<void>): Promise<void> {
    const known = running[which]
    if (known) return known
    const promise = run().finally(() => {
      if (running[which] === promise) delete running[which]
    })
    running[which] = promise
    return promise
  }

  function forgetFetches(): void {
    generation += 1
    delete running.older
    delete running.newer
  }

  /** Undefined where it failed, or where its answer is not wanted any more. */
  async function ask({ anchor, before, after, withAnchor = true }: Asked) {
    const mine = generation
    if (fetching++ === 0) arrived = []
    try {
      const answer = await api.get<Page>('/messages', {
        anchor,
        num_before: before,
        num_after: after,
        include_anchor: withAnchor,
        narrow: terms,
        client_gravatar: false,
        allow_empty_topic_name: true,
      })
      if (mine !== generation) return undefined
      if (status.value.problem !== undefined) update({ problem: undefined })
      return answer
    } catch (error) {
      if (mine === generation) update({ isOpening: false, problem: problemOf(error) })
      return undefined
    } finally {
      fetching -= 1
    }
  }

  /** Gives the store what came, and says what of it belongs here. */
  function receive(answer: Page): { found: number[]; elsewhere: Narrow | undefined } {
    store.addMessages(answer.messages.map((wire) => messageFromWire(wire, store.selfId)))
    rememberMatches(answer.messages)
    const found = answer.messages.map(({ id }) => id)
    const sample = found[0] === undefined ? undefined : store.messages.peek(found[0])
    return { found, elsewhere: followMessage(narrow, sample?.conversation) }
  }

  function rememberMatches(messages: readonly FoundMatch[]): void {
    const found = messages.filter(({ match_content }) => match_content !== undefined)
    if (found.length === 0) return
    const next = new Map(matches.value)
    for (const { id, match_content = '', match_subject = '' } of found) {
      next.set(id, { html: match_content, topic: match_subject })
      highlighted.set(id, store.messages.peek(id)?.html)
    }
    matches.value = next
  }

  /** Asks again for what is highlighted in messages whose text changed. */
  function refreshMatches(changed: readonly number[]): void {
    const edited = changed.filter(
      (id) => highlighted.has(id) && highlighted.get(id) !== store.messages.peek(id)?.html,
    )
    if (edited.length === 0) return
    for (const id of edited) highlighted.delete(id)
    matches.value = new Map([...matches.value].filter(([id]) => !edited.includes(id)))
    void askWhether(edited)
  }

  // What happens meanwhile.

  function applyChange(change: MessageChange): void {
    if (change.kind === 'new') takeIn([change.message])
    else if (change.kind === 'deleted') drop(change.ids)
    else if (change.kind === 'moved') applyMove(change)
    else if (change.kind === 'changed') applyEdits(change.ids)
    else restart()
  }

  function takeIn(messages: readonly Message[]): void {
    const unclear: number[] = []
    const sure: number[] = []
    for (const message of messages) {
      const contains = containsMessage(narrow, message, store)
      if (contains) sure.push(message.id)
      if (contains === null) unclear.push(message.id)
    }
    insert(sure)
    if (unclear.length > 0 && (opened || fetching > 0)) void askWhether(unclear)
  }

  /** Inserts what lies in the stretch that is fetched; the rest comes with a fetch. */
  function insert(some: readonly number[]): void {
    if (some.length === 0) return
    if (fetching > 0) arrived.push(...some)
    if (!opened) return
    const { hasOldest, hasNewest } = status.value
    const [from, to] = [fetched[0], fetched.at(-1)]
    const within = some.filter((id) => {
      const after = from !== undefined && id > from
      const before = to !== undefined && id < to
      return (after || hasOldest) && (before || hasNewest)
    })
    if (within.length === 0) return
    fetched = mergeIds(fetched, within)
    // A long list is not filtered again for each message that comes.
    const newest = to === undefined || within.every((id) => id > to)
    if (newest) ids.value = mergeIds(ids.value, within.filter(isShown))
    else show(fetched)
  }

  function appendArrived(): void {
    const last = fetched.at(-1) ?? 0
    fetched = mergeIds(
      fetched,
      arrived.filter((id) => id > last && store.messages.peek(id) !== undefined),
    )
    arrived = []
  }

  /** Asks the server about messages of which only it can tell. */
  async function askWhether(unclear: readonly number[]): Promise<void> {
    const mine = generation
    try {
      const { messages } = await api.get<{
        messages: Record<string, Omit<FoundMatch, 'id'>>
      }>('/messages/matches_narrow', { msg_ids: unclear, narrow: terms })
      if (mine !== generation) return
      const found = unclear.filter((id) => Object.hasOwn(messages, id))
      batch(() => {
        rememberMatches(found.map((id) => ({ ...messages[id], id })))
        insert(found)
      })
    } catch {
      // It is missing until the list is opened again.
    }
  }

  function drop(gone: readonly number[]): void {
    const set = new Set(gone)
    arrived = arrived.filter((id) => !set.has(id))
    const kept = withoutIds(fetched, set)
    if (kept === fetched) return
    fetched = kept
    show(fetched)
  }

  function applyMove(change: MessageChange & { readonly kind: 'moved' }): void {
    const target = followMove(narrow, change)
    const known = change.ids.flatMap((id) => store.messages.peek(id) ?? [])
    const out = known.filter((message) => containsMessage(narrow, message, store) === false)
    const here = new Set(known.map(({ id }) => id))
    const strangers = change.ids.filter((id) => !here.has(id))
    batch(() => {
      if (target) movedTo.value = target
      drop(out.map(({ id }) => id))
      takeIn(known.filter(({ id }) => !includesId(fetched, id)))
    })
    if (strangers.length > 0 && opened && mayMoveInto(change)) void fetchMoved(strangers)
  }

  /** Whether messages that are not known here may be in the narrow now. */
  function mayMoveInto({ to }: MessageChange & { readonly kind: 'moved' }): boolean {
    if (to.kind !== 'topic') return false
    if (narrow.kind === 'channel') return narrow.channelId === to.channelId
    if (narrow.kind !== 'topic') return narrow.kind === 'all' || narrow.kind === 'search'
    return (
      narrow.channelId === to.channelId && narrow.topic.toLowerCase() === to.topic.toLowerCase()
    )
  }

  async function fetchMoved(some: readonly number[]): Promise<void> {
    const mine = generation
    try {
      const answer = await api.get<Page>('/messages', {
        message_ids: some,
        narrow: terms,
        client_gravatar: false,
        allow_empty_topic_name: true,
      })
      if (mine !== generation) return
      batch(() => insert(receive(answer).found))
    } catch {
      // They are missing until the list is opened again.
    }
  }

  /** Stars, mentions and reactions put messages into a narrow; only a star taken away removes one. */
  function applyEdits(changed: readonly number[]): void {
    if (highlighted.size > 0) refreshMatches(changed)
    if (!['starred', 'mentions', 'reactions'].includes(narrow.kind)) return
    const known = changed.flatMap((id) => store.messages.peek(id) ?? [])
    batch(() => {
      takeIn(known.filter(({ id }) => !includesId(fetched, id)))
      if (narrow.kind !== 'starred') return
      drop(known.filter(({ flags }) => !flags.has('starred')).map(({ id }) => id))
    })
  }

  /** Events are missing, so everything may have changed. What nobody looks at can wait. */
  function restart(): void {
    if (!opened) return
    isStale = true
    if (isWatched) void refetchAround()
  }

  /** Fetches what is being read again; what is shown stays until that is there. */
  async function refetchAround(): Promise<void> {
    const at = list.readingId ?? anchorId.value
    const wasAtEnd = status.value.hasNewest && (at === undefined || at === ids.value.at(-1))
    const unreadId = firstUnreadId.value
    forgetFetches()
    update({ isOpening: true, problem: undefined })
    await refetch(
      wasAtEnd || at === undefined
        ? { anchor: 'newest', before: around, after: 0 }
        : { anchor: at, before: around, after: around },
      'message',
    )
    // The marker stays where the reader knows it.
    if (unreadId !== undefined && includesId(ids.value, unreadId)) firstUnreadId.value = unreadId
  }

  // What is shown.

  function show(all: readonly number[]): void {
    const shown = all.filter(isShown)
    const before = ids.peek()
    const same = shown.length === before.length && shown.every((id, i) => id === before[i])
    if (!same) ids.value = shown
  }

  function isShown(id: number): boolean {
    const message = store.messages.peek(id)
    if (!message) return false
    if (hidesMutedPeople(narrow) && store.mutedUsers.peek().has(message.senderId)) return false
    if (!hidesMutedTopics(narrow)) return true
    if (narrow.kind === 'all') return !isTopicMuted(message, store)
    // In a muted channel that one has opened, only topics that are muted themselves are hidden.
    return store.topicPolicies.peek(conversationKey(message.conversation)) !== 1
  }

  function isUnread(id: number): boolean {
    const message = store.messages.peek(id)
    return message !== undefined && !message.flags.has('read')
  }

  /** The shown message at or after an id, or else the last one. */
  function nearest(id: number | undefined): number | undefined {
    if (id === undefined) return ids.value.at(-1)
    return ids.value[positionOf(ids.value, id)] ?? ids.value.at(-1)
  }

  /** @param asked where the server says that unread messages begin */
  function firstUnread(asked: number | undefined): number | undefined {
    if (asked !== undefined && isUnread(asked)) return asked
    const found = ids.value.find(isUnread)
    // With older ones unknown, the first of those here need not be the first.
    return found === ids.value[0] && !status.value.hasOldest ? undefined : found
  }

  function update(change: Partial<ListStatus>): void {
    status.value = { ...status.peek(), ...change }
  }
}

/** Conversations with somebody, and their messages, are shown to who looks for them. */
function hidesMutedPeople(narrow: Narrow): boolean {
  if (narrow.kind === 'search') return !narrow.terms.some(({ operator }) => operator === 'sender')
  return narrow.kind !== 'direct'
}

function hidesMutedTopics(narrow: Narrow): boolean {
  return narrow.kind === 'all' || narrow.kind === 'channel'
}

function problemOf(error: unknown): string {
  if (error instanceof CallError && error.code !== 'NETWORK') return error.message
  return t('The messages could not be fetched.')
}
