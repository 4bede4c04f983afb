import { perDatabase } from '#platform/store/per-database.ts'

/** The progress of an export. */
export interface Progress {
  readonly step: string
  readonly done: number
  /** 0: not known. */
  readonly total: number
}

/** By the export's ID; only of the one that is being made. */
export const progressOf = perDatabase(() => new Map<number, Progress>())
