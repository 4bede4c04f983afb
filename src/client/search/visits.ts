import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { View } from '#client/narrow/narrow.ts'

/** A place that the user went to in this browser. */
export interface Visit {
  /** Its link. */
  readonly href: string
  /** How often, where a visit counts half as much after a week. */
  readonly weight: number
  /** The last time, in milliseconds since the epoch. */
  readonly at: number
}

const most = 100
const halfLife = 7 * 24 * 3600_000

const keyOf = (selfId: number) => `parley:visits:${selfId}`

/** The visits so far. */
export function readVisits(selfId: number): readonly Visit[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(selfId)) ?? '[]')
    return Array.isArray(kept) ? (kept as Visit[]) : []
  } catch {
    return []
  }
}

/** The weight of a visit by now. */
export const faded = ({ weight, at }: Visit, now: number) => weight * 0.5 ** ((now - at) / halfLife)

/** The visits after another one, without those of the least weight. */
export function withVisit(visits: readonly Visit[], href: string, now: number): readonly Visit[] {
  const before = visits.find((visit) => visit.href === href)
  const weight = 1 + (before ? faded(before, now) : 0)
  const others = visits.filter((visit) => visit !== before)
  return [{ href, weight, at: now }, ...others]
    .sort((a, b) => faded(b, now) - faded(a, now))
    .slice(0, most)
}

/** Remembers the views that are shown. */
export function useVisits(view: View): void {
  const { router, store } = useApp()
  useEffect(() => {
    // A message counts as a visit to its conversation.
    const href = router.href(view.kind === 'messages' ? { ...view, near: undefined } : view)
    try {
      const visits = withVisit(readVisits(store.selfId), href, Date.now())
      localStorage.setItem(keyOf(store.selfId), JSON.stringify(visits))
    } catch {
      // Without storage, only the visits are lost.
    }
  }, [view])
}
