import { findChannel } from '#channels/queries.ts'
import type { Read } from '#store/write.ts'
import { avatarUrl } from '#users/json.ts'
import { type Bot, type BotService, botTypes } from './queries.ts'

/** A bot as whoever administers it sees it, at feature level 421. @source the API's `Bot` */
export interface BotJson {
  user_id: number
  full_name: string
  email: string
  bot_type: number | null
  is_active: boolean
  api_key: string
  avatar_url: string | null
  owner_id: number | null
  default_sending_stream: string | null
  default_events_register_stream: string | null
  default_all_public_streams: boolean
  services: ServiceJson[]
}

/** One entry for an outgoing webhook; for an incoming one, what its integration has to know. */
type ServiceJson =
  | { base_url: string; interface: BotService['interface']; token: string }
  | { service_name: string; config_data: Record<string, string> }

export function botJson(read: Read, bot: Bot): BotJson {
  const { user } = bot
  return {
    user_id: user.id,
    full_name: user.fullName,
    email: user.apiEmail,
    bot_type: user.botType,
    is_active: user.isActive,
    api_key: user.apiKey,
    avatar_url: avatarUrl(user, false),
    owner_id: user.botOwnerId,
    ...defaultsJson(read, bot),
    services: servicesJson(bot),
  }
}

/** The channels that a bot's requests are about, unless they say. */
export function defaultsJson(read: Read, { options }: Bot) {
  const nameOf = (id: number | null) => (id === null ? null : (findChannel(read, id)?.name ?? null))
  return {
    default_sending_stream: nameOf(options.sendingChannelId),
    default_events_register_stream: nameOf(options.eventsChannelId),
    default_all_public_streams: options.allPublicChannels,
  }
}

export function servicesJson({ user, options, service }: Bot): ServiceJson[] {
  if (user.botType === botTypes.outgoingWebhook && service) {
    return [{ base_url: service.baseUrl, interface: service.interface, token: service.token }]
  }
  if (user.botType === botTypes.incomingWebhook && options.integration !== null) {
    return [{ service_name: options.integration, config_data: options.config }]
  }
  return []
}
