import type { FileStore } from '#platform/files/store.ts'
import type { Task } from '#platform/task.ts'

/** The tools for the writers of an export, besides a copy of the database. */
export interface HistorySource extends Pick<Task, 'signal' | 'report'> {
  readonly files: Pick<FileStore, 'size' | 'stream'>
  /** A folder for files that are written before the archive has them; removed at the end. */
  readonly folder: string
}
