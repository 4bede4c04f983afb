import { defaultsJson, servicesJson } from '#features/foundation/bots/json.ts'
import {
  type Bot,
  botTypes,
  interfaces,
  listAdministeredBots,
} from '#features/foundation/bots/queries.ts'
import { botQuota, newBotQuota } from '#features/foundation/bots/quotas.ts'
import { accessBot, requirePerson } from '#features/foundation/bots/rules.ts'
import { botDefaultShapes, botServicesShape } from '#features/foundation/bots/shapes.ts'
import { pictureLimits } from '#features/foundation/realm/limits.ts'
import { avatarPath } from '#features/foundation/users/avatar-paths.ts'
import { longestFullName } from '#features/foundation/users/full-names.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { type Avatar, makeAvatar } from '#features/people/avatars/actions.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import {
  alias,
  bool,
  int,
  json,
  oneOfInts,
  optional,
  textPairs,
  tidied,
  withDefault,
  word,
} from '#platform/http/params.ts'
import { pictureBodyLimit, receivedPicture } from '#platform/pictures/received.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { requireCreation } from './rules.ts'

const longText = 3000

/** The longest JSON text of a bot's own configuration, in UTF-16 code units. */
const longestConfig = 100_000

/** The request may contain an avatar, as the only file of a multipart body. */
const picture = {
  file: `The bot's picture: PNG, JPEG, GIF or WebP, at most ${pictureLimits.avatar} MiB.`,
  fileIsOptional: true,
  bodyLimit: pictureBodyLimit(pictureLimits.avatar),
} as const

/**
 * Makes an avatar from the request's file, if any, for `use` to store.
 *
 * @throws BAD_REQUEST several files, or one that is too large
 * @throws BAD_IMAGE
 */
async function withAvatar<T>(
  caller: Caller,
  request: RequestFacts,
  use: (avatar: Avatar | undefined) => Promise<T>,
): Promise<T> {
  if (request.files.size === 0) return await use(undefined)
  const expected = { what: 'avatar', limitMib: pictureLimits.avatar }
  return await receivedPicture(caller, request, expected, (source) =>
    makeAvatar(caller.server, source, use),
  )
}

/** The parameters for creating and for editing a bot. */
const configuration = {
  interface_type: optional(alias('service_interface', oneOfInts(Object.values(interfaces)))),
  payload_url: optional(alias('service_payload_url', word(longText))),
  config_data: optional(json(textPairs(100, 100, longText), longestConfig)),
  default_sending_stream: optional(word(longText)),
  default_events_register_stream: optional(word(longText)),
  default_all_public_streams: optional(bool()),
}

interface ConfigurationParams {
  interface_type: actions.BotConfiguration['interface']
  payload_url: string | undefined
  config_data: [key: string, value: string][] | undefined
  default_sending_stream: string | undefined
  default_events_register_stream: string | undefined
  default_all_public_streams: boolean | undefined
}

function configured(p: ConfigurationParams): actions.BotConfiguration {
  return {
    interface: p.interface_type,
    payloadUrl: p.payload_url,
    config: p.config_data,
    sendingChannel: p.default_sending_stream,
    eventsChannel: p.default_events_register_stream,
    allPublicChannels: p.default_all_public_streams,
  }
}

/** Creates a generic bot, or an incoming or outgoing webhook bot. */
export const createBot = endpoint({
  method: 'post',
  path: '/bots',
  ...picture,
  errors: ['BAD_IMAGE'],
  summary: 'Create a bot that belongs to the caller.',
  description: limitsText(botQuota, newBotQuota),
  params: {
    full_name: tidied(word(longText), longestFullName),
    short_name: word(longText),
    bot_type: withDefault(oneOfInts(Object.values(botTypes)), botTypes.generic),
    service_name: withDefault(word(200), ''),
    ...configuration,
  },
  reply: {
    user_id: shape.integer,
    api_key: shape.string,
    avatar_url: shape.string,
    ...botDefaultShapes,
  },
  async run(caller, p, request) {
    const { store } = caller
    requireCreation(store, requirePerson(store, caller.user), p.bot_type)
    const bot = await withAvatar(caller, request, (avatar) =>
      store.write((tx) =>
        actions.createBot(tx, caller, {
          ...configured(p),
          avatar,
          fullName: p.full_name,
          shortName: p.short_name,
          botType: p.bot_type,
          integration: p.service_name,
        }),
      ),
    )
    return {
      user_id: bot.user.id,
      api_key: bot.user.apiKey,
      avatar_url: avatarPath(bot.user),
      ...defaultsJson(store, bot),
    }
  },
})

/** The caller's own active bots. */
export const getBots = endpoint({
  method: 'get',
  path: '/bots',
  summary: "List the caller's own active bots.",
  params: {},
  reply: {
    bots: shape.list(
      shape.object({
        username: shape.string,
        full_name: shape.string,
        api_key: shape.string,
        avatar_url: shape.string,
        ...botDefaultShapes,
      }),
    ),
  },
  run({ store, user }) {
    requirePerson(store, user)
    const own = listAdministeredBots(store, user).filter(
      (bot) => bot.user.botOwnerId === user.id && bot.user.isActive,
    )
    return {
      bots: own.map((bot) => ({
        username: bot.user.apiEmail,
        full_name: bot.user.fullName,
        api_key: bot.user.apiKey,
        avatar_url: avatarPath(bot.user),
        ...defaultsJson(store, bot),
      })),
    }
  },
})

/** @source Zulip API, "API changelog" (feature level 447) */
export const editBot = endpoint({
  method: 'patch',
  path: '/bots/:bot_id{-?[0-9]+}',
  summary: 'Change a bot that the caller administers.',
  description:
    "After a change of owner, the bot gets the new owner's permissions once they generate a new API key. " +
    'The bot gets another API key when its owner changes. Its role is never higher than its ' +
    "owner's.",
  ...picture,
  errors: ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'],
  params: {
    bot_id: int(),
    full_name: optional(tidied(word(longText), longestFullName)),
    short_name: optional(word(longText)),
    bot_owner_id: optional(int()),
    role: optional(oneOfInts(Object.values(roles))),
    ...configuration,
  },
  reply: {
    full_name: shape.string,
    avatar_url: shape.string,
    ...botDefaultShapes,
    services: botServicesShape,
  },
  async run(caller, p, request) {
    const { store } = caller
    accessBot(store, requirePerson(store, caller.user), p.bot_id)
    const bot = await withAvatar(caller, request, (avatar) =>
      store.write((tx) =>
        actions.editBot(tx, caller, p.bot_id, {
          ...configured(p),
          avatar,
          fullName: p.full_name,
          shortName: p.short_name,
          ownerId: p.bot_owner_id,
          role: p.role,
        }),
      ),
    )
    return edited(caller.store, bot)
  },
})

function edited(store: Parameters<typeof defaultsJson>[0], bot: Bot) {
  return {
    full_name: bot.user.fullName,
    avatar_url: avatarPath(bot.user),
    ...defaultsJson(store, bot),
    services: servicesJson(bot),
  }
}

export const deactivateBot = endpoint({
  method: 'delete',
  path: '/bots/:bot_id{-?[0-9]+}',
  summary: 'Deactivate a bot that the caller administers.',
  params: { bot_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.deactivateBot(tx, caller, p.bot_id)),
})

/** @source Zulip API, "API changelog" (feature level 463) */
export const getBotKey = endpoint({
  method: 'get',
  path: '/bots/:bot_id{-?[0-9]+}/api_key',
  summary: 'Return the API key of a bot that the caller administers.',
  params: { bot_id: int() },
  reply: { api_key: shape.string },
  run({ store, user }, p) {
    return { api_key: accessBot(store, requirePerson(store, user), p.bot_id).user.apiKey }
  },
})

export const regenerateBotKey = endpoint({
  method: 'post',
  path: '/bots/:bot_id{-?[0-9]+}/api_key/regenerate',
  summary: 'Give a bot that the caller administers a new API key.',
  params: { bot_id: int() },
  reply: { api_key: shape.string },
  run: async (caller, p) => ({
    api_key: await caller.store.write((tx) => actions.regenerateKey(tx, caller, p.bot_id)),
  }),
})
