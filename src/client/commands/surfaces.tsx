import { signal } from '@preact/signals'
import { type ComponentChildren, type ComponentType, Fragment } from 'preact'
import type { App } from '#client/app.ts'
import { t } from '#client/ui/t.ts'

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

/** Opens a component that is loaded only when it is needed. */
export async function openLazy<P extends { readonly onClose: () => void }>(
  app: App,
  load: () => Promise<ComponentType<P>>,
  props: Omit<P, 'onClose'>,
): Promise<void> {
  const { hash } = location
  try {
    const Component = await load()
    // If the user has gone elsewhere meanwhile, it is no longer wanted.
    if (location.hash !== hash) return
    openSurface((onClose) => <Component {...({ ...props, onClose } as unknown as P)} />)
  } catch {
    app.notify(t('This part could not be loaded. Check the connection and try again.'), 'error')
  }
}

function close(id: number): void {
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
