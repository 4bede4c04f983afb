/** The items whose key is smallest come out first. */
export interface Heap<T> {
  push(item: T): void
  pop(): T | undefined
}

export function createHeap<T>(key: (item: T) => number): Heap<T> {
  const items: { key: number; item: T }[] = []

  const isBefore = (a: number, b: number) => (items[a]?.key ?? 0) < (items[b]?.key ?? 0)

  function swap(a: number, b: number): void {
    const [first, second] = [items[a], items[b]]
    if (!first || !second) return
    items[a] = second
    items[b] = first
  }

  function sift(from: number): void {
    let at = from
    for (;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < items.length && isBefore(child, least)) least = child
      }
      if (least === at) return
      swap(at, least)
      at = least
    }
  }

  return {
    push(item) {
      items.push({ key: key(item), item })
      for (let at = items.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1
        if (!isBefore(at, parent)) return
        swap(at, parent)
        at = parent
      }
    },
    pop() {
      const first = items[0]
      const last = items.pop()
      if (first && last && first !== last) {
        items[0] = last
        sift(0)
      }
      return first?.item
    },
  }
}
