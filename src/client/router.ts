import { batch, signal } from '@preact/signals-core'
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
  const { selfId, channels, users, groups } = store
  const lookups = { selfId, channels, users, groups }
  const view = signal<View>(homeView(store))
  const overlay = signal<Overlay | undefined>(undefined)
  let shown: string | undefined
  let viewHash: string | undefined
  /**
   * The depth of the entry that is shown; an overlay that the page began with has the depth of a
   * view.
   */
  let { depth, level } = stateNow()
  /**
   * Whether entries are being left, which the browser does later; and whether that closed an
   * overlay, and so leaves the view as it is.
   */
  let leaving: { readonly isOverlay: boolean } | undefined
  /** Where to go afterwards, in order: what is left would lead away from an earlier entry. */
  let waiting: (() => void)[] = []
  /** Gives up waiting for the browser: it may have nothing to go back to, and does not say so. */
  let noEntry: ReturnType<typeof setTimeout> | undefined

  /** @param keepsLayers whether the address changed by itself, which closes nothing */
  function follow({ keepsLayers = false } = {}): void {
    const { hash } = location
    const before = level
    const known = stateNow()
    level = known.level
    if (hash === shown) {
      // A link to the overlay that is shown replaces its entry, and the state with it.
      if (overlay.peek() && !known.isMarked) {
        closeLayers()
        mark(depth)
        return
      }
      depth = known.depth
      // Skips an entry whose layer was closed in another way, so that Back has an effect.
      if (level < before && !closeLayers(level)) leave(1, { isOverlay: false })
      return
    }
    const isFirst = shown === undefined
    shown = hash
    if (!keepsLayers) closeLayers()
    const route = parseHash(hash, lookups)
    const isView = !route.overlay && level === 0
    if (!isView && !known.isMarked) mark(isFirst ? 0 : depth + 1)
    else if ((isFirst || isView) && known.depth > 0) mark(0)
    else depth = known.depth
    batch(() => {
      overlay.value = route.overlay
      // Closing an overlay leaves the view as it is.
      if (route.overlay || hash === viewHash) return
      viewHash = hash
      view.value = route.view ?? homeView(store)
    })
  }

  /** Gives the entry that is shown its depth, which takes milliseconds. */
  function mark(to: number): void {
    depth = to
    history.replaceState({ ...history.state, depth } satisfies EntryState, '')
  }

  function leave(entries: number, how: { readonly isOverlay: boolean }): void {
    leaving = how
    clearTimeout(noEntry)
    noEntry = setTimeout(() => {
      if (how.isOverlay) history.replaceState(null, '', href(view.peek()))
      land()
    }, 500)
    history.go(-entries)
  }

  /** Goes on once entries have been left. */
  function land(): void {
    clearTimeout(noEntry)
    // A layer that opened meanwhile is above the current view.
    const keepsLayers = leaving?.isOverlay ?? false
    leaving = undefined
    follow({ keepsLayers })
    if (keepsLayers) followLayer(openLayers())
    const next = waiting
    waiting = []
    for (const each of next) each()
  }

  /** Makes an entry for each open layer. */
  function followLayer(count: number): void {
    if (leaving) return
    for (; level < count; level += 1) {
      depth += 1
      history.pushState({ ...history.state, depth, level: level + 1 } satisfies EntryState, '')
    }
  }

  const followEvent = ({ type }: Event) => {
    // One of an earlier step, as each has two events.
    if (!leaving || type === 'popstate') land()
  }
  /** A link that is followed while entries are being left waits as well. */
  const holdLink = (event: MouseEvent) => {
    if (!leaving || event.defaultPrevented || !(event.target instanceof Element)) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target.closest<HTMLAnchorElement>('a[href^="#"]')
    if (!link) return
    event.preventDefault()
    waiting.push(() => location.assign(link.hash))
  }
  followLayers(followLayer)

  const href = (target: View | Overlay) => hashOf(target, lookups)

  history.scrollRestoration = 'manual'
  addEventListener('popstate', followEvent)
  addEventListener('hashchange', followEvent)
  addEventListener('click', holdLink)
  follow()

  function go(target: View | Overlay, { replace = false } = {}): void {
    if (leaving) {
      waiting.push(() => go(target, { replace }))
      return
    }
    const to = href(target)
    if (replace) history.replaceState(history.state, '', to)
    // The entry of a layer that this closes is no longer needed.
    else if (to !== location.hash && level > 0) {
      const isOverlay = parseHash(to, lookups).overlay !== undefined
      history.replaceState({ depth: isOverlay ? depth : 0 } satisfies EntryState, '', to)
    } else if (to !== location.hash) history.pushState(null, '', to)
    follow({ keepsLayers: replace })
  }

  return {
    view,
    overlay,
    href,
    go,
    closeOverlay() {
      if (!overlay.peek()) return
      overlay.value = undefined
      // A duplicated tab may have fewer entries than the state of its current one says.
      if (depth > 0 && depth < history.length) {
        return leave(depth, { isOverlay: true })
      }
      history.replaceState(null, '', href(view.peek()))
      follow()
    },
    stop() {
      clearTimeout(noEntry)
      followLayers(() => undefined)
      removeEventListener('popstate', followEvent)
      removeEventListener('hashchange', followEvent)
      removeEventListener('click', holdLink)
    },
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
