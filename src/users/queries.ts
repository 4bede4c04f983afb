import { asc, eq, or, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { users } from '#store/schema.ts'
import type { Read } from '#store/write.ts'

export type User = typeof users.$inferSelect

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
