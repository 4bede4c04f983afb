import { dirname, join } from 'node:path/posix'
import type { Reading } from '#features/organization/imports/source.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { type ChannelRow, type EmojiRow, type GuildRow, type PersonRow, partsOf } from './rows.ts'

/** The data that is needed before the first message is read: all of it is small. */
export interface Directory {
  readonly guild: { readonly id: string; readonly name: string; readonly icon: string | undefined }
  readonly channels: Map<string, ExportedChannel>
  readonly people: Map<string, PersonRow & { readonly avatar: string | undefined }>
  readonly roles: Map<string, { readonly name: string; readonly members: Set<string> }>
  /** Custom emoji whose pictures are there: names and paths by IDs. */
  readonly emoji: Map<string, { readonly name: string; readonly path: string }>
}

/** A channel, a thread or a direct conversation. */
export interface ExportedChannel {
  readonly row: ChannelRow
  /** Its files; several if the exporter was set to split them. */
  readonly files: string[]
  /** The people who wrote in it. */
  readonly authors: Set<string>
}

/** The path of a file that was downloaded beside another; undefined: it was not. */
export function pathOf({ archive }: Reading, from: string, url: string): string | undefined {
  if (url === '' || /^[a-z][a-z0-9+.-]*:/i.test(url)) return undefined
  const folder = dirname(from)
  return [url, decoded(url)]
    .map((each) => join(folder, each.replaceAll('\\', '/')))
    .find((path) => archive.has(path))
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** The files of channels; folders beside them contain the files that they show. */
export const channelFiles = (paths: readonly string[]) =>
  paths.filter((path) => path.endsWith('.json') && !/_Files\//.test(path))

/**
 * Reads the files of one server, or of the direct messages, for the people, roles and emoji in them.
 *
 * @throws BAD_REQUEST there are several servers and none is named, or none of that name
 */
export async function readDirectory(reading: Reading): Promise<Directory> {
  const { archive, notes } = reading
  const guilds = await guildsOf(reading)
  const chosen = guildIn([...guilds.values()], reading.options.team)
  const found: Directory = {
    guild: { id: '', name: '', icon: undefined },
    channels: new Map(),
    people: new Map(),
    roles: new Map(),
    emoji: new Map(),
  }
  let { guild } = found
  for (const path of channelFiles(archive.paths)) {
    const { id } = guilds.get(path) ?? {}
    if (id !== undefined && id !== chosen?.id) {
      notes.skipped('channels', 'other-team', path)
      await skipMessages(reading, 'other-team', path)
      continue
    }
    let channel: ExportedChannel | undefined
    for await (const { list, row } of partsOf(reading, path, () => {})) {
      if (list === 'guild') {
        const icon = pathOf(reading, path, row.iconUrl)
        guild = { id: row.id, name: row.name, icon: icon ?? guild.icon }
      } else if (list === 'channel') {
        channel = found.channels.get(row.id) ?? { row, files: [], authors: new Set() }
        found.channels.set(row.id, channel)
        channel.files.push(path)
      } else {
        channel?.authors.add(row.author.id)
        const reacted = row.reactions.flatMap(({ users }) => users)
        for (const each of [row.author, ...row.mentions, ...reacted]) {
          addPerson(reading, found, path, each)
        }
        const emoji = row.reactions.map((each) => each.emoji)
        for (const each of [...emoji, ...row.inlineEmojis]) addEmoji(reading, found, path, each)
      }
    }
    if (!channel) {
      notes.skipped('channels', 'bad-value', path)
      await skipMessages(reading, 'absent', path)
    }
  }
  return { ...found, guild }
}

/** Counts the messages of a file, with those that are not as they should be. */
async function skipMessages(
  reading: Reading,
  reason: 'absent' | 'other-team',
  path: string,
): Promise<void> {
  let count = 0
  const add = (list = 'messages') => {
    if (list === 'messages') count++
  }
  const parts = partsOf(reading, path, (fault, list) => fault !== 'bad-encoding' && add(list))
  for await (const { list } of parts) add(list)
  if (count > 0) reading.notes.skipped('messages', reason, path, count)
}

/** The servers of the files; direct messages have one of their own. */
async function guildsOf(reading: Reading): Promise<Map<string, GuildRow>> {
  const guilds = new Map<string, GuildRow>()
  for (const path of channelFiles(reading.archive.paths)) {
    for await (const { list, row } of partsOf(reading, path, () => {})) {
      if (list !== 'guild') continue
      guilds.set(path, row)
      break
    }
  }
  return guilds
}

/** @param asked a name or an ID */
function guildIn(rows: readonly GuildRow[], asked: string | undefined): GuildRow | undefined {
  const guilds = [...new Map(rows.map((row) => [row.id, row])).values()]
  const wanted = asked?.toLowerCase()
  const named = (name: string) => guilds.filter((each) => each.name.toLowerCase() === name)
  const found =
    wanted === undefined
      ? guilds
      : [guilds.filter(({ id }) => id === wanted), named(wanted)].find((all) => all.length > 0)
  if (found && found.length <= 1) return found[0]
  const teams = guilds
    .map(({ id, name }) => (named(name.toLowerCase()).length > 1 ? `${name} (${id})` : name))
    .sort()
    .join(', ')
  throw badRequest(
    found
      ? sentence('The export has several servers. Name the one to import: {teams}.', { teams })
      : sentence('The export has no server of this name. Its servers are: {teams}.', { teams }),
  )
}

function addPerson(reading: Reading, found: Directory, path: string, row: PersonRow): void {
  const { people, roles } = found
  const known = people.get(row.id)
  if (!known?.avatar) {
    people.set(row.id, { ...(known ?? row), avatar: pathOf(reading, path, row.avatarUrl) })
  }
  for (const { id, name } of row.roles) {
    const role = roles.get(id) ?? { name, members: new Set() }
    roles.set(id, role)
    role.members.add(row.id)
  }
}

function addEmoji(reading: Reading, { emoji }: Directory, from: string, row: EmojiRow): void {
  if (row.id === '' || emoji.has(row.id)) return
  const path = pathOf(reading, from, row.imageUrl)
  if (path !== undefined) emoji.set(row.id, { name: row.name, path })
}
