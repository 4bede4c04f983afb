import { Reply } from 'lucide'
import { h, render } from 'preact'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { mayBeginSideways, readingSign } from '#client/ui/sideways.ts'

const replyIcon = pointing(Reply)

/**
 * How far a finger moves before it pulls the row, and how far it has to pull to answer, in pixels.
 */
const slack = 12
const farEnough = 56
/** How far the row follows. */
const furthest = 80

interface Pull {
  readonly down: PointerEvent
  readonly row: HTMLElement
  readonly id: number
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

/** Whether letting go there answers. */
export const answersAt = (by: number): boolean => by >= farEnough

/**
 * Follows fingers that pull a row of messages against the direction of reading, as in other chats.
 * With reduced motion, the row stays in place and only the mark shows.
 *
 * @param signal stops it
 */
export function followReplySwipes(
  element: HTMLElement,
  onReply: (messageId: number) => void,
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
      const row = down.isPrimary && mayBeginSideways(down) ? rowUnder(down.target) : undefined
      if (!row) return
      const mark = document.createElement('span')
      mark.className = 'pull-mark'
      pull = { down, row, id: Number(row.dataset.messageId), by: undefined, mark }
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
        if (by !== undefined) begin(pull, by)
        return
      }
      // Once it is pulled, only sideways movement counts.
      move(pull, Math.max(0, Math.min(furthest, -dx - slack)))
    },
    { signal },
  )
  element.addEventListener(
    'pointerup',
    (event) => {
      if (!pull || pull.by === undefined) return end()
      // Otherwise the same finger would also change the pane.
      event.stopPropagation()
      const { by, id } = pull
      end()
      if (answersAt(by)) onReply(id)
    },
    { signal },
  )
  // The browser scrolls or zooms with this finger.
  element.addEventListener('pointercancel', end, { signal })
  signal.addEventListener('abort', end)
}

/** The row under a finger, unless its text is being selected or edited there. */
function rowUnder(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest('[data-selecting], .edit-box'))
    return undefined
  return target.closest<HTMLElement>('[data-message-id]') ?? undefined
}

function begin(pull: Pull, by: number): void {
  const { row, mark } = pull
  row.setAttribute('data-pulled', '')
  const box = row.getBoundingClientRect()
  mark.style.setProperty('top', `${box.top}px`)
  mark.style.setProperty('height', `${box.height}px`)
  render(h(Icon, { node: replyIcon, size: 20 }), mark)
  document.body.append(mark)
  move(pull, by)
}

function move(pull: Pull, by: number): void {
  const { row, mark } = pull
  const answers = answersAt(by)
  if (answers && !mark.hasAttribute('data-answers')) navigator.vibrate?.(10)
  pull.by = by
  mark.toggleAttribute('data-answers', answers)
  mark.style.setProperty('opacity', String(Math.min(1, by / farEnough)))
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  row.style.setProperty('translate', `${-by * readingSign()}px`)
}
