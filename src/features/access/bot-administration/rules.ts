import { type Bot, type BotService, botTypes } from '#features/foundation/bots/queries.ts'
import { canAccessContent } from '#features/foundation/channels/access.ts'
import { findChannelByName } from '#features/foundation/channels/queries.ts'
import { can } from '#features/foundation/permissions/rules.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { configOptions, findIntegration } from '#features/integrations/webhook-services/list.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/** The longest payload URL, in characters. */
const longestUrl = 2048
/** The longest part of a bot's email address before `-bot@`, in characters. */
const longestShortName = 50
/** The longest value of an option, in characters. */
const longestConfig = 1000

/**
 * Checks that a user may create a bot of this type. Users without permission to create all bots may
 * still be allowed to create incoming webhooks, which can only write.
 *
 * @throws BAD_REQUEST "Insufficient permission", or a type that this server does not support
 * @source Zulip API, "API changelog" (feature level 344)
 */
export function requireCreation(read: Read, user: User, botType: number): void {
  if (botType === botTypes.embedded)
    throw badRequest(sentSentence('Embedded bots are not enabled.'), { parameter: 'bot_type' })
  const mayCreate =
    can(read, user, 'can_create_bots_group') ||
    (botType === botTypes.incomingWebhook && can(read, user, 'can_create_write_only_bots_group'))
  if (!mayCreate) throw badRequest(sentSentence('Insufficient permission'))
}

/**
 * Checks the chosen part of a bot's email address.
 *
 * @throws BAD_REQUEST
 */
export function requireShortName(name: string): string {
  const short = name.trim()
  if (short.length <= longestShortName && /^[a-z\d](?:[\w.+-]*[a-z\d])?$/i.test(short)) return short
  throw badRequest(sentSentence('Bad name or username'), { parameter: 'short_name' })
}

/**
 * The ID of a channel by its name, if the user has access to its messages.
 *
 * @throws BAD_REQUEST
 */
export function requireChannel(read: Read, user: User, name: string): number {
  const channel = findChannelByName(read, name)
  if (channel && !channel.isArchived && canAccessContent(read, user, channel)) return channel.id
  throw badRequest(sentSentence("Invalid channel name '{name}'", { name }))
}

/**
 * Checks a payload URL and returns it normalized.
 *
 * @throws BAD_REQUEST
 */
export function requirePayloadUrl(url: string): string {
  const isUrl = url.length <= longestUrl && /^https?:\/\//i.test(url) && URL.canParse(url)
  if (!isUrl)
    throw badRequest(sentSentence('payload_url is not a URL'), { parameter: 'payload_url' })
  return new URL(url).href
}

/**
 * The endpoint of a bot.
 *
 * @throws BAD_REQUEST not an outgoing webhook bot
 */
export function requireService(bot: Bot): BotService {
  if (bot.service) return bot.service
  throw badRequest(sentSentence('Only outgoing webhook bots have a payload URL.'), {
    parameter: 'payload_url',
  })
}

/**
 * Checks the new owner of a bot. A bot may post wherever its owner may, and the previous owner
 * knows its key, so the new owner must not have a higher role.
 *
 * @throws BAD_REQUEST an unknown or deactivated user, a bot, or a user with a higher role
 */
export function requireNewOwner(read: Read, acting: User, id: number): User {
  const owner = findUser(read, id)
  if (!owner)
    throw badRequest(sentSentence('Failed to change owner, no such user'), {
      parameter: 'bot_owner_id',
    })
  if (!owner.isActive)
    throw badRequest(sentSentence('Failed to change owner, user is deactivated'), {
      parameter: 'bot_owner_id',
    })
  if (owner.botType !== null)
    throw badRequest(sentSentence("Failed to change owner, bots can't own other bots"), {
      parameter: 'bot_owner_id',
    })
  if (owner.role < acting.role) throw badRequest(sentSentence('Insufficient permission'))
  return owner
}

/**
 * Checks a new role of a bot. Its owner knows its key and could act with that role.
 *
 * @throws BAD_REQUEST a higher role than the owner's
 */
export function requireRoleBelowOwner(read: Read, bot: User, role: User['role']): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(read, bot.botOwnerId)
  if (owner && role < owner.role) {
    throw badRequest(sentSentence('A bot cannot have a higher role than its owner.'), {
      parameter: 'role',
    })
  }
}

/**
 * Checks the options of a bot's integration.
 *
 * @param integration null if the bot has none
 * @throws BAD_REQUEST an option that the integration does not have, or a value that is too long
 */
export function requireConfig(
  integration: string | null,
  config: readonly (readonly [key: string, value: string])[],
): void {
  const service = integration === null ? undefined : findIntegration(integration)
  const options = service ? configOptions(service) : []
  for (const [key, value] of config) {
    if (!options.some((option) => option.key === key)) {
      throw badRequest(
        sentSentence("This bot has no configuration option '{name}'.", { name: key }),
        { parameter: 'config_data' },
      )
    }
    if (value.length > longestConfig) {
      throw badRequest(
        sentSentence("The value of '{name}' is too long (limit: {count} characters).", {
          name: key,
          count: longestConfig,
        }),
        { parameter: 'config_data' },
      )
    }
  }
}

/**
 * Checks the integration of a new incoming webhook bot.
 *
 * @throws BAD_REQUEST
 */
export function requireIntegration(botType: number, name: string): string {
  if (botType !== botTypes.incomingWebhook) {
    throw badRequest(sentSentence('Only incoming webhook bots can have an integration.'), {
      parameter: 'service_name',
    })
  }
  if (findIntegration(name)) return name
  throw badRequest(sentSentence("Invalid integration '{name}'.", { name }), {
    parameter: 'service_name',
  })
}
