import { basename } from 'node:path/posix'
import type { Reading } from '#features/organization/imports/source.ts'
import type { FileRow } from './rows.ts'

/**
 * The files that a tool has added to Slack's export: `__uploads/<file>/<name>`,
 * `<channel>/attachments/<file>-<name>`, and pictures of people as `__avatars/<person>/<name>`.
 *
 * @source slackdump, "Creating Slack Export"; slack-advanced-exporter
 */
export interface ArchivedFiles {
  /** The path of a file of a message. @param folder the one that has the message */
  file(row: FileRow, folder: string): string | undefined
  /** The path of someone's picture. */
  picture(person: string): string | undefined
  /** Counts files of messages and pictures that nothing has used. */
  noteUnused(): void
}

/** The messages of a channel on one day; the first group is the channel's folder. */
export const dayFile = /^([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/

const upload = /^(?:__uploads\/([^/]+)\/[^/]+|[^/]+\/attachments\/(F[A-Z0-9]+)-[^/]+)$/
const portrait = /^(?:__avatars|profile_pictures)\/([^/.]+)(?:\.\w+|\/[^/]+)$/

export function archived({ archive, notes }: Reading): ArchivedFiles {
  const uploads = new Map<string, string[]>()
  const portraits = new Map<string, string[]>()
  for (const path of archive.paths) {
    const [, id, attachment] = upload.exec(path) ?? []
    put(uploads, id ?? attachment, path)
    put(portraits, portrait.exec(path)?.[1], path)
  }
  const used = new Set<string>()
  const use = (path: string | undefined) => {
    if (path !== undefined) used.add(path)
    return path
  }
  /** The address of a file may be a path from the folder of its message. */
  const beside = (folder: string, address: string | undefined) => {
    if (!address || URL.canParse(address)) return undefined
    const path = `${folder}/${address.replaceAll('\\', '/').replace(/^\.?\//, '')}`
    return archive.has(path) && !dayFile.test(path) ? path : undefined
  }
  return {
    file({ id = '', name, url_private, url_private_download }, folder) {
      const paths = uploads.get(id) ?? []
      return use(
        paths.find((path) => basename(path) === name) ??
          paths[0] ??
          beside(folder, url_private_download) ??
          beside(folder, url_private),
      )
    },
    picture(person) {
      const paths = portraits.get(person) ?? []
      return use(paths.toSorted((a, b) => archive.size(b) - archive.size(a))[0])
    },
    noteUnused() {
      for (const path of archive.paths) {
        if (used.has(path) || dayFile.test(path)) continue
        const isUpload = upload.test(path)
        if (!isUpload && !portrait.test(path)) continue
        if (isUpload) notes.skipped('files', 'absent', basename(path))
        else notes.skipped('pictures', 'absent', path)
        // So that it is not told again as a file that nobody read.
        archive.has(path)
      }
    },
  }
}

function put(to: Map<string, string[]>, id: string | undefined, path: string): void {
  if (id === undefined) return
  const known = to.get(id)
  if (known) known.push(path)
  else to.set(id, [path])
}
