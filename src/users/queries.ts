import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { botServices, users } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type User = typeof users.$inferSelect
export type NewUserRow = typeof users.$inferInsert

/** The roles, as integers: a smaller one may do more. @source contract, "Conventions" */
export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const

const byId = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare(),
)

export function findUser(read: Read, id: number): User | undefined {
  return byId(read).get({ id })
}

const byAddress = prepared((db) =>
  db
    .select()
    .from(users)
    .where(
      or(eq(users.emailKey, sql.placeholder('key')), eq(users.apiEmailKey, sql.placeholder('key'))),
    )
    .prepare(),
)

/** The user with this real or API address, in any case of letters; active or not. */
export function findUserByAddress(read: Read, address: string): User | undefined {
  return byAddress(read).get({ key: address.trim().toLowerCase() })
}

/** Everyone, deactivated users and system bots among them, by id. */
export function listUsers(read: Read): User[] {
  return read.db.select().from(users).orderBy(asc(users.id)).all()
}

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

export function insertUser(tx: Tx, user: NewUserRow): User {
  return tx.db.insert(users).values(user).returning().get()
}

export function updateUser(tx: Tx, id: number, changes: Partial<NewUserRow>): User {
  return tx.db.update(users).set(changes).where(eq(users.id, id)).returning().get()
}

/** Where an outgoing webhook bot posts to. */
export function insertBotService(tx: Tx, service: typeof botServices.$inferInsert): void {
  tx.db.insert(botServices).values(service).run()
}
