/** How long a finger rests for a long press, in milliseconds. */
const holdTime = 500
/** How far it may stray meanwhile, in pixels. */
const slack = 10
/** How soon the click of a finger comes once it is lifted, in milliseconds. */
const clickTime = 400

interface LongPress {
  /** The row under a finger; undefined: there is none, or resting there is left to the browser. */
  rowUnder(target: Element): HTMLElement | undefined
  /** A finger has rested on a row. */
  onHold(row: HTMLElement): void
  /** It is lifted, so that this does not close what opens now. In pixels of the window. */
  onLift(row: HTMLElement, x: number, y: number): void
}

/**
 * Follows fingers that rest on a row.
 *
 * @param signal stops it
 */
export function followLongPresses(
  element: HTMLElement,
  { rowUnder, onHold, onLift }: LongPress,
  signal: AbortSignal,
): void {
  const options = { signal, capture: true }
  let timer: ReturnType<typeof setTimeout> | undefined
  let press: { readonly down: PointerEvent; readonly row: HTMLElement; isHeld: boolean } | undefined
  let liftedAt = Number.NEGATIVE_INFINITY

  function end(): void {
    clearTimeout(timer)
    press = undefined
  }

  function begin(down: PointerEvent): void {
    end()
    if (!down.isPrimary || down.pointerType !== 'touch') return
    const row = down.target instanceof Element ? rowUnder(down.target) : undefined
    if (!row) return
    const begun = { down, row, isHeld: false }
    press = begun
    timer = setTimeout(() => {
      begun.isHeld = true
      onHold(row)
    }, holdTime)
  }

  function move({ clientX, clientY }: PointerEvent): void {
    if (!press) return
    const { down } = press
    if (Math.hypot(clientX - down.clientX, clientY - down.clientY) > slack) end()
  }

  function lift({ timeStamp }: PointerEvent): void {
    const lifted = press
    end()
    if (!lifted?.isHeld) return
    liftedAt = timeStamp
    const { clientX, clientY } = lifted.down
    onLift(lifted.row, clientX, clientY)
  }

  element.addEventListener('pointerdown', begin, options)
  element.addEventListener('pointermove', move, options)
  element.addEventListener('pointerup', lift, options)
  // Once a press is held, a browser may take it for a gesture of its own, and no finger is lifted.
  element.addEventListener('pointercancel', lift, options)
  // The browser selects a word or shows a menu of its own otherwise.
  element.addEventListener(
    'contextmenu',
    (event) => {
      if (!press) return
      event.preventDefault()
      event.stopPropagation()
    },
    options,
  )
  element.addEventListener(
    'click',
    (event) => {
      if (event.timeStamp - liftedAt > clickTime) return
      event.preventDefault()
      event.stopPropagation()
    },
    options,
  )
  signal.addEventListener('abort', end)
}
