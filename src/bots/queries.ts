import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { botServices, users } from '#store/schema.ts'
import type { Read } from '#store/write.ts'
import { roles, type User } from '#users/queries.ts'

type BotService = typeof botServices.$inferSelect

/** A bot, and where it posts to if it is an outgoing webhook. */
export interface Bot {
  readonly user: User
  readonly service: BotService | undefined
}

const bots = prepared((db) => {
  const mine = or(
    eq(sql.placeholder('isAdmin'), 1),
    eq(users.botOwnerId, sql.placeholder('ownerId')),
  )
  return db
    .select({ user: users, service: botServices })
    .from(users)
    .leftJoin(botServices, eq(botServices.userId, users.id))
    .where(and(isNotNull(users.botType), eq(users.isSystemBot, false), mine))
    .orderBy(asc(users.id))
    .prepare()
})

/** The bots that a user may administer, by id: their own, or everybody's for administrators. */
export function listAdministeredBots(read: Read, user: User): Bot[] {
  const isAdmin = user.role <= roles.admin
  return bots(read)
    .all({ ownerId: user.id, isAdmin: isAdmin ? 1 : 0 })
    .map(({ user: bot, service }) => ({ user: bot, service: service ?? undefined }))
}
