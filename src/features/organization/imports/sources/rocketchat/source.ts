import type { Reading, Source } from '#features/organization/imports/source.ts'
import type { Item, PersonItem } from '#features/organization/imports/stream.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { openStoredFiles, type StoredFiles } from './chunks.queries.ts'
import { type Directory, readDirectory } from './directory.ts'
import { messages } from './messages.ts'
import { pathOf, type Row, rowsOf } from './rows.ts'

/**
 * A dump of Rocket.Chat's database, as `mongodump` writes it: a file of BSON for each collection, or one archive.
 */
export const rocketchat: Source = {
  name: 'rocketchat',
  title: 'Rocket.Chat',
  options: ['noThreads'],
  detect: (archive) =>
    pathOf({ archive }, 'rocketchat_room') !== undefined &&
    pathOf({ archive }, 'users') !== undefined,
  missing(archive) {
    const lacking = needed.filter((each) => pathOf({ archive }, each) === undefined)
    return lacking.length < needed.length && lacking[0] ? `${lacking[0]}.bson` : undefined
  },
  async *read(reading) {
    for (const collection of needed) {
      if (pathOf(reading, collection) !== undefined) continue
      throw badRequest(sentence('The export has no file {name}.', { name: `${collection}.bson` }))
    }
    const directory = await readDirectory(reading)
    const stored = openStoredFiles(reading)
    try {
      yield { type: 'organization', name: directory.name }
      yield* people(reading, directory, stored)
      yield* rooms(reading, directory)
      yield* customEmoji(directory, stored)
      yield* messages(reading, directory, stored)
    } finally {
      stored.close()
    }
  },
}

const needed = ['users', 'rocketchat_room', 'rocketchat_message']

const longText = 2
const longestBio = 500

async function* people(
  reading: Reading,
  { keyOf, users }: Directory,
  stored: StoredFiles,
): AsyncGenerator<Item> {
  const avatars = new Map<string, string>()
  for await (const row of rowsOf(reading, 'rocketchat_avatars', 'pictures')) {
    if (row.userId !== '') avatars.set(keyOf(row.userId), row._id)
  }
  for (const [key, row] of users) {
    const isBot = row.type === 'bot' || row.type === 'app' || row.roles.includes('bot')
    const picture = avatars.get(key)
    yield {
      type: 'person',
      key,
      name: row.name || row.nickname || row.username || key,
      email: row.emails[0]?.address || undefined,
      role: isBot ? 'member' : roleOf(row),
      isActive: row.active && !isBot,
      joined: row.createdAt && row.createdAt.getTime() / 1000,
      ...(isBot && { bot: { kind: 'generic' } }),
      ...(picture !== undefined && { avatar: () => stored.read('rocketchat_avatars', picture) }),
    }
  }
  const bios = [...users].filter(([, { bio }]) => bio.trim() !== '')
  if (bios.length > 0) yield { type: 'profileField', key: 'bio', name: 'Bio', kind: longText }
  for (const [person, { bio }] of bios) {
    yield { type: 'profileValue', person, field: 'bio', value: bio.trim().slice(0, longestBio) }
  }
}

function roleOf({ roles }: Row<'users'>): PersonItem['role'] {
  if (roles.includes('admin')) return 'owner'
  return roles.includes('guest') || roles.includes('anonymous') ? 'guest' : 'member'
}

function* rooms(_reading: Reading, directory: Directory): Generator<Item> {
  const { homeOf, keyOf, members, users } = directory
  const discussions: Row<'rocketchat_room'>[] = []
  for (const [key, row] of directory.rooms) {
    const inRoom = members.get(key)
    if (row.t === 'd') {
      yield { type: 'conversation', key, members: [...(inRoom?.keys() ?? [])] }
      continue
    }
    if (homeOf(row) !== row) {
      discussions.push(row)
      continue
    }
    const creator = keyOf(row.u?._id ?? '')
    const name = row.fname || row.name || key
    yield {
      type: 'channel',
      key,
      name: row.teamMain ? `[TEAM] ${name}` : name,
      description: row.description || row.topic,
      ...(users.has(creator) && { creator }),
      created: row.ts && row.ts.getTime() / 1000,
      isPrivate: row.t === 'p',
      isArchived: row.archived,
      isDefault: row.default,
      ...(row.ro && { permissions: { can_send_message_group: 'role:moderators' } }),
    }
    for (const [person, own] of inRoom ?? []) {
      yield {
        type: 'membership',
        channel: key,
        person,
        isPinned: own?.f ?? false,
        isMuted: own?.disableNotifications ?? false,
        ...(own?.alert && own.ls && { readUpTo: { time: own.ls.getTime() / 1000 } }),
      }
    }
  }
  for (const row of discussions) {
    const home = homeOf(row)
    if (home.t === 'd') continue
    const title = row.fname || row.topic || row.name
    yield { type: 'thread', key: row._id, channel: home._id, title }
  }
}

function* customEmoji({ emoji }: Directory, stored: StoredFiles): Generator<Item> {
  for (const row of new Set(emoji.values())) {
    const file = `${row.name}.${row.extension}`
    yield {
      type: 'emoji',
      key: row.name,
      name: row.name,
      picture: () => stored.read('custom_emoji', file),
    }
  }
}
