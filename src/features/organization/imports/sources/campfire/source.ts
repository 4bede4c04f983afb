import { unavailable } from '#features/organization/imports/reading/downloads.ts'
import type { Reading, Source } from '#features/organization/imports/source.ts'
import type { Body, Item, PersonItem } from '#features/organization/imports/stream.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { type Bad, type CampfireDatabase, openCampfire, type Row } from './database.queries.ts'
import { messages } from './messages.ts'
import { timeOf } from './times.ts'

/** The folder `storage` of Campfire: its SQLite database, and its files. */
export const campfire: Source = {
  name: 'campfire',
  title: 'Campfire',
  options: [],
  detect: async ({ paths, read }) => {
    const path = databaseAmong(paths)
    if (path === undefined) return false
    for await (const part of read(path)) {
      return Buffer.from(part).subarray(0, magic.length).toString('latin1') === magic
    }
    return false
  },
  async *read(reading) {
    const path = databaseAmong(reading.archive.paths)
    if (path === undefined)
      throw badRequest(sentence('The database of Campfire is not in the export.'))
    const database = await openCampfire(reading, path)
    const storage = path.replace(/(^|db\/)[^/]*$/, '')
    const bodyOf = ({ key }: Row<'files'>) => {
      const file = `${storage}files/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`
      return reading.archive.has(file) ? () => reading.archive.read(file) : undefined
    }
    try {
      yield* organization(reading, database, bodyOf)
      yield* people(reading, database, bodyOf)
      yield* rooms(reading, database)
      yield* messages({
        reading,
        database,
        bodyOf: (row) => bodyOf(row) ?? (() => unavailable('missing-file')),
      })
    } finally {
      database.close()
    }
  },
}

const magic = 'SQLite format 3\0'
type BodyOf = (file: Row<'files'>) => Body | undefined

function databaseAmong(paths: readonly string[]): string | undefined {
  const found = paths.filter((path) => path.endsWith('.sqlite3'))
  return found.find((path) => /(^|\/)production\.sqlite3$/.test(path)) ?? found[0]
}

function* organization(
  { notes }: Reading,
  database: CampfireDatabase,
  bodyOf: BodyOf,
): Generator<Item> {
  const bad: Bad = (example, reason) => notes.skipped('settings', reason, example)
  const [account] = database.rows('accounts', bad)
  const pictures = account ? [...database.rows('files', bad, 'Account', account.id)] : []
  const logo = pictures.find(({ name }) => name === 'logo')
  const icon = logo && bodyOf(logo)
  yield {
    type: 'organization',
    name: account?.name ?? undefined,
    ...(icon && { pictures: { icon } }),
  }
}

const longText = 2
const longestBio = 500

/** Deactivated people have their address with this at its end, so that it can be used again. */
const deactivated = /-deactivated-[0-9a-f-]{36}(?=@|$)/

function* people({ notes }: Reading, database: CampfireDatabase, bodyOf: BodyOf): Generator<Item> {
  const bad: Bad = (example, reason) => notes.skipped('people', reason, example)
  const bios: [key: string, bio: string][] = []
  for (const row of database.rows('users', bad)) {
    const isBot = row.role === roles.bot
    const [picture] = [...database.rows('files', bad, 'User', row.id)].filter(
      ({ name }) => name === 'avatar',
    )
    const avatar = picture && bodyOf(picture)
    const bio = row.bio?.trim() ?? ''
    if (bio !== '' && !isBot) bios.push([String(row.id), bio.slice(0, longestBio)])
    yield {
      type: 'person',
      key: String(row.id),
      name: row.name ?? '',
      email: row.email_address?.replace(deactivated, '') || undefined,
      role: roleOf(row),
      isActive: isActive(row) && !isBot,
      joined: timeOf(row.created_at),
      ...(isBot && { bot: { kind: 'generic' } }),
      ...(avatar && { avatar }),
    }
  }
  if (bios.length > 0) yield { type: 'profileField', key: 'bio', name: 'Bio', kind: longText }
  for (const [person, value] of bios) yield { type: 'profileValue', person, field: 'bio', value }
}

/**
 * Whether an account may log in: nobody whose state is not known to be that. A `status` of 1 is
 * deactivated, 2 banned; databases without that column say whether someone is `active`.
 */
const isActive = ({ active, email_address, status, suspended_at }: Row<'users'>): boolean =>
  !deactivated.test(email_address ?? '') &&
  (suspended_at ?? '') === '' &&
  (status === undefined ? active === 1 : status === 0)

const roles = { member: 0, administrator: 1, bot: 2 } as const

/** The first administrator set Campfire up; Campfire has no owners. */
const roleOf = ({ id, role }: Row<'users'>): PersonItem['role'] =>
  role !== roles.administrator ? 'member' : id === 1 ? 'owner' : 'admin'

function* rooms({ notes }: Reading, database: CampfireDatabase): Generator<Item> {
  const bad: Bad = (example, reason) => notes.skipped('channels', reason, example)
  const members = new Map<number, Row<'memberships'>[]>()
  const badMember: Bad = (example, reason) => notes.skipped('subscriptions', reason, example)
  for (const row of database.rows('memberships', badMember)) {
    const known = members.get(row.room_id) ?? []
    members.set(row.room_id, known)
    known.push(row)
  }
  for (const { created_at, creator_id, id, name, type } of database.rows('rooms', bad)) {
    const key = String(id)
    const own = members.get(id) ?? []
    if (type === 'Rooms::Direct') {
      yield { type: 'conversation', key, members: own.map(({ user_id }) => String(user_id)) }
      continue
    }
    yield {
      type: 'channel',
      key,
      name: name ?? `Room ${key}`,
      creator: String(creator_id),
      created: timeOf(created_at),
      isPrivate: type !== 'Rooms::Open',
      isDefault: type === 'Rooms::Open',
    }
    for (const { involvement, unread_at, user_id } of own) {
      const unread = timeOf(unread_at)
      const isLoud = involvement === 'everything'
      yield {
        type: 'membership',
        channel: key,
        person: String(user_id),
        isMuted: involvement === 'invisible' || involvement === 'nothing',
        ...((isLoud || involvement === 'mentions') && {
          notifications: { desktop: isLoud, push: isLoud },
        }),
        ...(unread !== undefined && { readUpTo: { time: Math.floor(unread) - 1 } }),
      }
    }
  }
}
