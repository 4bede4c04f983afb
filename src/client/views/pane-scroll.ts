import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from '@preact/signals-core'
import { countAfter, positionOf } from '#client/lists/ids.ts'
import type { MessageList } from '#client/lists/message-list.ts'
import { cancelIdle, whenIdle } from '#client/ui/idle.ts'
import {
  carryRange,
  drift,
  firstRows,
  followTo,
  growRange,
  idleRange,
  maxRows,
  openRange,
  type Range,
  rowsToHold,
  type ScrollAnchor,
  type SeenRow,
  sliceRows,
  usualRows,
} from './dom-window.ts'

/** The height of the sticky bar over the top of the scroller, in pixels. */
const inset = 36
/** How near to the end counts as being there, in pixels. */
const endSlack = 12
/** How much of a row has to be visible for its beginning to count, in pixels. */
const leastShown = 24
/** How many rows are added at a time while scrolling: fewer cost more each, more need a second frame. */
const leastScrollRows = 7
const mostScrollRows = 20
/** Rows are added where what is drawn ends less than this beyond the screen, in heights of it. */
const reach = 1.5
/** How far what is drawn first reaches beyond the screen, in pixels. */
const firstMargin = 100

const noPlace: ScrollAnchor = { rows: [], isAtEnd: false }

interface PaneScrollParts {
  readonly list: MessageList
  readonly isUnread: (messageId: number) => boolean
  /** Changes with what is unread. */
  readonly unreads: ReadonlySignal<unknown>
  /** Called when the visible messages changed. */
  onSeen(): void
}

/**
 * The scroll position of a message pane, and which messages are drawn. The browser's own anchoring
 * is off; after every change of the document that may move rows, `settle` restores the exact
 * position of the row being read, or follows the end if it was visible.
 */
export class PaneScroll {
  readonly range: Signal<Range> = signal({ from: 0, to: 0 })
  /** Whether the newest message is drawn and in sight. */
  readonly isAtEnd = signal(true)
  /** The last message in sight. */
  readonly lastSeenId: Signal<number | undefined> = signal(undefined)
  /** The unread messages whose beginning was in sight in a frame since the pane was opened. */
  readonly shown = new Set<number>()
  /** Changes with `shown`. */
  readonly shownChanges = signal(0)
  /** The first message in sight. */
  readonly firstSeenId: Signal<number | undefined> = signal(undefined)
  /** Nothing is drawn before it is known where to open. */
  readonly isOpen = signal(false)

  /** The number of unread messages below the visible ones. */
  readonly newBelow = computed(() => {
    const seen = this.lastSeenId.value
    return seen === undefined || this.isAtEnd.value ? 0 : countAfter(this.#unread.value, seen)
  })

  /** Found again when messages come or are read, not while scrolling. */
  readonly #unread = computed(() => {
    this.#parts.unreads.value
    return this.#parts.list.ids.value.filter(this.#parts.isUnread)
  })

  readonly #parts: PaneScrollParts
  #scroller: HTMLElement | undefined
  #content: HTMLElement | undefined
  /** The height of the space above the list, less than a pixel. */
  #space = 0
  #rows: HTMLElement[] = []
  #observed = new Set<Element>()
  #place = noPlace
  /** The last position set by this class, whose scroll event is ignored. */
  #ownScroll = -1
  /** The position at which the place was recorded; undefined where it was asked for instead. */
  #recordedAt: number | undefined
  #ids: readonly number[] = []
  /** The user asked for the end beyond these: unread ones among them are not held in sight. */
  #skippedTo = 0
  /** Whether only the screen is filled, until it was painted. */
  #isFilling = false
  #idle: number | undefined
  #frame: number | undefined
  readonly #observer: ResizeObserver
  readonly #stop: () => void

  constructor(parts: PaneScrollParts) {
    this.#parts = parts
    this.#observer = new ResizeObserver(() => this.settle())
    this.#stop = effect(() => this.#carry(parts.list.ids.value))
  }

  /** The messages in sight, from top to bottom. */
  get seen(): readonly SeenRow[] {
    return [...this.#place.rows].sort((a, b) => a.id - b.id)
  }

  /** The last message that ends above a part of the pane's height. */
  passedId(part: number): number | undefined {
    // Reading the height would make the browser lay out rows that are about to be replaced.
    if (this.#rows.length === 0) return undefined
    const limit = this.height * part
    const next = firstBelow(this.#rows, (row) => this.#edgesOf(row).bottom > limit)
    const row = this.#rows[next - 1]
    return row && Number(row.dataset.messageId)
  }

  get place(): ScrollAnchor {
    return this.#place
  }

  attach(scroller: HTMLElement): void {
    this.#scroller = scroller
    this.#observer.observe(scroller)
    scroller.addEventListener('scroll', this.#onScroll, { passive: true })
  }

  detach(): void {
    this.#stop()
    this.#observer.disconnect()
    this.#scroller?.removeEventListener('scroll', this.#onScroll)
    this.#scroller = undefined
    if (this.#idle !== undefined) cancelIdle(this.#idle)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  /**
   * Draws the messages around one, and keeps it in its place.
   *
   * @param id undefined for the end
   * @param place the position of rows when the user left, or that of `id`
   */
  show(id: number | undefined, place: ScrollAnchor): void {
    const ids = this.#parts.list.ids.peek()
    const at = id === undefined ? ids.length - 1 : Math.min(positionOf(ids, id), ids.length - 1)
    batch(() => {
      this.#ids = ids
      this.#place = place
      this.#recordedAt = undefined
      this.#isFilling = true
      if (id === undefined) this.#skippedTo = ids.at(-1) ?? 0
      this.range.value = openRange(ids.length, Math.max(0, at), firstRows)
      this.isOpen.value = true
    })
    this.#scheduleIdle()
  }

  /** The position at which a message is shown with some context before it. */
  placeFor(id: number): ScrollAnchor {
    const height = this.#scroller?.clientHeight ?? 600
    return { rows: [{ id, top: Math.round(height * 0.3) }], isAtEnd: false }
  }

  /** Scrolls no more than needed to bring a row into sight. False if it is not drawn. */
  reveal(id: number): boolean {
    const scroller = this.#scroller
    const row = this.rowOf(id)
    if (!scroller || !row) return false
    const { top, bottom } = this.#edgesOf(row)
    const room = scroller.clientHeight
    const margin = 8
    let by = 0
    if (bottom > room - margin) by = bottom - room + margin
    if (top - by < inset + margin) by = top - inset - margin
    if (by !== 0) {
      scroller.scrollTop += by
      this.#record()
    }
    return true
  }

  /**
   * Keeps a row where it is while the user makes it taller or shorter.
   *
   * @param isWhole whether its top has to be in sight afterwards
   */
  keep(id: number, isWhole: boolean): void {
    const top = this.#topOf(id)
    if (top === undefined) return
    this.#place = {
      rows: [{ id, top: isWhole ? Math.max(top, inset + 8) : top }],
      isAtEnd: false,
    }
  }

  scrollBy(pixels: number): void {
    if (!this.#scroller) return
    this.#scroller.scrollTop += pixels
    this.#record()
  }

  get height(): number {
    return this.#scroller?.clientHeight ?? 0
  }

  rowOf(id: number): HTMLElement | undefined {
    return this.#rows.find((row) => row.dataset.messageId === String(id))
  }

  /** To be called after the rows were drawn, before the browser paints. */
  drawn(content: HTMLElement): void {
    this.#content = content
    this.#rows = [...content.querySelectorAll<HTMLElement>('[data-message-id]')]
    const now = new Set<Element>(content.children)
    for (const element of this.#observed) {
      if (!now.has(element)) this.#observer.unobserve(element)
    }
    for (const element of now) {
      if (!this.#observed.has(element)) this.#observer.observe(element)
    }
    this.#observed = now
    const asked = this.#place
    this.settle()
    if (!this.#checkEdges() || !this.#isFilling) return
    // Where too little is drawn to hold a row where it was asked for, that has to be tried again.
    this.#place = asked
    this.#recordedAt = undefined
  }

  /** Restores the position after something changed its size or place. */
  settle(): void {
    const scroller = this.#scroller
    if (!scroller || !this.isOpen.peek() || this.#rows.length === 0) return
    const place = this.#place
    const scrolled = this.#scrolledSince(scroller)
    if (place.isAtEnd && scrolled >= 0) scroller.scrollTop = this.#endPosition(scroller)
    else this.#moveBy(drift(place, (id) => this.#topOf(id), scrolled))
    this.#ownScroll = scroller.scrollTop
    this.#record()
  }

  /** How far the user has scrolled since the place was recorded: the event may come after this. */
  #scrolledSince({ scrollTop, scrollHeight, clientHeight }: HTMLElement): number {
    const scrolled = scrollTop - (this.#recordedAt ?? scrollTop)
    // If the document became shorter, the browser scrolled.
    const isPushed = scrolled < 0 && scrollTop >= scrollHeight - clientHeight - 1
    return isPushed ? 0 : scrolled
  }

  /** Scrolls by whole pixels, which is all that browsers do; a space above the list takes the rest. */
  #moveBy(pixels: number): void {
    const scroller = this.#scroller
    // Less is noise of the numbers, and setting the position ends a smooth scroll.
    if (!scroller || Math.abs(pixels) < 0.05) return
    const whole = Math.round(pixels)
    const space = this.#space - (pixels - whole)
    const turn = Math.floor(space)
    this.#space = space - turn
    this.#content?.style.setProperty('margin-top', `${this.#space}px`)
    scroller.scrollTop += whole - turn
  }

  #endPosition(scroller: HTMLElement): number {
    const end = scroller.scrollHeight - scroller.clientHeight
    // Unread messages above stay above; new ones below must not pass the top unseen.
    const unread = this.#rows
      .slice(firstBelow(this.#rows, (row) => this.#edgesOf(row).top >= inset))
      .find((row) => {
        const id = Number(row.dataset.messageId)
        return id > this.#skippedTo && this.#parts.isUnread(id)
      })
    return followTo(end, unread && scroller.scrollTop + this.#edgesOf(unread).top - inset)
  }

  readonly #onScroll = () => {
    if (!this.#scroller || !this.isOpen.peek()) return
    if (this.#scroller.scrollTop !== this.#ownScroll) {
      this.#isFilling = false
      // Rows may have changed their size in the same frame.
      if (this.#place.isAtEnd) this.#record()
      else this.settle()
    }
    this.#checkEdges()
  }

  #record(): void {
    const scroller = this.#scroller
    if (!scroller) return
    const room = scroller.clientHeight
    const { rows } = this
    const seen: SeenRow[] = []
    for (let i = firstBelow(rows, (row) => this.#edgesOf(row).bottom > 0); i < rows.length; i++) {
      const row = rows[i] as HTMLElement
      const { top } = this.#edgesOf(row)
      if (top >= room) break
      seen.push({ id: Number(row.dataset.messageId), top })
    }
    const { list, onSeen } = this.#parts
    const isDrawnToEnd = this.range.peek().to === this.#ids.length && list.status.peek().hasNewest
    const rest = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
    const isAtEnd = isDrawnToEnd && rest <= endSlack
    this.#place = { rows: rowsToHold(seen, inset), isAtEnd }
    this.#recordedAt = scroller.scrollTop
    list.readingId = this.#place.rows[0]?.id
    batch(() => {
      this.isAtEnd.value = isAtEnd
      this.firstSeenId.value = seen[0]?.id
      this.lastSeenId.value = seen.at(-1)?.id
    })
    onSeen()
    this.#frame ??= requestAnimationFrame(() => this.#noteShown())
  }

  /**
   * Adds the messages of the frame that is about to be painted: between frames, other rows may be
   * in place.
   */
  #noteShown(): void {
    this.#frame = undefined
    const scroller = this.#scroller
    if (!scroller || document.visibilityState !== 'visible') return
    const { rows } = this
    const before = this.shown.size
    let at = firstBelow(rows, (row) => this.#edgesOf(row).top >= inset / 2)
    for (; at < rows.length; at++) {
      const row = rows[at] as HTMLElement
      const { top, bottom } = this.#edgesOf(row)
      if (Math.min(bottom, top + leastShown) > scroller.clientHeight + 1) break
      const id = Number(row.dataset.messageId)
      if (this.#parts.isUnread(id)) this.shown.add(id)
    }
    if (this.shown.size !== before) this.shownChanges.value += 1
  }

  get rows(): readonly HTMLElement[] {
    return this.#rows
  }

  #topOf(id: number): number | undefined {
    const row = this.rowOf(id)
    return row && this.#edgesOf(row).top
  }

  /** In pixels from the top of the scroller's inside. */
  #edgesOf(row: HTMLElement): { top: number; bottom: number } {
    const box = row.getBoundingClientRect()
    const origin = this.#scroller?.getBoundingClientRect().top ?? 0
    return { top: box.top - origin, bottom: box.bottom - origin }
  }

  /** Messages came or went: drawn ones stay drawn. */
  #carry(ids: readonly number[]): void {
    const before = this.#ids
    this.#ids = ids
    if (!this.isOpen.peek()) return
    const range = this.range.peek()
    const added = ids.length - before.length
    const follows = this.#place.isAtEnd || range.to - range.from + added <= maxRows
    this.range.value = carryRange(range, before, ids, follows)
    this.#scheduleIdle()
  }

  /** @returns whether more is going to be drawn */
  #checkEdges(): boolean {
    const scroller = this.#scroller
    if (!scroller || !this.isOpen.peek()) return false
    const { list } = this.#parts
    const { scrollTop, clientHeight, scrollHeight } = scroller
    const range = this.range.peek()
    const count = this.#ids.length
    const reading = this.#readingIndex()
    const near = this.#isFilling ? firstMargin : reach * clientHeight
    const below = scrollHeight - clientHeight - scrollTop
    const grow = (side: 'before' | 'after', missing: number) => {
      const most = this.#mostRows(clientHeight)
      this.range.value = growRange(range, count, side, reading, this.#rowsFor(missing), most)
    }
    if (scrollTop < near && range.from > 0) grow('before', near - scrollTop)
    else if (below < near && range.to < count) grow('after', near - below)
    const isGrowing = this.range.peek() !== range
    const { hasOldest, hasNewest, problem } = list.status.peek()
    if (problem !== undefined) return isGrowing
    if (range.from < 40 && scrollTop < 3 * clientHeight && !hasOldest) void list.fetchOlder()
    const isNearEnd = scrollHeight - clientHeight - scrollTop < 3 * clientHeight
    if (count - range.to < 40 && isNearEnd && !hasNewest) void list.fetchNewer()
    return isGrowing
  }

  /** How many rows to add at a time, where so many pixels are missing. */
  #rowsFor(missing: number): number {
    if (this.#isFilling) return sliceRows
    const seen = Math.max(1, this.#place.rows.length)
    const wanted = Math.ceil((missing * seen) / Math.max(1, this.height))
    return Math.max(leastScrollRows, Math.min(wanted, mostScrollRows))
  }

  /** How many rows are drawn at most: not so few that both sides take them from each other. */
  #mostRows(clientHeight: number): number {
    const rows = this.#rows
    const far = reach * clientHeight
    const first = firstBelow(rows, (row) => this.#edgesOf(row).bottom > -far)
    const end = firstBelow(rows, (row) => this.#edgesOf(row).top >= clientHeight + far)
    return Math.min(maxRows, Math.max(usualRows, end - first + 2 * mostScrollRows))
  }

  #readingIndex(): number {
    const reading = this.#place.rows[0]?.id
    return reading === undefined ? this.range.peek().from : positionOf(this.#ids, reading)
  }

  #scheduleIdle(): void {
    this.#idle ??= whenIdle(() => {
      this.#idle = undefined
      this.#isFilling = false
      if (!this.isOpen.peek()) return
      const [range, most] = [this.range.peek(), this.#mostRows(this.height)]
      const next = idleRange(range, this.#ids.length, this.#readingIndex(), most)
      if (!next) return
      this.range.value = next
      this.#scheduleIdle()
    })
  }
}

function firstBelow(rows: readonly HTMLElement[], isBelow: (row: HTMLElement) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBelow(rows[middle] as HTMLElement)) high = middle
    else low = middle + 1
  }
  return low
}
