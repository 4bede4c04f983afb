/** How long a finger rests for a long press, in milliseconds. */
const holdTime = 500
/** How far it may stray meanwhile, in pixels. */
const slack = 10
/** How soon the click of a finger comes once it is lifted, in milliseconds. */
const clickTime = 400

interface LongPress {
  /** A finger has rested on a row. */
  onHold(messageId: number): void
  /** It is lifted, so that this does not close what opens now. In pixels of the window. */
  onLift(messageId: number, x: number, y: number): void
}

/**
 * Follows fingers that rest on a row of messages. Controls, such as links, are left to the browser.
 *
 * @param signal stops it
 */
export function followLongPresses(
  element: HTMLElement,
  { onHold, onLift }: LongPress,
  signal: AbortSignal,
): void {
  const options = { signal, capture: true }
  let timer: ReturnType<typeof setTimeout> | undefined
  let press: { readonly down: PointerEvent; readonly id: number; isHeld: boolean } | undefined
  let liftedAt = Number.NEGATIVE_INFINITY

  function end(): void {
    clearTimeout(timer)
    press = undefined
  }

  function begin(down: PointerEvent): void {
    end()
    const id = down.isPrimary && down.pointerType === 'touch' ? rowUnder(down.target) : undefined
    if (id === undefined) return
    const begun = { down, id, isHeld: false }
    press = begun
    timer = setTimeout(() => {
      begun.isHeld = true
      onHold(id)
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
    onLift(lifted.id, clientX, clientY)
  }

  element.addEventListener('pointerdown', begin, options)
  element.addEventListener('pointermove', move, options)
  element.addEventListener('pointerup', lift, options)
  // Once a press is held, a browser may take it for a gesture of its own, and no finger is lifted.
  element.addEventListener('pointercancel', lift, options)
  // The browser selects a word or shows a menu of its own otherwise.
  element.addEventListener('contextmenu', (event) => press && event.preventDefault(), options)
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

const acting =
  'a[href], button, input, textarea, select, video, audio, [role="button"], [data-selecting]'

/** The message of the row under a finger; undefined on controls, or during a selection. */
function rowUnder(target: EventTarget | null): number | undefined {
  if (!(target instanceof Element) || target.closest(acting)) return undefined
  const row = target.closest<HTMLElement>('[data-message-id]')
  return row ? Number(row.dataset.messageId) : undefined
}
