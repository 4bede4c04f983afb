import { ArrowDown, ArrowUp } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

type Side = 'above' | 'below'

interface MoreUnreadsProps {
  readonly scroller: { readonly current: HTMLElement | null }
  readonly side: Side
}

/** Says that something unread is out of sight at an edge of the bar, and leads to it. */
export function MoreUnreads({ scroller, side }: MoreUnreadsProps) {
  const counts = useApp().store.unreads.counts.value
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setThere(nextUnread(element, side) !== undefined))
    }
    look()
    const observer = new ResizeObserver(look)
    for (const part of [element, ...element.children]) observer.observe(part)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [counts, side])
  return (
    <div class={`more-unreads more-unreads-${side}`}>
      {isThere && (
        <button
          type="button"
          class="more-unreads-pill"
          onClick={() => {
            const element = scroller.current
            const row = element && nextUnread(element, side)
            row?.scrollIntoView({ block: 'center' })
          }}
        >
          <Icon node={side === 'above' ? ArrowUp : ArrowDown} size={14} /> {t('More unreads')}
        </button>
      )}
    </div>
  )
}

/** The unread entry next beyond an edge of what is in sight; undefined: there is none. */
function nextUnread(scroller: HTMLElement, side: Side): Element | undefined {
  const sight = scroller.getBoundingClientRect()
  const top = sight.top + (scroller.querySelector('.side-filter')?.clientHeight ?? 0)
  const rows = [...scroller.querySelectorAll('.side-unread')]
  return side === 'above'
    ? rows.findLast((row) => row.getBoundingClientRect().bottom < top)
    : rows.find((row) => row.getBoundingClientRect().top > sight.bottom)
}
