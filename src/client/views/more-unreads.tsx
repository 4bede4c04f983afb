import { ArrowDown, ArrowUp } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { Icon } from '#client/ui/icon.tsx'
import { tn } from '#client/ui/t.ts'

type Side = 'above' | 'below'

interface Unread {
  readonly count: number
  /** Whether something among them is meant for the user. */
  readonly isLoud: boolean
}

const none: Unread = { count: 0, isLoud: false }

/** The former object if nothing differs, so that nothing is drawn anew. */
const same = (before: Unread, after: Unread) =>
  before.count === after.count && before.isLoud === after.isLoud ? before : after

interface MoreUnreadsProps {
  readonly scroller: { readonly current: HTMLElement | null }
  readonly side: Side
}

/** Says that something unread is out of sight at an edge of the bar, and leads to it. */
export function MoreUnreads({ scroller, side }: MoreUnreadsProps) {
  const counts = useApp().store.unreads.counts.value
  const [unread, setUnread] = useState(none)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        const rows = unreadBeyond(element, side)
        const isLoud = rows.some((row) => row.querySelector('.count-loud'))
        setUnread((before) => same(before, { count: rows.length, isLoud }))
      })
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
      {unread.count > 0 && (
        <button
          type="button"
          class="row tight more-unreads-strip"
          data-loud={unread.isLoud || undefined}
          onClick={() => {
            const element = scroller.current
            const row = element && unreadBeyond(element, side)[0]
            row?.scrollIntoView({ block: 'center' })
          }}
        >
          <Icon node={side === 'above' ? ArrowUp : ArrowDown} size={14} />
          {tn(unread.count, '1 unread conversation', '{count} unread conversations')}
        </button>
      )}
    </div>
  )
}

/** The unread entries beyond an edge of what is in sight, the nearest first. */
function unreadBeyond(scroller: HTMLElement, side: Side): readonly Element[] {
  const sight = scroller.getBoundingClientRect()
  const top = sight.top + (scroller.querySelector('.side-filter')?.clientHeight ?? 0)
  const rows = [...scroller.querySelectorAll('.side-unread')]
  return side === 'above'
    ? rows.filter((row) => row.getBoundingClientRect().bottom < top).reverse()
    : rows.filter((row) => row.getBoundingClientRect().top > sight.bottom)
}
