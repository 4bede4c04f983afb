import { batch, type Signal, signal } from '@preact/signals-core'
import type { Router } from './app.ts'
import { hashOf, parseHash } from './narrow/hash.ts'
import type { Overlay, View } from './narrow/narrow.ts'
import type { Store } from './state/store.ts'
import { closeLayers, followLayers, openLayers } from './ui/layers.ts'

/** The state of an entry of the history. */
interface EntryState {
  /** The number of entries of overlays and layers since the one of the view. */
  readonly depth?: number
  /** The number of layers over the same address when it was made; see `ui/layers.ts`. */
  readonly level?: number
}

/** Follows the address: the part after `#` determines what is shown, and Back and Forward work. */
export function createRouter(store: Store): Router & { stop(): void } {
  return new HashRouter(store)
}

class HashRouter implements Router {
  readonly #store: Store
  readonly #lookups: Parameters<typeof hashOf>[1]
  readonly view: Signal<View>
  readonly overlay = signal<Overlay | undefined>(undefined)
  #shown: string | undefined
  #viewHash: string | undefined
  /**
   * The depth of the entry that is shown; an overlay that the page began with has the depth of a
   * view.
   */
  #depth: number
  #level: number
  /**
   * Whether entries are being left, which the browser does later; and whether that closed an
   * overlay, and so leaves the view as it is.
   */
  #leaving: { readonly isOverlay: boolean } | undefined
  /** Where to go afterwards, in order: what is left would lead away from an earlier entry. */
  #waiting: (() => void)[] = []
  /** Gives up waiting for the browser: it may have nothing to go back to, and does not say so. */
  #noEntry: ReturnType<typeof setTimeout> | undefined

  constructor(store: Store) {
    this.#store = store
    const { selfId, channels, users, groups } = store
    this.#lookups = { selfId, channels, users, groups }
    this.view = signal<View>(homeView(store))
    const { depth, level } = stateNow()
    this.#depth = depth
    this.#level = level
    followLayers((count) => this.#followLayer(count))
    history.scrollRestoration = 'manual'
    addEventListener('popstate', this.#followEvent)
    addEventListener('hashchange', this.#followEvent)
    addEventListener('click', this.#holdLink)
    this.#follow()
  }

  readonly href = (target: View | Overlay): string => hashOf(target, this.#lookups)

  go(target: View | Overlay, { replace = false }: { readonly replace?: boolean } = {}): void {
    if (this.#leaving) {
      this.#waiting.push(() => this.go(target, { replace }))
      return
    }
    const to = this.href(target)
    if (replace) history.replaceState(history.state, '', to)
    // The entry of a layer that this closes is no longer needed.
    else if (to !== location.hash && this.#level > 0) {
      const isOverlay = parseHash(to, this.#lookups).overlay !== undefined
      history.replaceState({ depth: isOverlay ? this.#depth : 0 } satisfies EntryState, '', to)
    } else if (to !== location.hash) history.pushState(null, '', to)
    this.#follow({ keepsLayers: replace })
  }

  closeOverlay(): void {
    if (!this.overlay.peek()) return
    this.overlay.value = undefined
    // A duplicated tab may have fewer entries than the state of its current one says.
    if (this.#depth > 0 && this.#depth < history.length) {
      this.#leave(this.#depth, { isOverlay: true })
      return
    }
    history.replaceState(null, '', this.href(this.view.peek()))
    this.#follow()
  }

  stop(): void {
    clearTimeout(this.#noEntry)
    followLayers(() => undefined)
    removeEventListener('popstate', this.#followEvent)
    removeEventListener('hashchange', this.#followEvent)
    removeEventListener('click', this.#holdLink)
  }

  /** @param keepsLayers whether the address changed by itself, which closes nothing */
  #follow({ keepsLayers = false }: { keepsLayers?: boolean | undefined } = {}): void {
    const { hash } = location
    const before = this.#level
    const known = stateNow()
    this.#level = known.level
    if (hash === this.#shown) {
      // A link to the overlay that is shown replaces its entry, and the state with it.
      if (this.overlay.peek() && !known.isMarked) {
        closeLayers()
        this.#mark(this.#depth)
        return
      }
      this.#depth = known.depth
      // Skips an entry whose layer was closed in another way, so that Back has an effect.
      if (this.#level < before && !closeLayers(this.#level)) this.#leave(1, { isOverlay: false })
      return
    }
    const isFirst = this.#shown === undefined
    this.#shown = hash
    if (!keepsLayers) closeLayers()
    const route = parseHash(hash, this.#lookups)
    const isView = !route.overlay && this.#level === 0
    if (!isView && !known.isMarked) this.#mark(isFirst ? 0 : this.#depth + 1)
    else if ((isFirst || isView) && known.depth > 0) this.#mark(0)
    else this.#depth = known.depth
    batch(() => {
      this.overlay.value = route.overlay
      // Closing an overlay leaves the view as it is.
      if (route.overlay || hash === this.#viewHash) return
      this.#viewHash = hash
      this.view.value = route.view ?? homeView(this.#store)
    })
  }

  /** Gives the entry that is shown its depth, which takes milliseconds. */
  #mark(to: number): void {
    this.#depth = to
    history.replaceState({ ...history.state, depth: this.#depth } satisfies EntryState, '')
  }

  #leave(entries: number, how: { readonly isOverlay: boolean }): void {
    this.#leaving = how
    clearTimeout(this.#noEntry)
    this.#noEntry = setTimeout(() => {
      if (how.isOverlay) history.replaceState(null, '', this.href(this.view.peek()))
      this.#land()
    }, 500)
    history.go(-entries)
  }

  /** Goes on once entries have been left. */
  #land(): void {
    clearTimeout(this.#noEntry)
    // A layer that opened meanwhile is above the current view.
    const keepsLayers = this.#leaving?.isOverlay ?? false
    this.#leaving = undefined
    this.#follow({ keepsLayers })
    if (keepsLayers) this.#followLayer(openLayers())
    const next = this.#waiting
    this.#waiting = []
    for (const each of next) each()
  }

  /** Makes an entry for each open layer. */
  #followLayer(count: number): void {
    if (this.#leaving) return
    for (; this.#level < count; this.#level += 1) {
      this.#depth += 1
      history.pushState(
        { ...history.state, depth: this.#depth, level: this.#level + 1 } satisfies EntryState,
        '',
      )
    }
  }

  readonly #followEvent = ({ type }: Event): void => {
    // One of an earlier step, as each has two events.
    if (!this.#leaving || type === 'popstate') this.#land()
  }

  /** A link that is followed while entries are being left waits as well. */
  readonly #holdLink = (event: MouseEvent): void => {
    if (!this.#leaving || event.defaultPrevented || !(event.target instanceof Element)) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target.closest<HTMLAnchorElement>('a[href^="#"]')
    if (!link) return
    event.preventDefault()
    this.#waiting.push(() => location.assign(link.hash))
  }
}

function stateNow(): { depth: number; level: number; isMarked: boolean } {
  const state = history.state as EntryState | null
  return {
    depth: state?.depth ?? 0,
    level: state?.level ?? 0,
    isMarked: state?.depth !== undefined,
  }
}

/** The view of the empty address, by the user's setting. */
function homeView({ settings }: Store): View {
  const home = settings.peek().web_home_view
  if (home === 'recent_topics') return { kind: 'recent' }
  if (home === 'all_messages') return { kind: 'messages', narrow: { kind: 'all' } }
  return { kind: 'inbox' }
}
