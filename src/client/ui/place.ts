/** A box in the coordinates of the window, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Placement = 'bottom-start' | 'bottom-end' | 'top-start' | 'top-end' | 'right' | 'left'

const margin = 8
const gap = 4

/**
 * Where a popover goes: beside its anchor as asked, on the other side if it does not fit, and
 * always inside the window.
 */
export function place(
  anchor: Box,
  size: { readonly width: number; readonly height: number },
  window: { readonly width: number; readonly height: number },
  placement: Placement,
): { left: number; top: number } {
  const right = anchor.left + anchor.width
  const bottom = anchor.top + anchor.height
  let left: number
  let top: number
  if (placement === 'right' || placement === 'left') {
    const after = right + gap
    const before = anchor.left - gap - size.width
    const fitsAfter = after + size.width <= window.width - margin
    left = (placement === 'right' ? fitsAfter : before < margin) ? after : before
    top = anchor.top
  } else {
    left = placement.endsWith('end') ? right - size.width : anchor.left
    const below = bottom + gap
    const above = anchor.top - gap - size.height
    const fitsBelow = below + size.height <= window.height - margin
    const wantsBelow = placement.startsWith('bottom')
    top = (wantsBelow ? fitsBelow || above < margin : above < margin) ? below : above
  }
  return {
    left: clamp(left, margin, window.width - margin - size.width),
    top: clamp(top, margin, window.height - margin - size.height),
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high))
}
