import type { Archive } from '#features/organization/imports/archive/archive.ts'
import type { Reading, Source } from '#features/organization/imports/source.ts'
import type { Item } from '#features/organization/imports/stream.ts'
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
  detect: async (archive) => (await findLines(archive)).length > 0,
  async *read(reading) {
    const [path, ...others] = await findLines(reading.archive)
    for (const each of others) reading.notes.skipped('other', 'other-export', each)
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

/** The files of lines, which begin with the version of the format: one for each export. */
async function findLines(archive: Archive): Promise<string[]> {
  const found: string[] = []
  for (const path of archive.paths) {
    if (!/\.(jsonl|json)$/.test(path) || path.startsWith('data/')) continue
    let head = ''
    for await (const part of archive.read(path)) {
      head += Buffer.from(part).toString('latin1')
      if (head.length >= longestFirst) break
    }
    if (/^[^{]{0,10}\{[^\n]{0,900}"type"\s*:\s*"version"/.test(head)) found.push(path)
  }
  return found
}

function* customEmoji(reading: Reading, { emoji }: Directory): Generator<Item> {
  for (const [name, file] of emoji) {
    const path = pathOf(reading, file)
    if (path === undefined) reading.notes.skipped('custom emoji', 'missing-file', name)
    else yield { type: 'emoji', key: name, name, picture: () => reading.archive.read(path) }
  }
}
