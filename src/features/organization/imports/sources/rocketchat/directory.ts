import { SamePeople } from '#features/organization/imports/reading/same-people.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import { type Row, rowsOf } from './rows.ts'

type Room = Row<'rocketchat_room'>

/** The small parts of a dump: people, rooms and emoji. */
export interface Directory {
  readonly name: string | undefined
  readonly users: ReadonlyMap<string, Row<'users'>>
  readonly rooms: ReadonlyMap<string, Room>
  /** Emoji by their names and other names, to the one that has a picture. */
  readonly emoji: ReadonlyMap<string, Row<'rocketchat_custom_emoji'>>
  readonly members: ReadonlyMap<
    string,
    ReadonlyMap<string, Row<'rocketchat_subscription'> | undefined>
  >
  /** The key of a person, who may occur twice. */
  keyOf(id: string): string
  /** The key of a person by their name in texts. */
  named(username: string): string | undefined
  /** The room in which a discussion was begun, through others; the room itself if it is none. */
  homeOf(room: Room): Room
}

/** The rooms that people see; others are for guests of a website, or for calls. */
const shown = new Set(['c', 'p', 'd'])

export async function readDirectory(reading: Reading): Promise<Directory> {
  const { notes } = reading
  const users = new Map<string, Row<'users'>>()
  const byName = new Map<string, string>()
  const same = new SamePeople()
  for await (const row of rowsOf(reading, 'users', 'people')) {
    if (users.has(row._id)) {
      notes.skipped('people', 'duplicate', row._id)
      continue
    }
    if (row.username !== '') byName.set(row.username.toLowerCase(), row._id)
    if (same.add(row._id, row.emails[0]?.address)) users.set(row._id, row)
    else notes.skipped('people', 'duplicate', row._id)
  }
  const rooms = new Map<string, Room>()
  for await (const row of rowsOf(reading, 'rocketchat_room', 'channels')) {
    if (rooms.has(row._id)) notes.skipped('channels', 'duplicate', row._id)
    else if (!shown.has(row.t)) notes.skipped('channels', 'no-place', row._id)
    else rooms.set(row._id, row)
  }
  const emoji = new Map<string, Row<'rocketchat_custom_emoji'>>()
  for await (const row of rowsOf(reading, 'rocketchat_custom_emoji', 'custom emoji')) {
    for (const name of [row.name, ...row.aliases]) if (!emoji.has(name)) emoji.set(name, row)
  }
  let name: string | undefined
  for await (const row of rowsOf(reading, 'rocketchat_settings', undefined)) {
    if (row._id === 'Site_Name' && typeof row.value === 'string') name = row.value
  }
  const keyOf = (id: string) => same.keyOf(id)
  const named = (username: string) => {
    const id = byName.get(username.toLowerCase())
    return id === undefined ? undefined : keyOf(id)
  }
  return {
    name,
    users,
    rooms,
    emoji,
    members: await readMembers(reading, { keyOf, named, rooms, users }),
    keyOf,
    named,
    homeOf(room) {
      const seen = new Set<Room>()
      let home = room
      while (home.prid !== '') {
        if (seen.has(home)) return room
        seen.add(home)
        const parent = rooms.get(home.prid)
        // Nothing private becomes a topic of a public channel.
        if (!parent || (home.t === 'p' && parent.t === 'c')) break
        home = parent
      }
      return home
    },
  }
}

/** The members of rooms, whose place differs between versions. */
async function readMembers(
  reading: Reading,
  { keyOf, named, rooms, users }: Pick<Directory, 'keyOf' | 'named' | 'rooms' | 'users'>,
): Promise<Map<string, Map<string, Row<'rocketchat_subscription'> | undefined>>> {
  const members = new Map<string, Map<string, Row<'rocketchat_subscription'> | undefined>>()
  const add = (room: string, id: string, row?: Row<'rocketchat_subscription'>) => {
    const key = keyOf(id)
    if (!rooms.has(room) || !users.has(key)) return
    const known = members.get(room) ?? new Map()
    members.set(room, known)
    if (row !== undefined || !known.has(key)) known.set(key, row)
  }
  for await (const row of rowsOf(reading, 'rocketchat_subscription', 'subscriptions')) {
    add(row.rid, row.u._id, row)
  }
  for (const [id, { __rooms }] of users) for (const room of __rooms) add(room, id)
  for (const [room, { uids, usernames }] of rooms) {
    for (const id of uids) add(room, id)
    for (const username of usernames) add(room, named(username) ?? '')
  }
  return members
}
