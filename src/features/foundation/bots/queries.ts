import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { findUser, roles, type User } from '#features/foundation/users/queries.ts'
import { prepared } from '#platform/store/prepared.ts'
import { botOptions, botServices, users } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type BotOptions = Omit<typeof botOptions.$inferSelect, 'userId'>
export type BotService = Omit<typeof botServices.$inferSelect, 'userId'>

export { botTypes } from '#platform/store/schema.ts'

/** The payload formats of outgoing webhooks. */
export const interfaces = { zulip: 1, slack: 2 } as const

/** A bot with its options; an outgoing webhook bot also has a service. */
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
  awaitsOwner: false,
  config: {},
}

const optionsOf = prepared((db) =>
  db
    .select()
    .from(botOptions)
    .where(eq(botOptions.userId, sql.placeholder('userId')))
    .prepare(),
)

/** A bot's options; defaults if none are stored. */
export function findBotOptions(read: Read, userId: number): BotOptions {
  return optionsOf(read).get({ userId }) ?? noOptions
}

/**
 * The secret by which a service proves that it sends: the bot then posts only what proves it.
 * Undefined if none is set.
 */
export function webhookSecret(read: Read, userId: number): string | undefined {
  const { integration, config } = findBotOptions(read, userId)
  return integration === null ? undefined : config.webhook_secret || undefined
}

const serviceOf = prepared((db) =>
  db
    .select()
    .from(botServices)
    .where(eq(botServices.userId, sql.placeholder('userId')))
    .prepare(),
)

/** The endpoint of an outgoing webhook bot. */
function findBotService(read: Read, userId: number): BotService | undefined {
  return serviceOf(read).get({ userId })
}

/** Finds a bot by ID, deactivated or not, except system bots. */
export function findBot(read: Read, id: number): Bot | undefined {
  const user = findUser(read, id)
  if (!user || user.botType === null || user.isSystemBot) return undefined
  return botOf(read, user)
}

/** The bot of a user who is a bot. */
export function botOf(read: Read, user: User): Bot {
  return {
    user,
    options: findBotOptions(read, user.id),
    service: findBotService(read, user.id),
  }
}

/**
 * The active owner whose permissions a bot has besides its own. Undefined after a change of owner
 * until the new owner takes the bot over, because the old owner may still control it.
 */
export function findSharingOwner(read: Read, bot: User): User | undefined {
  const owner = bot.botOwnerId === null ? undefined : findUser(read, bot.botOwnerId)
  return owner?.isActive && !findBotOptions(read, bot.id).awaitsOwner ? owner : undefined
}

/**
 * Whether a user may change a bot and read its API key: its owner and administrators. A bot with
 * the owner role can be administered only by owners, because its key has the same power as theirs.
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

/** All bots by ID, including deactivated ones, except system bots. */
export function listBots(read: Read): User[] {
  return bots(read).all()
}

/** The bots that a user may administer, by ID, including deactivated ones. */
export function listAdministeredBots(read: Read, user: User): Bot[] {
  return listBots(read)
    .filter((bot) => canAdministerBot(user, bot))
    .map((bot) => botOf(read, bot))
}

/** The bots with this channel among their default channels. */
export function listBotsByChannel(read: Read, channelId: number): Bot[] {
  const isIt = or(
    eq(botOptions.sendingChannelId, channelId),
    eq(botOptions.eventsChannelId, channelId),
  )
  const rows = read.db.select({ userId: botOptions.userId }).from(botOptions).where(isIt).all()
  return rows.flatMap(({ userId }) => findBot(read, userId) ?? [])
}

/** Stores a bot's options. */
export function putBotOptions(tx: Tx, userId: number, options: BotOptions): void {
  tx.db
    .insert(botOptions)
    .values({ userId, ...options })
    .onConflictDoUpdate({ target: botOptions.userId, set: options })
    .run()
}

/** Stores the endpoint of an outgoing webhook bot. */
export function putBotService(tx: Tx, userId: number, service: BotService): void {
  tx.db
    .insert(botServices)
    .values({ userId, ...service })
    .onConflictDoUpdate({ target: botServices.userId, set: service })
    .run()
}
