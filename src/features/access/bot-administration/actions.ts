import { createUser, deactivateUser, newApiKey } from '#features/access/accounts/actions.ts'
import { changeRole } from '#features/access/accounts/administration/roles.actions.ts'
import { replaceApiKey } from '#features/access/accounts/credentials.actions.ts'
import { changeFullName } from '#features/access/accounts/own-settings/actions.ts'
import {
  emitBotAdded,
  emitBotAdministrators,
  emitBotUpdate,
} from '#features/foundation/bots/events.ts'
import { defaultsJson, servicesJson } from '#features/foundation/bots/json.ts'
import {
  type Bot,
  type BotOptions,
  type BotService,
  botOf,
  botTypes,
  findBotOptions,
  putBotOptions,
  putBotService,
} from '#features/foundation/bots/queries.ts'
import { botQuota, newBotQuota } from '#features/foundation/bots/quotas.ts'
import { accessBot, requirePerson } from '#features/foundation/bots/rules.ts'
import { requireAdministrator, requireOwner } from '#features/foundation/permissions/rules.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { changeAddresses } from '#features/foundation/users/address-changes.actions.ts'
import { emitUserUpdate } from '#features/foundation/users/events.ts'
import {
  findUser,
  findUserByAddress,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { requireFullName } from '#features/foundation/users/rules.ts'
import { type Avatar, setAvatar } from '#features/people/avatars/actions.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom, spend } from '#platform/quotas/room.ts'
import type { BotType } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import * as rules from './rules.ts'

/** The attributes of a bot that can be set on creation and changed later. */
export interface BotConfiguration {
  readonly fullName?: string | undefined
  readonly shortName?: string | undefined
  readonly payloadUrl?: string | undefined
  /** 1 the Zulip format; 2 the Slack-compatible format. */
  readonly interface?: BotService['interface'] | undefined
  readonly config?: readonly (readonly [key: string, value: string])[] | undefined
  /** Channel names; empty for none. */
  readonly sendingChannel?: string | undefined
  readonly eventsChannel?: string | undefined
  readonly allPublicChannels?: boolean | undefined
  readonly avatar?: Avatar | undefined
}

export interface NewBot extends BotConfiguration {
  readonly fullName: string
  readonly shortName: string
  readonly botType: BotType
  /** The integration of an incoming webhook bot; empty for none. */
  readonly integration?: string | undefined
}

export interface BotChanges extends BotConfiguration {
  readonly ownerId?: number | undefined
  readonly role?: User['role'] | undefined
}

/**
 * Creates a bot that the caller owns.
 *
 * @throws BAD_REQUEST no permission; an invalid or taken name; an invalid channel, URL, integration
 *   or option; too many bots
 * @throws RATE_LIMIT_HIT too many new bots
 */
export function createBot(tx: Tx, caller: Caller, wanted: NewBot): Bot {
  const owner = requirePerson(tx, caller.user)
  rules.requireCreation(tx, owner, wanted.botType)
  const fullName = requireFullName(tx, wanted.fullName)
  const email = botAddress(tx, wanted.shortName)
  const { integration: name = '', payloadUrl = '' } = wanted
  const integration = name === '' ? null : rules.requireIntegration(wanted.botType, name)
  rules.requireConfig(integration, wanted.config ?? [])
  const isOutgoing = wanted.botType === botTypes.outgoingWebhook
  const baseUrl = isOutgoing || payloadUrl !== '' ? rules.requirePayloadUrl(payloadUrl) : undefined
  if (baseUrl !== undefined && !isOutgoing) {
    throw badRequest(sentSentence('Only outgoing webhook bots have a payload URL.'), {
      parameter: 'payload_url',
    })
  }
  const defaults = chosenDefaults(tx, owner, wanted)
  requireRoom(tx, botQuota, owner)
  spend(tx, newBotQuota, owner)
  const account = {
    email,
    fullName,
    role: owner.role === roles.guest ? roles.guest : roles.member,
    botType: wanted.botType,
    botOwnerId: owner.id,
  }
  const bot = checking('short_name', () => createUser(tx, account))
  putBotOptions(tx, bot.id, {
    ...findBotOptions(tx, bot.id),
    ...defaults,
    integration,
    config: Object.fromEntries(wanted.config ?? []),
  })
  if (baseUrl !== undefined) {
    const service = { baseUrl, interface: wanted.interface ?? 1, token: newApiKey() }
    putBotService(tx, bot.id, service)
  }
  emitBotAdded(tx, bot)
  return botOf(tx, (wanted.avatar && setAvatar(tx, bot.id, wanted.avatar)) ?? bot)
}

/**
 * Changes a bot, and emits each change to the users concerned.
 *
 * @throws BAD_REQUEST no such bot, or another user's; an invalid owner; a higher role than the
 * owner's; otherwise as `createBot`
 * @throws UNAUTHORIZED_PRINCIPAL a role that the caller may not give
 */
export function editBot(tx: Tx, caller: Caller, botId: number, changes: BotChanges): Bot {
  const acting = requirePerson(tx, caller.user)
  const bot = accessBot(tx, acting, botId)
  const { fullName, shortName, role, ownerId } = changes
  if (fullName !== undefined) changeFullName(tx, bot.user, fullName)
  if (shortName !== undefined) changeShortName(tx, bot.user, shortName)
  if (changes.avatar) setAvatar(tx, bot.user.id, changes.avatar)
  changeOptions(tx, acting, bot, changes)
  changeService(tx, bot, changes)
  if (ownerId !== undefined) changeOwner(tx, caller, acting, current(tx, bot), ownerId)
  if (role !== undefined) changeBotRole(tx, caller, acting, current(tx, bot), role)
  return botOf(tx, current(tx, bot))
}

function current(tx: Tx, { user }: Bot): User {
  return findUser(tx, user.id) ?? user
}

function botAddress(tx: Tx, shortName: string): string {
  return `${rules.requireShortName(shortName)}-bot@${realmSetting(tx, 'placeholder_domain')}`
}

function changeShortName(tx: Tx, bot: User, shortName: string): void {
  const email = botAddress(tx, shortName)
  if (email === bot.email) return
  const holder = findUserByAddress(tx, email)
  if (holder && holder.id !== bot.id)
    throw badRequest(sentSentence("Email '{email}' is already in use.", { email }), {
      parameter: 'short_name',
    })
  changeAddresses(tx, bot, () => {
    updateUser(tx, bot.id, { email, emailKey: email.toLowerCase() })
  })
}

type Defaults = Pick<BotOptions, 'sendingChannelId' | 'eventsChannelId' | 'allPublicChannels'>

function chosenDefaults(tx: Tx, user: User, wanted: BotConfiguration): Partial<Defaults> {
  const channelId = (name: string) => (name === '' ? null : rules.requireChannel(tx, user, name))
  const { sendingChannel, eventsChannel, allPublicChannels } = wanted
  return {
    ...(sendingChannel !== undefined && { sendingChannelId: channelId(sendingChannel) }),
    ...(eventsChannel !== undefined && { eventsChannelId: channelId(eventsChannel) }),
    ...(allPublicChannels !== undefined && { allPublicChannels }),
  }
}

function changeOptions(tx: Tx, acting: User, bot: Bot, changes: BotChanges): void {
  const { config = [] } = changes
  rules.requireConfig(bot.options.integration, config)
  const options = { ...bot.options, ...chosenDefaults(tx, acting, changes) }
  const whole = { ...options.config, ...Object.fromEntries(config) }
  putBotOptions(tx, bot.user.id, { ...options, config: whole })
  const before = defaultsJson(tx, bot)
  const after = botOf(tx, bot.user)
  for (const [name, value] of Object.entries(defaultsJson(tx, after))) {
    if (value !== before[name as keyof typeof before])
      emitBotUpdate(tx, bot.user, { [name]: value })
  }
  if (JSON.stringify(whole) !== JSON.stringify(bot.options.config)) {
    emitBotUpdate(tx, bot.user, { services: servicesJson(after) })
  }
}

function changeService(tx: Tx, bot: Bot, { payloadUrl, interface: format }: BotChanges): void {
  if (payloadUrl === undefined && format === undefined) return
  const before = rules.requireService(bot)
  const service = {
    ...before,
    ...(payloadUrl !== undefined && { baseUrl: rules.requirePayloadUrl(payloadUrl) }),
    ...(format !== undefined && { interface: format }),
  }
  if (service.baseUrl === before.baseUrl && service.interface === before.interface) return
  putBotService(tx, bot.user.id, service)
  emitBotUpdate(tx, bot.user, { services: servicesJson({ ...bot, service }) })
}

function changeBotRole(tx: Tx, caller: Caller, acting: User, bot: User, role: User['role']): void {
  if (role === bot.role) return
  requireAdministrator(acting)
  if (role === roles.owner || bot.role === roles.owner) requireOwner(acting)
  rules.requireRoleBelowOwner(tx, bot, role)
  changeRole(tx, caller.server.queues, bot, role)
}

/**
 * Changes a bot's owner. The bot keeps its subscriptions, and gets a new API key, because the old
 * owner knows the old one. Its role becomes no higher than the new owner's. It does not get the new
 * owner's permissions until they take it over with `regenerateKey`, because the old owner may still
 * control it, for example through a webhook URL. An administrator who makes themselves the owner
 * takes it over immediately.
 *
 * @source Zulip API, "API changelog" (feature level 359)
 */
function changeOwner(
  tx: Tx,
  { server }: Caller,
  acting: User,
  before: User,
  ownerId: number,
): void {
  if (ownerId === before.botOwnerId) return
  const owner = rules.requireNewOwner(tx, acting, ownerId)
  if (before.isActive) requireRoom(tx, botQuota, owner)
  const { apiKey } = replaceApiKey(tx, server.queues, before.id)
  const bot = updateUser(tx, before.id, { botOwnerId: owner.id })
  setAwaitsOwner(tx, bot.id, owner.id !== acting.id)
  emitBotAdministrators(tx, before, bot)
  emitBotUpdate(tx, bot, { api_key: apiKey })
  emitUserUpdate(tx, bot, { bot_owner_id: owner.id })
  if (bot.role < owner.role) changeRole(tx, server.queues, bot, owner.role)
}

function setAwaitsOwner(tx: Tx, botId: number, awaitsOwner: boolean): void {
  const options = findBotOptions(tx, botId)
  if (options.awaitsOwner !== awaitsOwner) putBotOptions(tx, botId, { ...options, awaitsOwner })
}

/**
 * Deactivates a bot.
 *
 * @throws BAD_REQUEST no such bot, or another user's
 */
export function deactivateBot(tx: Tx, caller: Caller, botId: number): void {
  const acting = requirePerson(tx, caller.user)
  deactivateUser(tx, caller.server.queues, accessBot(tx, acting, botId).user)
}

/**
 * Gives a bot a new API key, and returns it. If the owner calls this after a change of owner, it
 * takes the bot over.
 *
 * @throws BAD_REQUEST no such bot, or another user's
 */
export function regenerateKey(tx: Tx, caller: Caller, botId: number): string {
  const acting = requirePerson(tx, caller.user)
  const { user } = accessBot(tx, acting, botId)
  const bot = replaceApiKey(tx, caller.server.queues, user.id)
  if (acting.id === bot.botOwnerId) setAwaitsOwner(tx, bot.id, false)
  emitBotUpdate(tx, bot, { api_key: bot.apiKey })
  return bot.apiKey
}
