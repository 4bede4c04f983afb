import { canAccessContent } from '#channels/access.ts'
import { findChannelByName } from '#channels/queries.ts'
import { badRequest } from '#errors.ts'
import { can } from '#permissions/can.ts'
import type { Read } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { findIntegration } from '#webhooks/integrations.ts'
import { type Bot, type BotService, botTypes, canAdministerBot, findBot } from './queries.ts'

/** The longest address to post to, in characters. */
const longestUrl = 2048
/** The longest name of a bot's address before `-bot@`, in characters. */
const longestShortName = 50
/** The longest value that a bot can be configured with, in characters. */
const longestConfig = 1000

/**
 * A bot that the user administers, deactivated or not.
 *
 * @throws BAD_REQUEST "No such bot"; "Insufficient permission" for somebody else's
 */
export function accessBot(read: Read, user: User, botId: number): Bot {
  const bot = findBot(read, botId)
  if (!bot) throw badRequest('No such bot')
  if (!canAdministerBot(user, bot.user)) throw badRequest('Insufficient permission')
  return bot
}

/** Whoever asks, as they are now. @throws BAD_REQUEST a bot: bots have no bots */
export function requirePerson(read: Read, caller: User): User {
  const user = findUser(read, caller.id) ?? caller
  if (user.botType !== null) throw badRequest('This endpoint does not accept bot requests.')
  return user
}

/**
 * May this user make a bot of this type? Who may make no other bots may still be allowed those that
 * only write: incoming webhooks.
 *
 * @throws BAD_REQUEST "Insufficient permission"; a type that this server does not have
 * @source api-changes §7a
 */
export function requireCreation(read: Read, user: User, botType: number): void {
  if (botType === botTypes.embedded) throw badRequest('Embedded bots are not enabled.')
  const mayCreate =
    can(read, user, 'can_create_bots_group') ||
    (botType === botTypes.incomingWebhook && can(read, user, 'can_create_write_only_bots_group'))
  if (!mayCreate) throw badRequest('Insufficient permission')
}

/** The part of a bot's address that its maker chooses. @throws BAD_REQUEST */
export function requireShortName(name: string): string {
  const short = name.trim()
  if (short.length <= longestShortName && /^[a-z\d](?:[\w.+-]*[a-z\d])?$/i.test(short)) return short
  throw badRequest('Bad name or username')
}

/** The id of a channel that the user may read, by its name. @throws BAD_REQUEST */
export function requireChannel(read: Read, user: User, name: string): number {
  const channel = findChannelByName(read, name)
  if (channel && !channel.isArchived && canAccessContent(read, user, channel)) return channel.id
  throw badRequest(`Invalid channel name '${name}'`)
}

/** An address to post to, as it is stored. @throws BAD_REQUEST */
export function requirePayloadUrl(url: string): string {
  const isUrl = url.length <= longestUrl && /^https?:\/\//i.test(url) && URL.canParse(url)
  if (!isUrl) throw badRequest('payload_url is not a URL')
  return new URL(url).href
}

/** The service of a bot after a change. @throws BAD_REQUEST for a bot that posts nowhere */
export function requireService(bot: Bot): BotService {
  if (bot.service) return bot.service
  throw badRequest('Only outgoing webhook bots post to an address.')
}

/**
 * Who a bot is to belong to. A bot may write where its owner may, and whoever gives it away knows
 * its key: so it goes to nobody who may do more.
 *
 * @throws BAD_REQUEST nobody, a bot, a deactivated user, or one with a higher role
 */
export function requireNewOwner(read: Read, acting: User, id: number): User {
  const owner = findUser(read, id)
  if (!owner) throw badRequest('Failed to change owner, no such user')
  if (!owner.isActive) throw badRequest('Failed to change owner, user is deactivated')
  if (owner.botType !== null) throw badRequest("Failed to change owner, bots can't own other bots")
  if (owner.role < acting.role) throw badRequest('Insufficient permission')
  return owner
}

/**
 * What a bot's integration is told.
 *
 * @param integration null: the bot has none
 * @throws BAD_REQUEST an option that the integration does not have
 */
export function requireConfig(
  integration: string | null,
  config: readonly (readonly [key: string, value: string])[],
): void {
  const options = integration === null ? [] : findIntegration(integration)?.configOptions
  for (const [key, value] of config) {
    if (!options?.some((option) => option.key === key)) {
      throw badRequest(`This bot has no option '${key}' to configure.`)
    }
    if (value.length > longestConfig) {
      throw badRequest(`The value of '${key}' is too long (limit: ${longestConfig} characters).`)
    }
  }
}

/** An integration for which an incoming webhook bot is made. @throws BAD_REQUEST */
export function requireIntegration(botType: number, name: string): string {
  if (botType !== botTypes.incomingWebhook) {
    throw badRequest('Only incoming webhook bots belong to an integration.')
  }
  if (findIntegration(name)) return name
  throw badRequest(`Invalid integration '${name}'.`)
}
