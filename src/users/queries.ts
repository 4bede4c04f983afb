import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { cached } from '#store/cached.ts'
import { preparedInsert } from '#store/insert.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import { users } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type User = typeof users.$inferSelect
export type NewUserRow = typeof users.$inferInsert

/** The roles, as integers: a smaller one may do more. @source contract, "Conventions" */
export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const

const rowOf = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare(),
)

const byId = cached((read, id: number) => rowOf(read).get({ id }))

export function findUser(read: Read, id: number): User | undefined {
  return byId.get(read, id)
}

const idByAddress = preparedSql<{ id: number }>(
  'SELECT id FROM users WHERE email_key = @key OR api_email_key = @key',
)

const byAddress = cached((read, key: string) => idByAddress(read).get({ key })?.id)

/** The user with this real or API address, in any case of letters; active or not. */
export function findUserByAddress(read: Read, address: string): User | undefined {
  const id = byAddress.get(read, address.trim().toLowerCase())
  return id === undefined ? undefined : findUser(read, id)
}

const idByKey = preparedSql<{ id: number }>('SELECT id FROM users WHERE api_key = @apiKey')

/** Whose API key this is; active or not. */
export function findUserByKey(read: Read, apiKey: string): User | undefined {
  const row = idByKey(read).get({ apiKey })
  return row && findUser(read, row.id)
}

function forgetUser(tx: Tx, { id, emailKey, apiEmailKey }: User): void {
  byId.forget(tx, id)
  byAddress.forget(tx, emailKey)
  byAddress.forget(tx, apiEmailKey)
}

/** Everyone, deactivated users and system bots among them, by id. */
export function listUsers(read: Read): User[] {
  return allIds(read)
    .all()
    .flatMap((id) => findUser(read, id) ?? [])
}

const allIds = prepared((db) =>
  db.$client.prepare<[], number>('SELECT id FROM users ORDER BY id').pluck(),
)

const byName = prepared((db) =>
  db
    .select()
    .from(users)
    .where(sql`full_name COLLATE NOCASE = ${sql.placeholder('fullName')}`)
    .orderBy(asc(users.id))
    .prepare(),
)

/** Everyone of this full name, in any case of (ASCII) letters, active or not, by id. */
export function listUsersByName(read: Read, fullName: string): User[] {
  return byName(read).all({ fullName })
}

/** The active bots that somebody owns, by id. */
export function listBotsOf(read: Read, ownerId: number): User[] {
  return read.db
    .select()
    .from(users)
    .where(and(eq(users.botOwnerId, ownerId), eq(users.isActive, true)))
    .orderBy(asc(users.id))
    .all()
}

/** How many people own the organization. */
export function countActiveOwners(read: Read): number {
  const people = read.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, roles.owner), eq(users.isActive, true), isNull(users.botType)))
  return people.all().length
}

const insertOne = preparedInsert(users)

export function insertUser(tx: Tx, user: NewUserRow): User {
  const added = insertOne(tx, user)
  forgetUser(tx, added)
  return added
}

export function updateUser(tx: Tx, id: number, changes: Partial<NewUserRow>): User {
  const before = findUser(tx, id)
  if (before) forgetUser(tx, before)
  const changed = tx.db.update(users).set(changes).where(eq(users.id, id)).returning().get()
  forgetUser(tx, changed)
  return changed
}
