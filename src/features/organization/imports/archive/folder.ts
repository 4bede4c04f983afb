import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { badRequest } from '#platform/errors.ts'
import { nameIn } from './legacy-names.ts'
import type { ArchiveFile, Listing, Opening } from './listing.ts'
import { mostEntries, safeName } from './names.ts'

/** Lists the files below a folder. Links are not followed, wherever they lead. */
export async function listFolder(root: string, { notes, signal }: Opening): Promise<Listing> {
  const entries = new Map<string, ArchiveFile>()
  // Names need not be in UTF-8: what is opened is what the system calls it.
  const folders = [{ at: Buffer.from(root), name: '' }]
  for (const folder of folders) {
    const found = await readdir(folder.at, { encoding: 'buffer', withFileTypes: true })
    for (const each of found) {
      signal.throwIfAborted()
      const name = `${folder.name}${nameIn(each.name)}`
      const at = Buffer.concat([folder.at, Buffer.from('/'), each.name])
      if (each.isDirectory()) folders.push({ at, name: `${name}/` })
      else if (each.isSymbolicLink()) notes.skipped('other', 'link-in-archive', name)
      else if (each.isFile() && safeName(name) !== undefined) {
        const { size } = await stat(at)
        entries.set(name, { size, open: () => createReadStream(at) })
      }
      if (entries.size + folders.length > mostEntries)
        throw badRequest('The folder has too many files.')
    }
  }
  return { entries }
}
