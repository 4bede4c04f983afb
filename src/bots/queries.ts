import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { botOptions, botServices, users } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, roles, type User } from '#users/queries.ts'

export type BotOptions = Omit<typeof botOptions.$inferSelect, 'userId'>
export type BotService = Omit<typeof botServices.$inferSelect, 'userId'>

/** The types of bots, as the API numbers them. */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** The forms in which an outgoing webhook can be told of messages. */
export const interfaces = { zulip: 1, slack: 2 } as const

/** A bot with what it was configured with, and where it posts to if it is an outgoing webhook. */
export interface Bot {
  readonly user: User
  readonly options: BotOptions
  readonly service: BotService | undefined
}

const noOptions: BotOptions = {
  sendingChannelId: null,
  eventsChannelId: null,
  allPublicChannels: false,
  integration: null,
  config: {},
}

const optionsOf = prepared((db) =>
  db
    .select()
    .from(botOptions)
    .where(eq(botOptions.userId, sql.placeholder('userId')))
    .prepare(),
)

/** What a bot is configured with. */
export function findBotOptions(read: Read, userId: number): BotOptions {
  return optionsOf(read).get({ userId }) ?? noOptions
}

const serviceOf = prepared((db) =>
  db
    .select()
    .from(botServices)
    .where(eq(botServices.userId, sql.placeholder('userId')))
    .prepare(),
)

/** Where an outgoing webhook bot posts to. */
function findBotService(read: Read, userId: number): BotService | undefined {
  return serviceOf(read).get({ userId })
}

/** The bot with this id, deactivated or not; the server's own bots are none. */
export function findBot(read: Read, id: number): Bot | undefined {
  const user = findUser(read, id)
  if (!user || user.botType === null || user.isSystemBot) return undefined
  return botOf(read, user)
}

/** A user who is a bot, with what belongs to it. */
export function botOf(read: Read, user: User): Bot {
  return {
    user,
    options: findBotOptions(read, user.id),
    service: findBotService(read, user.id),
  }
}

/**
 * Whether somebody may change a bot and know its key: its owner, and administrators. A bot that
 * owns the organization is for owners alone, as its key is worth as much as theirs.
 */
export function canAdministerBot(user: User, bot: User): boolean {
  if (bot.botOwnerId === user.id) return true
  return user.role <= (bot.role === roles.owner ? roles.owner : roles.admin)
}

const bots = prepared((db) =>
  db
    .select()
    .from(users)
    .where(and(isNotNull(users.botType), eq(users.isSystemBot, false)))
    .orderBy(asc(users.id))
    .prepare(),
)

/** Everybody's bots, by id, deactivated ones among them; not the server's own. */
export function listBots(read: Read): User[] {
  return bots(read).all()
}

/** The bots that a user may administer, by id, deactivated ones among them. */
export function listAdministeredBots(read: Read, user: User): Bot[] {
  return listBots(read)
    .filter((bot) => canAdministerBot(user, bot))
    .map((bot) => botOf(read, bot))
}

/** The bots whose requests are about a channel unless they say, with what they are configured. */
export function listBotsByChannel(read: Read, channelId: number): Bot[] {
  const isIt = or(
    eq(botOptions.sendingChannelId, channelId),
    eq(botOptions.eventsChannelId, channelId),
  )
  const rows = read.db.select({ userId: botOptions.userId }).from(botOptions).where(isIt).all()
  return rows.flatMap(({ userId }) => findBot(read, userId) ?? [])
}

/** Keeps what a bot is configured with. */
export function putBotOptions(tx: Tx, userId: number, options: BotOptions): void {
  tx.db
    .insert(botOptions)
    .values({ userId, ...options })
    .onConflictDoUpdate({ target: botOptions.userId, set: options })
    .run()
}

/** Keeps where an outgoing webhook bot posts to. */
export function putBotService(tx: Tx, userId: number, service: BotService): void {
  tx.db
    .insert(botServices)
    .values({ userId, ...service })
    .onConflictDoUpdate({ target: botServices.userId, set: service })
    .run()
}
