/** The rows of a long table that are drawn, and the space that those above and below take. */
export interface RowWindow {
  readonly first: number
  /** The index after the last. */
  readonly end: number
  /** In pixels. */
  readonly above: number
  readonly below: number
}

/** How many rows are drawn beyond each edge, so that scrolling meets no gap. */
const margin = 12

/**
 * Which rows to draw of a table whose rows have one height.
 *
 * @param offset how far the top of the rows is above the visible part, in pixels
 * @param visible the height of the visible part, in pixels
 */
export function rowWindow(
  count: number,
  rowHeight: number,
  offset: number,
  visible: number,
): RowWindow {
  const clamp = (row: number) => Math.max(0, Math.min(count, row))
  const first = clamp(Math.floor(offset / rowHeight) - margin)
  const end = clamp(Math.ceil((offset + visible) / rowHeight) + margin)
  return { first, end, above: first * rowHeight, below: (count - end) * rowHeight }
}
