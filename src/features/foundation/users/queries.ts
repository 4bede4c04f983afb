import { and, asc, count, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import { slices } from '#platform/slices.ts'
import type { Steps } from '#platform/steps.ts'
import { cached } from '#platform/store/cached.ts'
import { derived } from '#platform/store/derived.ts'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedRows, preparedSql } from '#platform/store/prepared.ts'
import {
  profileFields,
  profileValues,
  realmSettings,
  roles,
  type User,
  userSettings,
  users,
} from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { preparedUpdate } from '#platform/store/update.ts'
import { nameKey } from '#shared/names.ts'

export { type Role, roles, type User } from '#platform/store/schema.ts'

/** A user, or someone without an account who reads what is public on the web. */
export type Viewer = User | 'spectator'

/** The tables from which users are read as the API shows them. */
export const userTables = [users, userSettings, profileValues, profileFields, realmSettings]

export type NewUserRow = Omit<typeof users.$inferInsert, 'nameKey'>

const rowOf = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare(),
)

/** More than an organization has: the cache must hold all that `listUsers` reads in turn. */
export const mostCachedUsers = 200_000

const byId = cached((read, id: number) => rowOf(read).get({ id }), mostCachedUsers)

export function findUser(read: Read, id: number): User | undefined {
  return byId.get(read, id)
}

const idByAddress = preparedSql<{ id: number }>(
  'SELECT id FROM users WHERE email_key = @key OR api_email_key = @key',
)

const byAddress = cached((read, key: string) => idByAddress(read).get({ key })?.id)

/** Finds a user by real or API address, ignoring case; active or not. */
export function findUserByAddress(read: Read, address: string): User | undefined {
  const id = byAddress.get(read, address.trim().toLowerCase())
  return id === undefined ? undefined : findUser(read, id)
}

const idByKey = preparedSql<{ id: number }>('SELECT id FROM users WHERE api_key = @apiKey')

/** Finds the user with this API key; active or not. */
export function findUserByKey(read: Read, apiKey: string): User | undefined {
  const row = idByKey(read).get({ apiKey })
  return row && findUser(read, row.id)
}

function forgetUser(tx: Tx, { id, emailKey, apiEmailKey }: User): void {
  byId.forget(tx, id)
  shownBySpan.forget(tx, Math.floor(id / idsInSpan))
  byAddress.forget(tx, emailKey)
  byAddress.forget(tx, apiEmailKey)
}

/** All users by ID, including deactivated users and system bots. */
export function listUsers(read: Read): readonly User[] {
  return allUsers(read, 'all')
}

const allUsers = derived([users], (read, _key: 'all') => listByIds(read, allIds(read).all()), 1)

const allIds = prepared((db) =>
  db.$client.prepare<[], number>('SELECT id FROM users ORDER BY id').pluck(),
)

const idsAfter = prepared((db) =>
  db.$client
    .prepare<[number, number], number>('SELECT id FROM users WHERE id > ? ORDER BY id LIMIT ?')
    .pluck(),
)

/** The next users by ID, as `listUsers` has them: for jobs that go through all of them in writes. */
export function listUsersAfter(read: Read, after: number, most: number): User[] {
  return listByIds(read, idsAfter(read).all(after, most))
}

const rowsOf = preparedRows(users)

/** The driver's rows become garbage, which is cheap as long as there is little of it at a time. */
const rowsAtOnce = 500

const shownKeys = [
  'id',
  'email',
  'apiEmail',
  'fullName',
  'role',
  'isActive',
  'botType',
  'botOwnerId',
  'isSystemBot',
  'timezone',
  'dateJoined',
  'avatarVersion',
  'avatarHash',
] as const satisfies readonly (keyof User)[]

/** What lists of all users show of each: half of what is stored, and no secret. */
export type ShownUser = Pick<User, (typeof shownKeys)[number]>

const shownRowsOf = preparedRows(users, users.id, shownKeys)

/** Users are read, kept and forgotten with their neighbours: one by one takes as long again. */
const idsInSpan = 200

const shownBySpan = cached((read, span: number): readonly ShownUser[] => {
  const ids = Array.from({ length: idsInSpan }, (_, i) => span * idsInSpan + i)
  return shownRowsOf(read, ids)
}, mostCachedUsers / idsInSpan)

/** The spans that have users, by one look-up each. */
const spansWithUsers = prepared((db) =>
  db.$client
    .prepare<[], number>(
      `WITH RECURSIVE spans (span) AS (
         SELECT min(id) / ${idsInSpan} FROM users
         UNION ALL
         SELECT (SELECT min(id) / ${idsInSpan} FROM users WHERE id >= (span + 1) * ${idsInSpan})
         FROM spans WHERE span IS NOT NULL
       )
       SELECT span FROM spans WHERE span IS NOT NULL`,
    )
    .pluck(),
)

/** All users by ID as lists show them, including deactivated users and system bots. */
export function listShownUsers(read: Read): readonly ShownUser[] {
  return allShown(read, 'all')
}

const allShown = derived([users], (read, _key: 'all') => listShownSpans(read).flat(), 1)

/** The same in spans of IDs; a span is the same array as long as none of its users changes. */
export function listShownSpans(read: Read): readonly (readonly ShownUser[])[] {
  return allSpans(read, 'all')
}

const allSpans = derived(
  [users],
  (read, _key: 'all') =>
    spansWithUsers(read)
      .all()
      .map((span) => shownBySpan.get(read, span)),
  1,
)

/** How many spans are read in one step. Each takes about 1 ms. */
const spansAtOnce = 2

/** Reads the users of `listShownUsers` that are not in memory, a few in each step. */
export function* readShownUsers(read: Read): Steps<void> {
  for (const some of slices(spansWithUsers(read).all(), spansAtOnce)) {
    for (const span of some) shownBySpan.get(read, span)
    yield
  }
}

function listByIds(read: Read, ids: readonly number[]): User[] {
  return byId.list(read, ids, function* (_, missing) {
    for (const some of slices(missing, rowsAtOnce)) {
      for (const row of rowsOf(read, some)) yield [row.id, row]
    }
  })
}

const byName = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.nameKey, sql.placeholder('key')))
    .orderBy(asc(users.id))
    .prepare(),
)

/** All users whose full name has the same key as this one, active or not, by ID. */
export function listUsersByName(read: Read, fullName: string): User[] {
  return byName(read).all({ key: nameKey(fullName) })
}

const systemBot = prepared((db) =>
  db
    .select()
    .from(users)
    .where(
      and(
        eq(users.isSystemBot, true),
        gte(users.emailKey, sql.placeholder('from')),
        lt(users.emailKey, sql.placeholder('until')),
      ),
    )
    .prepare(),
)

/** One of the server's own bots, by the name before the `@` of its address. */
export function findSystemBot(
  read: Read,
  name: 'emailgateway' | 'notification-bot' | 'welcome-bot',
): User | undefined {
  // A range of the index; `like` would look at every account. The A comes right after the @.
  return systemBot(read).get({ from: `${name}@`, until: `${name}A` })
}

/** A user's active bots, by ID. */
export function listBotsOf(read: Read, ownerId: number): User[] {
  return read.db
    .select()
    .from(users)
    .where(and(eq(users.botOwnerId, ownerId), eq(users.isActive, true)))
    .orderBy(asc(users.id))
    .all()
}

/** The number of active people of the organization, without bots. */
export function countActivePeople(read: Read): number {
  const people = and(eq(users.isActive, true), isNull(users.botType))
  return read.db.select({ n: count() }).from(users).where(people).get()?.n ?? 0
}

/** The number of active owners of the organization, without bots. */
export function countActiveOwners(read: Read): number {
  const people = read.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, roles.owner), eq(users.isActive, true), isNull(users.botType)))
  return people.all().length
}

const insertOne = preparedInsert(users)

export function insertUser(tx: Tx, user: NewUserRow): User {
  const added = insertOne(tx, { ...user, nameKey: nameKey(user.fullName) })
  forgetUser(tx, added)
  return added
}

const updateOne = preparedUpdate(users)

export function updateUser(tx: Tx, id: number, changes: Partial<NewUserRow>): User {
  const before = findUser(tx, id)
  if (before) forgetUser(tx, before)
  const { fullName } = changes
  const changed = updateOne(
    tx,
    id,
    fullName === undefined ? changes : { ...changes, nameKey: nameKey(fullName) },
  )
  forgetUser(tx, changed)
  return changed
}
