import type { Outgoing } from '#platform/outgoing/fetch.ts'
import type { Archive } from './archive/archive.ts'
import { type Notes, type Reason, reasons } from './report.ts'
import type { Item } from './stream.ts'

/** What `--format` may be: apart from the sources, which are loaded when one is read. */
export const sourceNames = [
  'campfire',
  'discord',
  'mattermost',
  'rocketchat',
  'slack',
  'zulip',
] as const

/** The options that only some sources understand. */
export interface SourceOptions {
  /** A token for the source's API. */
  readonly token?: string
  /** The team or server of an export of several. */
  readonly team?: string
  /** Whether replies stay in the topic of what they reply to. */
  readonly noThreads?: boolean
  /** A folder that keeps downloads for a further try. */
  readonly cache?: string
  /** Names of the channels that are to be private. */
  readonly privateChannels?: readonly string[]
  /** Whether what is in no thread goes to one topic, or to one for each day. */
  readonly topics?: 'one' | 'daily'
  /** Whether people whom the export has as deactivated placeholders, with addresses, are people again. */
  readonly activate?: boolean
}

export interface Reading {
  readonly archive: Archive
  /** A folder for what has to be unpacked, which is deleted at the end. */
  readonly scratch: string
  readonly options: SourceOptions
  /** Counts things that are left out or changed; the importer counts things that are yielded. */
  readonly notes: Notes
  /** For requests to the other system, which go through `platform/outgoing` alone. */
  readonly server: Outgoing
  /** Aborted when nobody waits anymore: pass it on to what may take long. */
  readonly signal: AbortSignal
}

/**
 * A file that is not available. `reason` goes to the report, and texts that show the file say so.
 */
export class FileUnavailable extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reasons[reason])
    this.reason = reason
  }
}

/** A system whose exports can be imported. */
export interface Source {
  /** Its name for `--format`. */
  readonly name: string
  /** Its name for people; also the client of messages that name none. */
  readonly title: string
  /** The options that it understands; others are refused. */
  readonly options: readonly (keyof SourceOptions)[]
  /** Whether `flags` say whom a message mentions; otherwise the content does. */
  readonly statesMentions?: boolean
  /** Whether an archive is one of its exports, by the names in it and the beginnings of files. */
  detect(archive: Archive): boolean | Promise<boolean>
  /** The file without which an archive that looks like one of its exports is none. */
  missing?(archive: Archive): string | undefined
  /**
   * Reads an export from the beginning to the end.
   *
   * @throws BAD_REQUEST the export as a whole cannot be used; what is wrong with a part of it is
   *   skipped, with a reason in the notes
   */
  read(reading: Reading): AsyncIterable<Item>
}
