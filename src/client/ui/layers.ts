import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * The open layers over the page: menus, pickers, cards, dialogs, and the drawers of a phone. The
 * router gives each an entry of the history, so that Back closes the one on top, and closes all of
 * them when the page goes elsewhere. Overlays with an address of their own, such as settings, are
 * not layers.
 */

/** The functions that close them, the top one last. */
const layers: (() => void)[] = []
let onOpen: (count: number) => void = () => undefined

/** Calls back when one more is open, with how many there are. */
export function followLayers(opened: (count: number) => void): void {
  onOpen = opened
}

/** How many are open. */
export const openLayers = (): number => layers.length

/** Adds a layer that `close` closes. Returns a function that removes it. */
export function addLayer(close: () => void): () => void {
  layers.push(close)
  onOpen(layers.length)
  return () => {
    const at = layers.indexOf(close)
    if (at >= 0) layers.splice(at, 1)
  }
}

/** Closes the top ones until this many are left. Returns whether there was one to close. */
export function closeLayers(left = 0): boolean {
  const closed = layers.splice(left).reverse()
  for (const close of closed) close()
  return closed.length > 0
}

/** Makes a component a layer while it is drawn. */
export function useLayer(onClose: () => void, isLayer = true): void {
  const close = useRef(onClose)
  close.current = onClose
  // Before it is seen, as Back may come immediately.
  useLayoutEffect(() => (isLayer ? addLayer(() => close.current()) : undefined), [isLayer])
}
