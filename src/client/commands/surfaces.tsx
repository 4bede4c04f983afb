import { signal } from '@preact/signals'
import { type ComponentChildren, type ComponentType, Fragment } from 'preact'
import type { App } from '#client/app.ts'
import { covers } from '#client/ui/covers.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { addLayer } from '#client/ui/layers.ts'
import { loadStyles } from '#client/ui/styles.ts'
import { tellNotLoaded } from './with-loaded.ts'

/**
 * Menus, pickers and dialogs that actions open. They are drawn in one place, above everything, so
 * that the row from which they were opened can disappear meanwhile.
 */

type Draw = (close: () => void) => ComponentChildren

const open = signal<readonly { readonly id: number; readonly draw: Draw }[]>([])
let lastId = 0

/** Whether a menu, picker or dialog is open. */
export function hasSurface(): boolean {
  return open.peek().length > 0
}

/** Opens something until it calls `close`. Returns that function as well. */
export function openSurface(draw: Draw): () => void {
  lastId += 1
  const id = lastId
  open.value = [...open.peek(), { id, draw }]
  return () => close(id)
}

/** What looks plain without them still works. */
export const loadSurfaceStyles = (): Promise<void> => loadStyles('surfaces').catch(() => undefined)

/** Gives up what is being loaded to be opened. */
let giveUp: (() => void) | undefined

/** Whether something will open that is still being loaded; keys are for that already. */
export const isOpening = (): boolean => giveUp !== undefined

/**
 * Opens a component that is loaded only when it is needed. Until then it counts as open: what
 * closes it, such as Escape, Back or a press elsewhere, says that it is no longer wanted.
 */
export async function openLazy<P extends { readonly onClose: () => void }>(
  app: App,
  load: () => Promise<ComponentType<P>>,
  props: Omit<P, 'onClose'>,
): Promise<void> {
  giveUp?.()
  const waiting = new AbortController()
  const { signal: end } = waiting
  giveUp = () => {
    giveUp = undefined
    waiting.abort()
  }
  const stop = giveUp
  const onKey = (event: KeyboardEvent) => {
    if (isFinishing(event) || event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    stop()
  }
  window.addEventListener('keydown', onKey, { capture: true, signal: end })
  window.addEventListener('pointerdown', stop, { capture: true, signal: end })
  try {
    const loading = load()
    // A menu that led here is closed by then, and leaves its entry of the history.
    await undefined
    if (!end.aborted) end.addEventListener('abort', addLayer(stop))
    const [Component] = await Promise.all([loading, loadSurfaceStyles()])
    if (end.aborted) return
    stop()
    openSurface((onClose) => <Component {...({ ...props, onClose } as unknown as P)} />)
  } catch {
    if (end.aborted) return
    stop()
    tellNotLoaded(app)
  }
}

function close(id: number): void {
  // Before it is gone from the page: what led to this often goes on there, and the focus with it.
  if (open.peek().at(-1)?.id === id) covers.at(-1)?.()
  open.value = open.peek().filter((each) => each.id !== id)
}

/** Draws the open surfaces. Used once, in the shell. */
export function Surfaces() {
  return (
    <>
      {open.value.map(({ id, draw }) => (
        <Fragment key={id}>{draw(() => close(id))}</Fragment>
      ))}
    </>
  )
}
