import type { StatePart } from '#events/state.ts'
import { avatarUrl } from '#users/json.ts'
import { type Bot, listAdministeredBots } from './queries.ts'

/** A bot as whoever administers it sees it, at feature level 421. @source the API's `Bot` */
interface BotJson {
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
  /** One entry for an outgoing webhook, none for other bots. */
  services: { base_url: string; interface: number; token: string }[]
}

export const botsState: StatePart = {
  types: ['realm_bot'],
  read: ({ store, user }) => ({ realm_bots: listAdministeredBots(store, user).map(botJson) }),
}

function botJson({ user, service }: Bot): BotJson {
  return {
    user_id: user.id,
    full_name: user.fullName,
    email: user.apiEmail,
    bot_type: user.botType,
    is_active: user.isActive,
    api_key: user.apiKey,
    avatar_url: avatarUrl(user, false),
    owner_id: user.botOwnerId,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    services: service
      ? [{ base_url: service.baseUrl, interface: service.interface, token: service.token }]
      : [],
  }
}
