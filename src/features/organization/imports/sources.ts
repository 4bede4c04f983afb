import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import type { Archive } from './archive/archive.ts'
import { type Source, sourceNames } from './source.ts'
import { campfire } from './sources/campfire/source.ts'
import { discord } from './sources/discord/source.ts'
import { mattermost } from './sources/mattermost/source.ts'
import { rocketchat } from './sources/rocketchat/source.ts'
import { slack } from './sources/slack/source.ts'
import { zulip } from './sources/zulip/source.ts'

const byName: Readonly<Record<(typeof sourceNames)[number], Source>> = {
  campfire,
  discord,
  mattermost,
  rocketchat,
  slack,
  zulip,
}

/**
 * All systems whose exports can be imported. Adding one takes a folder in `sources/`, a line here and its
 * name in `sourceNames`.
 */
export const allSources: readonly Source[] = sourceNames.map((name) => byName[name])

/**
 * Finds the system that an export is from.
 *
 * @param format the name of the source, if someone named it
 * @param sources those to choose from
 * @throws BAD_REQUEST it is from none, or from several
 */
export async function findSource(
  archive: Archive,
  format?: string,
  sources: readonly Source[] = allSources,
): Promise<Source> {
  const titles = sources.map(({ title }) => title).join(', ')
  if (format !== undefined) {
    const named = sources.find(({ name }) => name === format)
    if (!named) throw badRequest(`There is no format ${JSON.stringify(format.slice(0, 40))}.`)
    requireNothingMissing(archive, [named])
    return named
  }
  const found: Source[] = []
  for (const source of sources) if (await source.detect(archive)) found.push(source)
  const [first, second] = found
  if (!first) requireNothingMissing(archive, sources)
  if (!first)
    throw badRequest(
      sentence('This does not look like an export of {systems}.', { systems: titles }),
    )
  if (second) {
    throw badRequest(
      `This could be an export of ${found.map(({ title }) => title).join(' or of ')}: name the format.`,
    )
  }
  return first
}

/** @throws BAD_REQUEST it would be an export of one of these, if a file were not missing */
function requireNothingMissing(archive: Archive, sources: readonly Source[]): void {
  for (const source of sources) {
    const name = source.missing?.(archive)
    if (name === undefined) continue
    throw badRequest(
      sentence('This looks like an export of {system}, but its file {name} is missing.', {
        system: source.title,
        name,
      }),
    )
  }
}
