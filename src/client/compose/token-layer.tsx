import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { type Token, tokensIn } from './tokens.ts'

interface TokenLayerProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  /** The text in the area. */
  readonly text: string
}

/**
 * Draws mentions, links to places and times over the text area as they will be read. The source stays
 * where it is: a token that has the caret or a part of the selection in it shows it, and so does one
 * that two lines share.
 */
export function TokenLayer({ area, text }: TokenLayerProps) {
  const { store } = useApp()
  const layer = useRef<HTMLDivElement>(null)
  const selection = useSelection(area)
  // Names are looked up among all people, and the caret moves often.
  const tokens = useMemo(() => tokensIn(text, store), [store, text])

  useLayoutEffect(() => {
    const [box, over] = [area.current, layer.current]
    if (!box || !over) return
    const { font, letterSpacing, tabSize } = getComputedStyle(box)
    Object.assign(over.style, { font, letterSpacing, tabSize })
    const scroll = () => {
      over.scrollTop = box.scrollTop
    }
    const follow = () => {
      // A bar beside the text makes its lines shorter.
      over.style.width = `${box.clientWidth}px`
      over.style.height = `${box.clientHeight}px`
      placeTokens(over, tokens)
      scroll()
    }
    follow()
    const sizes = new ResizeObserver(follow)
    sizes.observe(box)
    box.addEventListener('scroll', scroll)
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', scroll)
    }
  }, [text, tokens])

  return (
    <div ref={layer} class="tokens" dir="auto" aria-hidden="true">
      <span>{`${text}\n`}</span>
      {tokens.map(({ from, to, label }) => {
        const isOpen = selection.start < to && selection.end > from
        return (
          <b key={from} class="token" hidden={isOpen}>
            {label}
          </b>
        )
      })}
    </div>
  )
}

/** Puts each token over its source. The copy of the text is in one piece, as pieces would be wider. */
function placeTokens(layer: HTMLElement, tokens: readonly Token[]): void {
  const copy = layer.querySelector('span')?.firstChild
  const drawn = layer.querySelectorAll<HTMLElement>('.token')
  if (!copy) return
  const frame = layer.getBoundingClientRect()
  const range = document.createRange()
  const boxes = tokens.map(({ from, to }) => {
    range.setStart(copy, from)
    range.setEnd(copy, to)
    return range.getClientRects()
  })
  for (const [i, [box, second]] of boxes.entries()) {
    const { style } = drawn[i] ?? {}
    if (!style) continue
    style.visibility = box && !second ? 'visible' : 'hidden'
    if (!box) continue
    style.left = `${box.left - frame.left}px`
    style.top = `${box.top - frame.top + layer.scrollTop}px`
    style.width = `${box.width}px`
    style.height = style.lineHeight = `${box.height}px`
  }
}

/** What is selected in a text area, while it has the focus; nowhere otherwise. */
function useSelection(area: RefObject<HTMLTextAreaElement | null>) {
  const [selection, setSelection] = useState({ start: -1, end: -1 })
  useEffect(() => {
    const look = () => {
      const box = area.current
      const isHere = box !== null && document.activeElement === box
      const [start, end] = isHere ? [box.selectionStart, box.selectionEnd] : [-1, -1]
      setSelection((last) => (last.start === start && last.end === end ? last : { start, end }))
    }
    const box = area.current
    // Browsers that tell of it only at the document do so as well.
    document.addEventListener('selectionchange', look)
    box?.addEventListener('selectionchange', look)
    box?.addEventListener('blur', look)
    return () => {
      document.removeEventListener('selectionchange', look)
      box?.removeEventListener('selectionchange', look)
      box?.removeEventListener('blur', look)
    }
  }, [])
  return selection
}
