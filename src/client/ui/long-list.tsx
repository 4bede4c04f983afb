import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** How many rows the browser leaves out, or lays out and paints, at a time. */
const partSize = 25

/** From so many rows on, those far from the visible part are not even made. */
const manyRows = 100

interface LongListProps<T> {
  readonly items: readonly T[]
  /** Draws the `li` of an item, with a key. */
  readonly draw: (item: T) => ComponentChildren
  /** Whether an item has to be there although it is far away: it is looked for, or shown. */
  readonly keeps?: (item: T) => boolean
  /** The content after the last item. */
  readonly children?: ComponentChildren
}

/**
 * A list that may have a thousand rows beside the messages: of many, the rows far from the visible part
 * are only room, and of the others the browser lays out and paints those in sight. Otherwise every key
 * press would take longer. Each part is a list of its own.
 */
export function LongList<T>({ items, draw, keeps, children }: LongListProps<T>) {
  const parts: T[][] = []
  for (let i = 0; i < items.length || i === 0; i += partSize) {
    parts.push(items.slice(i, i + partSize))
  }
  const isLong = items.length >= manyRows
  return (
    <>
      {parts.map((part, i) => {
        const isLast = i === parts.length - 1
        const stays = !isLong || i === 0 || isLast || (keeps !== undefined && part.some(keeps))
        return (
          // Parts have no identity but their place.
          <Part key={i} rows={part.length} stays={stays}>
            {() => [part.map(draw), isLast && children]}
          </Part>
        )
      })}
    </>
  )
}

interface PartProps {
  readonly rows: number
  readonly stays: boolean
  readonly children: () => ComponentChildren
}

function Part({ rows, stays, children }: PartProps) {
  const list = useRef<HTMLUListElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (stays || !list.current) return
    const near = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting === true),
      { rootMargin: '100% 0px' },
    )
    near.observe(list.current)
    return () => near.disconnect()
  }, [stays])
  return (
    <ul ref={list} class="long-list" style={`--rows: ${rows}`}>
      {(stays || isNear) && children()}
    </ul>
  )
}
