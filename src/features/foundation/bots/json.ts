import { findChannel } from '#features/foundation/channels/queries.ts'
import { avatarPath } from '#features/foundation/users/avatar-paths.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { type Bot, botTypes } from './queries.ts'
import type { botShape } from './shapes.ts'

/** A bot as its administrators see it. */
export type BotJson = Shaped<typeof botShape>

export function botJson(read: Read, bot: Bot): BotJson {
  const { user } = bot
  return {
    user_id: user.id,
    full_name: user.fullName,
    email: user.apiEmail,
    bot_type: user.botType,
    is_active: user.isActive,
    api_key: user.apiKey,
    avatar_url: avatarPath(user),
    owner_id: user.botOwnerId,
    ...defaultsJson(read, bot),
    services: servicesJson(bot),
  }
}

/** The bot's default channels. */
export function defaultsJson(read: Read, { options }: Bot) {
  const nameOf = (id: number | null) => (id === null ? null : (findChannel(read, id)?.name ?? null))
  return {
    default_sending_stream: nameOf(options.sendingChannelId),
    default_events_register_stream: nameOf(options.eventsChannelId),
    default_all_public_streams: options.allPublicChannels,
  }
}

export function servicesJson({ user, options, service }: Bot): BotJson['services'] {
  if (user.botType === botTypes.outgoingWebhook && service) {
    return [{ base_url: service.baseUrl, interface: service.interface, token: service.token }]
  }
  if (user.botType === botTypes.incomingWebhook && options.integration !== null) {
    return [{ service_name: options.integration, config_data: options.config }]
  }
  return []
}
