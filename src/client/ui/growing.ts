import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Makes a text box as high as its text in browsers without `field-sizing: content`, by which styles
 * ask for that; they limit the height as well.
 *
 * @param text what the box contains
 */
export function useGrowing(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string | undefined,
): void {
  const isOurs = !CSS.supports('field-sizing', 'content')
  useLayoutEffect(() => {
    if (isOurs && area.current) fit(area.current)
  }, [isOurs, text])
  // Lines break elsewhere in a box of another width; one that was hidden had none.
  useLayoutEffect(() => {
    const box = area.current
    if (!isOurs || !box) return
    let width = box.offsetWidth
    const observer = new ResizeObserver(() => {
      if (box.offsetWidth === width) return
      width = box.offsetWidth
      fit(box)
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [isOurs])
}

/** Measures a copy: what is around the box itself does not move meanwhile. */
function fit(box: HTMLTextAreaElement): void {
  // It is hidden.
  if (box.offsetWidth === 0) return
  const copy = box.cloneNode() as HTMLTextAreaElement
  copy.value = box.value
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    overflow: 'hidden',
    width: `${box.offsetWidth}px`,
    height: '0',
    minHeight: '0',
  })
  box.after(copy)
  box.style.height = `${copy.scrollHeight + box.offsetHeight - box.clientHeight}px`
  copy.remove()
}
