import type { Archive } from '#features/organization/import/archive/archive.ts'
import type { Reading, Source } from '#features/organization/import/source.ts'
import type { Item } from '#features/organization/import/stream.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { type Directory, pathOf, readDirectory } from './directory.ts'
import { messages } from './messages.ts'
import { channels, people } from './people.ts'

/** Mattermost's bulk export: a file of JSON Lines, alone or in a zip archive with its files. */
export const mattermost: Source = {
  name: 'mattermost',
  title: 'Mattermost',
  options: ['team', 'noThreads'],
  detect: async (archive) => (await findLines(archive)) !== undefined,
  async *read(reading) {
    const path = await findLines(reading.archive)
    if (path === undefined) throw badRequest(sentence('There is no JSON Lines file in the export.'))
    const directory = await readDirectory(reading, path)
    const { description, display_name: name } = directory.team ?? {}
    yield { type: 'organization', name, description }
    yield* people(reading, directory)
    yield* channels(directory)
    yield* customEmoji(reading, directory)
    yield* messages(reading, directory, path)
  },
}

/** In bytes: the first line is shorter. */
const longestFirst = 1000

/** The file of lines, which begins with the version of the format. */
async function findLines(archive: Archive): Promise<string | undefined> {
  for (const path of archive.paths) {
    if (!/\.(jsonl|json)$/.test(path) || path.startsWith('data/')) continue
    let head = ''
    for await (const part of archive.read(path)) {
      head += Buffer.from(part).toString('latin1')
      if (head.length >= longestFirst) break
    }
    if (/^[^{]{0,10}\{[^\n]{0,900}"type"\s*:\s*"version"/.test(head)) return path
  }
  return undefined
}

function* customEmoji(reading: Reading, { emoji }: Directory): Generator<Item> {
  for (const [name, image] of emoji) {
    const path = pathOf(reading, image)
    if (path === undefined) reading.notes.skipped('custom emoji', 'missing-file', name)
    else yield { type: 'emoji', key: name, name, picture: () => reading.archive.read(path) }
  }
}
