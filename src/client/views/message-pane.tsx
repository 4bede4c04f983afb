import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core'
import { ArrowDown, LoaderCircle, RotateCcw } from 'lucide'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { positionOf } from '#client/lists/ids.ts'
import type { LongMessages } from '#client/lists/long-messages.ts'
import type { MessageList, Row } from '#client/lists/message-list.ts'
import { createRowBuilder } from '#client/lists/rows.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { conversationOfNarrow } from '#client/narrow/terms.ts'
import { whenActing } from '#client/ui/acting.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { startLoaded } from '#client/ui/start-loaded.ts'
import { t, tn } from '#client/ui/t.ts'
import type { Days } from './day-pills.ts'
import { listenToMessages } from './message-clicks.ts'
import { MessageRow } from './message-row.tsx'
import type { OpenPane } from './open-pane.ts'
import { openingOf, opensAtEnd } from './opening.ts'
import { Outgoing } from './outgoing.tsx'
import { PaneScroll } from './pane-scroll.ts'
import { EmptyList, TypingLine, UnreadAbove } from './parts.ts'
import { followReading } from './reading.ts'
import { DayDivider, RecipientBar } from './recipient-bar.tsx'
import { currentEntry, rememberScrollAnchor } from './scroll-anchors.ts'

interface MessagePaneProps {
  readonly narrow: Narrow
  /** The message to open it at. */
  readonly near: number | undefined
}

/** The messages of a narrow. Draw it with another key for another narrow. */
export function MessagePane({ narrow, near }: MessagePaneProps) {
  const app = useApp()
  const pane = useMemo(() => createPane(app, narrow), [app, narrow])
  const { list, scroll } = pane
  const scroller = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!scroller.current) return
    scroll.attach(scroller.current)
    const stopListening = listenToMessages(app, scroller.current, (id) => {
      app.selectedId.value = id
    })
    const stopReading = followReading(app, pane)
    app.pane.value = pane
    const opening = openPane(app, pane, near)
    // Needed once something is sent.
    const stopShowing = startLoaded(async () => {
      const { followSent } = await import('./follow-sent.ts')
      return () => followSent(app, pane, opening)
    }, whenActing())
    // Opening forgets a move from before, which is not to be followed again.
    const stopFollowing = followMove(app, list)
    const stopRetrying = whenConnected(app, () => {
      if (list.status.peek().problem !== undefined) void openPane(app, pane, near)
    })
    return () => {
      stopRetrying()
      stopListening()
      stopShowing()
      stopReading()
      stopFollowing()
      scroll.detach()
      if (app.pane.peek() === pane) app.pane.value = undefined
    }
  }, [app, pane, list, scroll, near])

  const { isOpening, problem, hasOldest } = list.status.value
  const isOpen = scroll.isOpen.value
  const isEmpty = isOpen && list.ids.value.length === 0
  return (
    <div class="pane">
      <div ref={scroller} class="pane-scroller">
        <div class="pane-top">
          {isOpen && !isEmpty && hasOldest && <p class="pane-start">{startText(narrow)}</p>}
          {isOpen && !hasOldest && problem === undefined && <Loading />}
        </div>
        {!isOpen && (isOpening || problem === undefined) && <Coming />}
        {problem !== undefined && (
          <div class="row banner banner-error pane-problem" role="alert">
            <span>{problem}</span>
            <Button icon={RotateCcw} onClick={() => void openPane(app, pane, near)}>
              {t('Try again')}
            </Button>
          </div>
        )}
        {isEmpty && !isOpening && problem === undefined && <EmptyList narrow={narrow} />}
        {isOpen && <Rows pane={pane} />}
        <Outgoing narrow={narrow} onDrawn={() => scroll.settle()} />
        <TypingLine narrow={narrow} />
      </div>
      {isOpen && <UnreadAbove pane={pane} />}
      {isOpen && !isEmpty && !scroll.isAtEnd.value && (
        <button
          type="button"
          class="row tight pane-new pane-pill"
          onClick={() => pane.jump('newest')}
        >
          <Icon node={ArrowDown} size={16} />
          {scroll.newBelow.value > 0
            ? newText(scroll.newBelow.value, list.status.value.hasNewest)
            : t('Newest')}
        </button>
      )}
    </div>
  )
}

/** @param isWhole whether more may be known to the server alone */
function newText(count: number, isWhole: boolean): string {
  return isWhole ? tn(count, '1 new', '{count} new') : t('{count}+ new', { count })
}

function createPane(app: App, narrow: Narrow): OpenPane {
  return new MessagePaneControl(app, narrow)
}

class MessagePaneControl implements OpenPane {
  readonly #app: App
  readonly list: MessageList
  readonly entry = currentEntry()
  readonly scroll: PaneScroll
  readonly isHeld = signal(false)
  readonly isAtEnd: ReadonlySignal<boolean>

  constructor(app: App, narrow: Narrow) {
    this.#app = app
    this.list = app.openList(narrow)
    this.scroll = new PaneScroll({
      list: this.list,
      isUnread: (id) => this.#app.store.messages.peek(id)?.flags.has('read') === false,
      unreads: app.store.unreads.counts,
      onSeen: () => rememberScrollAnchor(this.entry, this.scroll.place),
    })
    this.isAtEnd = this.scroll.isAtEnd
  }

  moveSelection(by: number): void {
    const ids = this.list.ids.peek()
    const selected = this.#app.selectedId.peek()
    const seen = this.scroll.seen
    const isInSight = selected !== undefined && seen.some(({ id }) => id === selected)
    const last = seen.at(-1)?.id
    if (!isInSight) {
      // A user who scrolled away continues from the visible messages.
      const start = by > 0 ? seen[0]?.id : last
      if (start !== undefined) this.select(start)
      return
    }
    const next = ids[positionOf(ids, selected) + by]
    if (next !== undefined) this.select(next)
    else if (by > 0) this.jump('newest')
  }

  select(id: number): void {
    const ids = this.list.ids.peek()
    this.#app.selectedId.value = id
    if (!ids.includes(id)) {
      void this.list
        .open({ at: 'message', id })
        .then(() => this.scroll.show(id, this.scroll.placeFor(id)))
      return
    }
    if (!this.scroll.reveal(id)) this.scroll.show(id, this.scroll.placeFor(id))
    // The row may only be drawn after this.
    queueMicrotask(() => this.scroll.rowOf(id)?.focus({ preventScroll: true }))
  }

  page(direction: 'up' | 'down'): void {
    const by = Math.max(60, this.scroll.height - 100)
    this.scroll.scrollBy(direction === 'up' ? -by : by)
    const { seen } = this.scroll
    const id = direction === 'up' ? seen[0]?.id : seen.at(-1)?.id
    if (id !== undefined) {
      this.#app.selectedId.value = id
      this.scroll.rowOf(id)?.focus({ preventScroll: true })
    }
  }

  jump(to: 'oldest' | 'newest'): void {
    const isThere = this.list.status.peek()[to === 'newest' ? 'hasNewest' : 'hasOldest']
    const go = () => {
      const ids = this.list.ids.peek()
      const id = to === 'newest' ? ids.at(-1) : ids[0]
      this.#app.selectedId.value = id
      if (to === 'newest') this.scroll.show(undefined, { rows: [], isAtEnd: true })
      else this.scroll.show(id, { rows: id === undefined ? [] : [{ id, top: 48 }], isAtEnd: false })
    }
    if (isThere) go()
    else if (to === 'newest') void this.list.open({ at: 'newest' }).then(go)
    else void this.list.open({ at: 'message', id: 0 }).then(go)
  }

  fold(id: number, isFolded: boolean): void {
    this.scroll.keep(id, isFolded)
    this.list.long.fold(id, isFolded)
    // Before a scroll event of the earlier state can record another position.
    queueMicrotask(() => this.scroll.settle())
  }

  hold(): void {
    this.isHeld.value = true
  }
}

/** Opens a pane where `openingOf` says. */
async function openPane(app: App, pane: OpenPane, near: number | undefined): Promise<void> {
  const { list, scroll, entry } = pane
  const { anchor, left } = openingOf(list.narrow, near, entry)
  await list.open(anchor)
  if (near !== undefined && !left && !list.ids.peek().includes(near)) {
    import('./follow-named.ts').then(
      ({ followNamed }) => followNamed(app, pane, near),
      () => undefined,
    )
  }
  if (list.status.peek().problem !== undefined && list.ids.peek().length === 0) return
  const held = left?.rows[0]
  if (held && list.ids.peek().includes(held.id)) {
    scroll.show(held.id, left)
    return
  }
  const unread = opensAtEnd(list.narrow) ? undefined : list.firstUnreadId.peek()
  const at = near === undefined ? unread : list.anchorId.peek()
  app.selectedId.value = at
  if (at === undefined) scroll.show(undefined, { rows: [], isAtEnd: true })
  else scroll.show(at, scroll.placeFor(at))
}

/** Calls back each time that the connection has come back. */
function whenConnected({ machine }: App, run: () => void): () => void {
  let wasConnected = true
  return effect(() => {
    const isConnected = machine.connection.value.state === 'connected'
    if (isConnected && !wasConnected) queueMicrotask(run)
    wasConnected = isConnected
  })
}

/** Follows a moved topic. */
function followMove(app: App, list: MessageList): () => void {
  return effect(() => {
    const narrow = list.movedTo.value
    if (narrow) queueMicrotask(() => app.router.go({ kind: 'messages', narrow }, { replace: true }))
  })
}

/** The rows that are drawn, a part of the list. */
function Rows({ pane }: { readonly pane: OpenPane }) {
  const app = useApp()
  const { list, scroll } = pane
  const content = useRef<HTMLUListElement>(null)
  const days = useRef<Days>(undefined)
  const builder = useMemo(() => createRowBuilder(list.narrow), [list])
  const isSingle = conversationOfNarrow(list.narrow) !== undefined
  const tabStop = useMemo(
    () =>
      computed(() => {
        const { from, to } = scroll.range.value
        const drawn = list.ids.value.slice(from, to)
        const selected = app.selectedId.value
        return selected !== undefined && drawn.includes(selected) ? selected : drawn.at(-1)
      }),
    [app, list, scroll],
  )
  const { from, to } = scroll.range.value
  const { messages } = app.store
  const source = {
    ids: list.ids.value,
    message: (id: number) => messages.get(id),
    firstUnreadId: list.firstUnreadId.value,
  }
  const rows = builder.rowsFor(source, from, to)
  const matches = list.matches.value

  useLayoutEffect(() => {
    if (!content.current) return
    scroll.drawn(content.current)
    days.current?.push()
  })
  useEffect(() => {
    const [drawn, scroller] = [content.current, content.current?.parentElement]
    if (!isSingle || !drawn || !scroller) return
    return startLoaded(async () => {
      const { followDayPills } = await import('./day-pills.ts')
      return () => {
        days.current = followDayPills(drawn, scroller)
        return days.current.stop
      }
    })
  }, [isSingle])
  useEffect(() => () => (app.selectedId.value = undefined), [app])

  return (
    // Without a list style, some browsers remove the role.
    <ul ref={content} class="messages" {...{ role: 'list' }} aria-label={t('Messages')}>
      {rows.map((row) => drawRow(row, { isSingle, matches, tabStop, long: list.long }))}
    </ul>
  )
}

interface RowContext {
  /** Whether all rows are of one conversation. */
  readonly isSingle: boolean
  readonly matches: ReadonlyMap<number, { readonly html: string }>
  readonly tabStop: ReadonlySignal<number | undefined>
  readonly long: LongMessages
}

function drawRow(row: Row, { isSingle, matches, tabStop, long }: RowContext) {
  switch (row.kind) {
    case 'recipient':
      return (
        <RecipientBar key={row.key} message={row.message} date={row.date} isSingle={isSingle} />
      )
    case 'day':
      return isSingle ? <DayDivider key={row.key} date={row.date} /> : null
    case 'unread-marker':
      return (
        <li key={row.key} class="row unread-marker">
          <span>{t('New messages')}</span>
        </li>
      )
    case 'message':
      return (
        <MessageRow
          key={row.key}
          message={row.message}
          showsSender={row.showsSender}
          html={matches.get(row.message.id)?.html}
          tabStop={tabStop}
          long={long}
        />
      )
  }
}

function Loading() {
  return (
    <p class="center pane-loading" role="status">
      <Icon node={LoaderCircle} size={20} class="spin" label={t('Loading messages')} />
    </p>
  )
}

/** Where the messages of a view will be. */
function Coming() {
  return (
    <div class="coming" role="status">
      <span class="visually-hidden">{t('Loading messages')}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

function startText(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'topic':
      return t('This is the start of the topic.')
    case 'channel':
      return t('This is the start of the channel.')
    case 'direct':
      return t('This is the start of the conversation.')
    default:
      return t('There are no older messages here.')
  }
}
