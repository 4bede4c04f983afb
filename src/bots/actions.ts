import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { requireAdministrator, requireOwner } from '#permissions/can.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import { createUser, deactivateUser, newApiKey } from '#users/actions.ts'
import { changeAddresses } from '#users/address-changes.ts'
import { changeRole } from '#users/administration/roles.ts'
import { type Avatar, setAvatar } from '#users/avatars/actions.ts'
import { emitUserUpdate } from '#users/events.ts'
import { changeFullName } from '#users/own-settings/actions.ts'
import { findUser, findUserByAddress, roles, type User, updateUser } from '#users/queries.ts'
import { requireFullName } from '#users/rules.ts'
import { emitAdministrators, emitBotAdded, emitBotUpdate } from './events.ts'
import { defaultsJson, servicesJson } from './json.ts'
import {
  type Bot,
  type BotOptions,
  type BotService,
  botOf,
  botTypes,
  findBotOptions,
  putBotOptions,
  putBotService,
} from './queries.ts'
import * as rules from './rules.ts'

/** What may be said of a bot when it is made and when it is edited. */
export interface BotConfiguration {
  readonly fullName?: string | undefined
  readonly shortName?: string | undefined
  readonly payloadUrl?: string | undefined
  /** 1: our own format; 2: the Slack-compatible one. */
  readonly interface?: BotService['interface'] | undefined
  readonly config?: readonly (readonly [key: string, value: string])[] | undefined
  /** Names of channels; an empty one means none. */
  readonly sendingChannel?: string | undefined
  readonly eventsChannel?: string | undefined
  readonly allPublicChannels?: boolean | undefined
  readonly avatar?: Avatar | undefined
}

export interface NewBot extends BotConfiguration {
  readonly fullName: string
  readonly shortName: string
  readonly botType: number
  /** Which integration an incoming webhook bot is for; empty: none in particular. */
  readonly integration?: string | undefined
}

export interface BotChanges extends BotConfiguration {
  readonly ownerId?: number | undefined
  readonly role?: User['role'] | undefined
}

/**
 * Makes a bot that belongs to the caller.
 *
 * @throws BAD_REQUEST without permission; impossible or taken names; an unknown channel, address or
 * integration
 */
export function createBot(tx: Tx, caller: Caller, wanted: NewBot): Bot {
  const owner = rules.requirePerson(tx, caller.user)
  rules.requireCreation(tx, owner, wanted.botType)
  const fullName = requireFullName(tx, wanted.fullName)
  const email = botAddress(tx, wanted.shortName)
  const { integration: name = '', payloadUrl = '' } = wanted
  const integration = name === '' ? null : rules.requireIntegration(wanted.botType, name)
  rules.requireConfig(integration, wanted.config ?? [])
  const isOutgoing = wanted.botType === botTypes.outgoingWebhook
  const baseUrl = isOutgoing || payloadUrl !== '' ? rules.requirePayloadUrl(payloadUrl) : undefined
  if (baseUrl !== undefined && !isOutgoing) {
    throw badRequest('Only outgoing webhook bots post to an address.')
  }
  const defaults = chosenDefaults(tx, owner, wanted)
  const bot = createUser(tx, {
    email,
    fullName,
    role: roles.member,
    botType: wanted.botType,
    botOwnerId: owner.id,
  })
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
 * Changes a bot, and tells of each change those whom it concerns.
 *
 * @throws BAD_REQUEST no such bot, or not the caller's; what `createBot` says; an impossible owner
 * @throws UNAUTHORIZED_PRINCIPAL a role that the caller may not give
 */
export function editBot(tx: Tx, caller: Caller, botId: number, changes: BotChanges): Bot {
  const acting = rules.requirePerson(tx, caller.user)
  const bot = rules.accessBot(tx, acting, botId)
  const { fullName, shortName, role, ownerId } = changes
  if (fullName !== undefined) changeFullName(tx, bot.user, fullName)
  if (shortName !== undefined) changeShortName(tx, bot.user, shortName)
  if (changes.avatar) setAvatar(tx, bot.user.id, changes.avatar)
  changeOptions(tx, acting, bot, changes)
  changeService(tx, bot, changes)
  if (role !== undefined) changeBotRole(tx, caller, acting, current(tx, bot), role)
  if (ownerId !== undefined) changeOwner(tx, acting, current(tx, bot), ownerId)
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
  if (holder && holder.id !== bot.id) throw badRequest(`Email '${email}' is already in use.`)
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
  changeRole(tx, caller.server.queues, bot, role)
}

/** Gives a bot to somebody else; it keeps its subscriptions (level 359). */
function changeOwner(tx: Tx, acting: User, before: User, ownerId: number): void {
  if (ownerId === before.botOwnerId) return
  const owner = rules.requireNewOwner(tx, acting, ownerId)
  const bot = updateUser(tx, before.id, { botOwnerId: owner.id })
  emitAdministrators(tx, before, bot)
  emitUserUpdate(tx, bot, { bot_owner_id: owner.id })
}

/** Deactivates a bot. @throws BAD_REQUEST no such bot, or not the caller's */
export function deactivateBot(tx: Tx, caller: Caller, botId: number): void {
  const acting = rules.requirePerson(tx, caller.user)
  deactivateUser(tx, caller.server.queues, rules.accessBot(tx, acting, botId).user)
}

/** Gives a bot another API key. @throws BAD_REQUEST no such bot, or not the caller's */
export function regenerateKey(tx: Tx, caller: Caller, botId: number): string {
  const acting = rules.requirePerson(tx, caller.user)
  const { user } = rules.accessBot(tx, acting, botId)
  const bot = updateUser(tx, user.id, { apiKey: newApiKey() })
  emitBotUpdate(tx, bot, { api_key: bot.apiKey })
  return bot.apiKey
}
