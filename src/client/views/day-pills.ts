/**
 * The date that sticks to the top of a list is pushed away by the next one, so that one can be seen
 * at a time.
 */
export function pushDays(list: HTMLElement): void {
  const days = [...list.querySelectorAll<HTMLElement>(':scope > .day')]
  // All are read before one is moved.
  const boxes = days.map((day) => ({ top: day.offsetTop, height: day.offsetHeight }))
  for (const [i, day] of days.entries()) {
    const [box, next] = [boxes[i], boxes[i + 1]]
    const by = box && next ? Math.min(0, next.top - box.top - box.height) : 0
    day.style.translate = by < 0 ? `0 ${by}px` : ''
  }
}
