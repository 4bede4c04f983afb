import type { Notes } from '#features/organization/imports/report.ts'

/** A file of an archive. */
export interface ArchiveFile {
  /** In bytes, unpacked. */
  readonly size: number
  /** @throws BAD_REQUEST it is damaged */
  open(): AsyncIterable<Uint8Array>
}

/** Where and for whom an archive is opened. */
export interface Opening {
  /** A folder for what has to be unpacked; the caller deletes it at the end. */
  readonly scratch: string
  readonly notes: Notes
  readonly signal: AbortSignal
}

/** The files of an archive by their paths. */
export interface Listing {
  readonly entries: ReadonlyMap<string, ArchiveFile>
  close?(): Promise<void>
}
