import { batch, signal } from '@preact/signals-core'
import type { Router } from './app.ts'
import { hashOf, parseHash } from './narrow/hash.ts'
import type { Overlay, View } from './narrow/narrow.ts'
import type { Store } from './state/store.ts'

/** An entry of the history: how many entries of overlays lie on top of the one of a view. */
interface EntryState {
  readonly depth: number
}

/** Follows the address: what stands after its `#` says what is shown, and Back and Forward work. */
export function createRouter(store: Store): Router & { stop(): void } {
  const { selfId, channels, users, groups } = store
  const lookups = { selfId, channels, users, groups }
  const view = signal<View>(homeView(store))
  const overlay = signal<Overlay | undefined>(undefined)
  let shown: string | undefined
  let viewHash: string | undefined
  /** Of the entry that is shown; 0 for a view, and for an overlay that the page began with. */
  let depth = 0

  function follow(): void {
    const { hash } = location
    if (hash === shown) return
    const isFirst = shown === undefined
    shown = hash
    const route = parseHash(hash, lookups)
    const known = (history.state as EntryState | null)?.depth
    depth = route.overlay && !isFirst ? (known ?? depth + 1) : 0
    // Each takes milliseconds, and an entry of a view needs no mark.
    const needsMark = route.overlay !== undefined || known !== undefined
    if (needsMark && known !== depth) history.replaceState({ depth } satisfies EntryState, '')
    batch(() => {
      overlay.value = route.overlay
      // What lay over a view left it as it is.
      if (route.overlay || hash === viewHash) return
      viewHash = hash
      view.value = route.view ?? homeView(store)
    })
  }

  const href = (target: View | Overlay) => hashOf(target, lookups)

  history.scrollRestoration = 'manual'
  addEventListener('popstate', follow)
  addEventListener('hashchange', follow)
  follow()

  return {
    view,
    overlay,
    href,
    go(target, { replace = false } = {}) {
      if (replace) history.replaceState(history.state, '', href(target))
      else if (href(target) !== location.hash) history.pushState(null, '', href(target))
      follow()
    },
    closeOverlay() {
      if (!overlay.peek()) return
      overlay.value = undefined
      if (depth > 0) return history.go(-depth)
      history.replaceState(null, '', href(view.peek()))
      follow()
    },
    stop() {
      removeEventListener('popstate', follow)
      removeEventListener('hashchange', follow)
    },
  }
}

/** The view of the empty address, by the user's setting. */
function homeView({ settings }: Store): View {
  const home = settings.peek().web_home_view
  if (home === 'recent_topics') return { kind: 'recent' }
  if (home === 'all_messages') return { kind: 'messages', narrow: { kind: 'all' } }
  return { kind: 'inbox' }
}
