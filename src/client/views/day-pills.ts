/** How long a date stays over the messages after the last movement, in milliseconds. */
const staying = 1000

/** What keeps the dates of a list in order. */
export interface Days {
  /** After rows were drawn. */
  push(): void
  stop(): void
}

/**
 * The date that sticks to the top of a list is pushed away by the next one, so that one can be seen
 * at a time; and it fades where it lies over messages, once nobody scrolls.
 */
export function followDayPills(list: HTMLElement, scroller: HTMLElement): Days {
  const push = () => pushDays(list)
  const stopFading = fadeDays(list, scroller)
  scroller.addEventListener('scroll', push, { passive: true })
  push()
  return {
    push,
    stop() {
      stopFading()
      scroller.removeEventListener('scroll', push)
    },
  }
}

function pushDays(list: HTMLElement): void {
  const days = [...list.querySelectorAll<HTMLElement>(':scope > .day')]
  // All are read before one is moved.
  const boxes = days.map((day) => ({ top: day.offsetTop, height: day.offsetHeight }))
  for (const [i, day] of days.entries()) {
    const [box, next] = [boxes[i], boxes[i + 1]]
    const by = box && next ? Math.min(0, next.top - box.top - box.height) : 0
    day.style.translate = by < 0 ? `0 ${by}px` : ''
  }
}

function fadeDays(list: HTMLElement, scroller: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    for (const day of list.querySelectorAll<HTMLElement>(':scope > .day')) {
      const next = day.nextElementSibling
      const end = day.offsetTop + day.offsetHeight
      const lies = next instanceof HTMLElement && next.offsetTop < end
      day.toggleAttribute('data-over', lies)
    }
    list.toggleAttribute('data-still', true)
  }
  const move = () => {
    list.removeAttribute('data-still')
    clearTimeout(timer)
    timer = setTimeout(rest, staying)
  }
  move()
  scroller.addEventListener('scroll', move, { passive: true })
  return () => {
    clearTimeout(timer)
    scroller.removeEventListener('scroll', move)
  }
}
