import { SamePeople } from '#features/organization/imports/reading/same-people.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { type Line, linesOf, type UserRow } from './rows.ts'

type RowOf<N extends Line['type']> = Extract<Line, { readonly type: N }>['row']

/** The small parts of an export: people, channels and emoji of the imported team. */
export interface Directory {
  readonly team: RowOf<'team'> | undefined
  readonly users: ReadonlyMap<string, UserRow>
  readonly bots: ReadonlyMap<string, RowOf<'bot'>>
  readonly channels: ReadonlyMap<string, RowOf<'channel'>>
  readonly emoji: ReadonlyMap<string, string>
  /** The key of a person, who may occur twice. */
  keyOf(name: string): string
  /** Whether someone is in the team, or a bot of the server. */
  isMember(name: string): boolean
  /** Whether someone is in other teams only. */
  isElsewhere(name: string): boolean
  /** Whether the export has no other team. */
  readonly isOnlyTeam: boolean
}

/** The path of a file in the export: in its folder of data, or beside it. */
export const pathOf = ({ archive }: Reading, path: string): string | undefined =>
  [`data/${path}`, path, path.replace(/^\.?\//, '')].find((each) => archive.has(each))

/** @throws BAD_REQUEST there are several teams and none is named, or none of that name */
export async function readDirectory(reading: Reading, path: string): Promise<Directory> {
  const teams = new Map<string, RowOf<'team'>>()
  const users = new Map<string, UserRow>()
  const bots = new Map<string, RowOf<'bot'>>()
  const allChannels: RowOf<'channel'>[] = []
  const emoji = new Map<string, string>()
  const same = new SamePeople()
  const { notes } = reading
  const kinds = ['version', 'team', 'user', 'bot', 'channel', 'emoji'] as const
  const bad: Parameters<typeof linesOf>[3] = (reason, example) => {
    if (reason === 'bad-value') notes.skipped('other', reason, example)
  }
  const unknown = (type: string, texts: number) => {
    notes.skipped('other', 'unknown-table', type)
    if (texts > 0) notes.skipped('messages', 'unknown-table', type, texts)
  }
  for await (const line of linesOf(reading, path, kinds, bad, unknown)) {
    if (line.type === 'version') noteVersion(reading, line.row)
    else if (line.type === 'team') teams.set(line.row.name, line.row)
    else if (line.type === 'channel') allChannels.push(line.row)
    else if (line.type === 'emoji') emoji.set(line.row.name, line.row.image)
    else if (line.type === 'bot') bots.set(line.row.username, line.row)
    else if (line.type === 'user') {
      const { email, username } = line.row
      if (!users.has(username) && same.add(username, email)) users.set(username, line.row)
      else notes.skipped('people', 'duplicate', username)
    }
  }
  const team = teamOf([...teams.values()], reading.options.team)
  const channels = allChannels.filter((each) => team === undefined || each.team === team.name)
  const isMember = (name: string) => {
    const user = users.get(same.keyOf(name))
    if (!user) return bots.has(name)
    return team === undefined || user.teams.some((each) => each.name === team.name)
  }
  return {
    team,
    users,
    bots,
    channels: new Map(channels.map((each) => [each.name, each])),
    emoji,
    keyOf: (name) => same.keyOf(name),
    isMember,
    isElsewhere: (name) => !isMember(name) && (users.get(same.keyOf(name))?.teams.length ?? 0) > 0,
    isOnlyTeam: teams.size <= 1,
  }
}

/** The version of the form that all bulk exports have had so far. */
const knownVersion = 1

function noteVersion({ notes }: Reading, version: number): void {
  if (version > knownVersion) notes.changed('other', 'newer-version', String(version))
}

function teamOf(teams: readonly RowOf<'team'>[], asked: string | undefined) {
  const names = teams.map(({ name }) => name).join(', ')
  if (asked === undefined) {
    if (teams.length <= 1) return teams[0]
    throw badRequest(
      sentence('The export has several teams. Name the one to import: {teams}.', { teams: names }),
    )
  }
  const wanted = asked.toLowerCase()
  const found = teams.find(
    ({ display_name, name }) => name === wanted || display_name.toLowerCase() === wanted,
  )
  if (!found) {
    throw badRequest(
      names === ''
        ? sentence('The export has no teams.')
        : sentence('The export has no team of this name. Its teams are: {teams}.', {
            teams: names,
          }),
    )
  }
  return found
}
