import { faded, readVisits, type Visit } from './visits.ts'

/** The statistics of visits. */
export interface VisitStatistics {
  /** Their links, the last one first. */
  readonly latest: readonly string[]
  /** The weight of a place; 0: never visited. */
  weightOf(href: string): number
}

export function visited(visits: readonly Visit[], now: number): VisitStatistics {
  const weights = new Map(visits.map((visit) => [visit.href, faded(visit, now)]))
  return {
    latest: [...visits].sort((a, b) => b.at - a.at).map(({ href }) => href),
    weightOf: (href) => weights.get(href) ?? 0,
  }
}

/** The user's visits in this browser so far. */
export const visitedBy = (selfId: number): VisitStatistics =>
  visited(readVisits(selfId), Date.now())
