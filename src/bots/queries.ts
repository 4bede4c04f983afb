import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { botServices, users } from '#store/schema.ts'
import type { Read } from '#store/write.ts'
import { roles, type User } from '#users/queries.ts'

export type BotService = typeof botServices.$inferSelect

/** A bot, and where it posts to if it is an outgoing webhook. */
export interface Bot {
  readonly user: User
  readonly service: BotService | undefined
}

/** The bots that a user may administer, by id: their own, or everybody's for administrators. */
export function listAdministeredBots(read: Read, user: User): Bot[] {
  const mine = user.role <= roles.admin ? undefined : eq(users.botOwnerId, user.id)
  return read.db
    .select({ user: users, service: botServices })
    .from(users)
    .leftJoin(botServices, eq(botServices.userId, users.id))
    .where(and(isNotNull(users.botType), eq(users.isSystemBot, false), mine))
    .orderBy(asc(users.id))
    .all()
    .map(({ user: bot, service }) => ({ user: bot, service: service ?? undefined }))
}
