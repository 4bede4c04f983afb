import type { ComponentChildren } from 'preact'

/** How many rows the browser leaves out, or lays out and paints, at a time. */
const partSize = 25

interface LongListProps<T> {
  readonly items: readonly T[]
  /** Draws the `li` of an item, with a key. */
  readonly draw: (item: T) => ComponentChildren
  /** The content after the last item. */
  readonly children?: ComponentChildren
}

/**
 * A list that may have hundreds of rows beside the messages: the browser only lays out and paints
 * those near the visible part. Otherwise every key press would take longer. Each part is a list of
 * its own.
 */
export function LongList<T>({ items, draw, children }: LongListProps<T>) {
  const parts: T[][] = []
  for (let i = 0; i < items.length || i === 0; i += partSize) {
    parts.push(items.slice(i, i + partSize))
  }
  return (
    <>
      {parts.map((part, i) => (
        // Parts have no identity but their place.
        <ul key={i} class="long-list" style={`--rows: ${part.length}`}>
          {part.map(draw)}
          {i === parts.length - 1 && children}
        </ul>
      ))}
    </>
  )
}
