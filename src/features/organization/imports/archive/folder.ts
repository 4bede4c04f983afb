import { createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { badRequest } from '#platform/errors.ts'
import type { ArchiveFile, Listing, Opening } from './listing.ts'
import { mostEntries, safeName } from './names.ts'

/** Lists the files below a folder. Links are not followed, wherever they lead. */
export async function listFolder(root: string, { notes, signal }: Opening): Promise<Listing> {
  const entries = new Map<string, ArchiveFile>()
  const folders = ['']
  for (const folder of folders) {
    for await (const found of await opendir(join(root, folder))) {
      signal.throwIfAborted()
      const path = folder === '' ? found.name : `${folder}/${found.name}`
      if (found.isDirectory()) folders.push(path)
      else if (found.isSymbolicLink()) notes.skipped('other', 'link-in-archive', path)
      else if (found.isFile() && safeName(path) !== undefined) {
        const file = join(root, path)
        const { size } = await stat(file)
        entries.set(path, { size, open: () => createReadStream(file) })
      }
      if (entries.size + folders.length > mostEntries)
        throw badRequest('The folder has too many files.')
    }
  }
  return { entries }
}
