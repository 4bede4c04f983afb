import type { Archive } from './archive.ts'

/** An archive that remembers which of its files were asked for. */
export interface WatchedArchive extends Archive {
  /** The files that nobody has read, nor found by their path. */
  unread(): string[]
}

export function watchReads(archive: Archive): WatchedArchive {
  const left = new Set(archive.paths)
  const note = (path: string) => void left.delete(path.normalize())
  return {
    ...archive,
    has(path) {
      note(path)
      return archive.has(path)
    },
    size(path) {
      note(path)
      return archive.size(path)
    },
    read(path) {
      note(path)
      return archive.read(path)
    },
    unread: () => [...left],
  }
}
