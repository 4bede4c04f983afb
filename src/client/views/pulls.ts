import { h, render } from 'preact'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { mayBeginSideways, readingSign } from '#client/ui/sideways.ts'

/**
 * How far a finger moves before it pulls the row, and how far it has to pull to have an effect, in
 * pixels.
 */
const slack = 12
const farEnough = 56
/** How far the row follows. */
const furthest = 80

interface Pull {
  readonly down: PointerEvent
  readonly row: HTMLElement
  /** How far the row is pulled, against the direction of reading; undefined until it begins. */
  by: number | undefined
  readonly mark: HTMLElement
}

/**
 * How far a row is pulled by a movement; undefined: the finger scrolls or swipes in another way.
 */
export function pullOf(dx: number, dy: number): number | undefined {
  if (-dx < slack || -dx < 2 * Math.abs(dy)) return undefined
  return Math.min(furthest, -dx - slack)
}

/** Whether letting go there has an effect. */
export const actsAt = (by: number): boolean => by >= farEnough

export interface PullParts {
  /** The row under a finger; undefined: there is none, or it is not to be pulled there. */
  rowUnder(target: Element): HTMLElement | undefined
  /** What the mark beside the row shows. */
  readonly icon: IconNode
  /** A row was pulled far enough. */
  onPull(row: HTMLElement): void
}

/**
 * Follows fingers that pull a row against the direction of reading. With reduced motion, the row
 * stays in place and only the mark shows.
 *
 * @param signal stops it
 */
export function followPulls(
  element: HTMLElement,
  { rowUnder, icon, onPull }: PullParts,
  signal: AbortSignal,
): void {
  let pull: Pull | undefined

  function end(): void {
    if (!pull) return
    const { row, mark } = pull
    row.style.removeProperty('translate')
    row.removeAttribute('data-pulled')
    render(null, mark)
    mark.remove()
    pull = undefined
  }

  element.addEventListener(
    'pointerdown',
    (down) => {
      end()
      if (!down.isPrimary || !mayBeginSideways(down)) return
      const row = down.target instanceof Element ? rowUnder(down.target) : undefined
      if (!row) return
      const mark = document.createElement('span')
      mark.className = 'pull-mark'
      pull = { down, row, by: undefined, mark }
    },
    { signal },
  )
  element.addEventListener(
    'pointermove',
    (event) => {
      if (!pull || event.pointerId !== pull.down.pointerId) return
      const dx = (event.clientX - pull.down.clientX) * readingSign()
      const by = pullOf(dx, event.clientY - pull.down.clientY)
      if (pull.by === undefined) {
        if (by !== undefined) begin(pull, by, icon)
        return
      }
      // Once it is pulled, only sideways movement counts.
      move(pull, Math.max(0, Math.min(furthest, -dx - slack)))
    },
    { signal },
  )
  // Or else Chromium takes a fast pull for a fling, and swallows the next tap, as on an undo.
  element.addEventListener(
    'touchmove',
    (event) => {
      if (pull?.by !== undefined && event.cancelable) event.preventDefault()
    },
    { signal, passive: false },
  )
  element.addEventListener(
    'pointerup',
    (event) => {
      if (!pull || pull.by === undefined) return end()
      // Otherwise the same finger would also change the pane.
      event.stopPropagation()
      const { by, row } = pull
      end()
      if (actsAt(by)) onPull(row)
    },
    { signal },
  )
  // The browser scrolls or zooms with this finger.
  element.addEventListener('pointercancel', end, { signal })
  signal.addEventListener('abort', end)
}

function begin(pull: Pull, by: number, icon: IconNode): void {
  const { row, mark } = pull
  row.setAttribute('data-pulled', '')
  const box = row.getBoundingClientRect()
  mark.style.setProperty('top', `${box.top}px`)
  mark.style.setProperty('height', `${box.height}px`)
  render(h(Icon, { node: icon, size: 20 }), mark)
  document.body.append(mark)
  move(pull, by)
}

function move(pull: Pull, by: number): void {
  const { row, mark } = pull
  const acts = actsAt(by)
  if (acts && !mark.hasAttribute('data-acts')) navigator.vibrate?.(10)
  pull.by = by
  mark.toggleAttribute('data-acts', acts)
  mark.style.setProperty('opacity', String(Math.min(1, by / farEnough)))
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  row.style.setProperty('translate', `${-by * readingSign()}px`)
}
