import { endpoint } from '#http/endpoint.ts'
import { bool, int, json, oneOfInts, optional, textPairs, withDefault, word } from '#http/params.ts'
import type { RequestFacts } from '#http/reply.ts'
import { pictureBodyLimit, receivedPicture } from '#images/received.ts'
import { pictureLimits } from '#realm/limits.ts'
import { integer, list, nullable, object, string } from '#shape.ts'
import { type Avatar, makeAvatar } from '#users/avatars/actions.ts'
import { avatarUrl } from '#users/json.ts'
import { roles } from '#users/queries.ts'
import * as actions from './actions.ts'
import { defaultsJson, servicesJson } from './json.ts'
import { type Bot, botTypes, interfaces, listAdministeredBots } from './queries.ts'
import { accessBot, requireCreation, requirePerson } from './rules.ts'
import { botDefaultShapes, botServicesShape } from './shapes.ts'

const longText = 3000

/** A picture may come along, as the one file of a multipart body. */
const picture = {
  file: `The bot's picture: PNG, JPEG, GIF or WebP, at most ${pictureLimits.avatar} MiB.`,
  fileIsOptional: true,
  bodyLimit: pictureBodyLimit(pictureLimits.avatar),
} as const

/** @throws BAD_REQUEST several files, or one that is too large; BAD_IMAGE */
async function avatarIn({ server, files }: RequestFacts): Promise<Avatar | undefined> {
  if (files.size === 0) return undefined
  return await makeAvatar(server, await receivedPicture(files, 'avatar', pictureLimits.avatar))
}

/** What can be said of a bot when it is made, and changed later. */
const configuration = {
  interface_type: optional(oneOfInts(Object.values(interfaces))),
  payload_url: optional(word(longText)),
  config_data: optional(json(textPairs(100, 100, longText))),
  default_sending_stream: optional(word(longText)),
  default_events_register_stream: optional(word(longText)),
  default_all_public_streams: optional(bool()),
}

interface Configured {
  interface_type: actions.BotConfiguration['interface']
  payload_url: string | undefined
  config_data: [key: string, value: string][] | undefined
  default_sending_stream: string | undefined
  default_events_register_stream: string | undefined
  default_all_public_streams: boolean | undefined
}

function configured(p: Configured): actions.BotConfiguration {
  return {
    interface: p.interface_type,
    payloadUrl: p.payload_url,
    config: p.config_data,
    sendingChannel: p.default_sending_stream,
    eventsChannel: p.default_events_register_stream,
    allPublicChannels: p.default_all_public_streams,
  }
}

/**
 * Makes a bot: a generic one, or an incoming or outgoing webhook.
 *
 * @source the API's `Bot`; clients.md §1.5 for the address
 */
export const createBot = endpoint({
  method: 'post',
  path: '/bots',
  ...picture,
  errors: ['BAD_IMAGE'],
  summary: 'Create a bot that belongs to the caller.',
  params: {
    full_name: word(longText),
    short_name: word(longText),
    bot_type: withDefault(oneOfInts(Object.values(botTypes)), botTypes.generic),
    service_name: withDefault(word(200), ''),
    ...configuration,
  },
  reply: { user_id: integer, api_key: string, avatar_url: nullable(string), ...botDefaultShapes },
  async run(caller, p, request) {
    const { store } = caller
    requireCreation(store, requirePerson(store, caller.user), p.bot_type)
    const avatar = await avatarIn(request)
    const bot = await store.write((tx) =>
      actions.createBot(tx, caller, {
        ...configured(p),
        avatar,
        fullName: p.full_name,
        shortName: p.short_name,
        botType: p.bot_type,
        integration: p.service_name,
      }),
    )
    return {
      user_id: bot.user.id,
      api_key: bot.user.apiKey,
      avatar_url: avatarUrl(bot.user, false),
      ...defaultsJson(store, bot),
    }
  },
})

/** The caller's own bots that are active. */
export const getBots = endpoint({
  method: 'get',
  path: '/bots',
  summary: "List the caller's own active bots.",
  params: {},
  reply: {
    bots: list(
      object({
        username: string,
        full_name: string,
        api_key: string,
        avatar_url: nullable(string),
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
        avatar_url: avatarUrl(bot.user, false),
        ...defaultsJson(store, bot),
      })),
    }
  },
})

/** @source api-changes §3c: `short_name` is level 447 */
export const editBot = endpoint({
  method: 'patch',
  path: '/bots/:bot_id{-?[0-9]+}',
  summary: 'Change a bot that the caller administers.',
  ...picture,
  errors: ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'],
  params: {
    bot_id: int(),
    full_name: optional(word(longText)),
    short_name: optional(word(longText)),
    bot_owner_id: optional(int()),
    role: optional(oneOfInts(Object.values(roles))),
    ...configuration,
  },
  reply: {
    full_name: string,
    avatar_url: nullable(string),
    ...botDefaultShapes,
    services: botServicesShape,
  },
  async run(caller, p, request) {
    const { store } = caller
    accessBot(store, requirePerson(store, caller.user), p.bot_id)
    const avatar = await avatarIn(request)
    const bot = await store.write((tx) =>
      actions.editBot(tx, caller, p.bot_id, {
        ...configured(p),
        avatar,
        fullName: p.full_name,
        shortName: p.short_name,
        ownerId: p.bot_owner_id,
        role: p.role,
      }),
    )
    return edited(caller.store, bot)
  },
})

function edited(store: Parameters<typeof defaultsJson>[0], bot: Bot) {
  return {
    full_name: bot.user.fullName,
    avatar_url: avatarUrl(bot.user, false),
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

/** @source api-changes §2a, level 463 */
export const getBotKey = endpoint({
  method: 'get',
  path: '/bots/:bot_id{-?[0-9]+}/api_key',
  summary: 'Return the API key of a bot that the caller administers.',
  params: { bot_id: int() },
  reply: { api_key: string },
  run({ store, user }, p) {
    return { api_key: accessBot(store, requirePerson(store, user), p.bot_id).user.apiKey }
  },
})

/** @source api-changes §2b */
export const regenerateBotKey = endpoint({
  method: 'post',
  path: '/bots/:bot_id{-?[0-9]+}/api_key/regenerate',
  summary: 'Give a bot that the caller administers another API key.',
  params: { bot_id: int() },
  reply: { api_key: string },
  run: async (caller, p) => ({
    api_key: await caller.store.write((tx) => actions.regenerateKey(tx, caller, p.bot_id)),
  }),
})
