import type { Channel } from '#channels/queries.ts'
import type { WireEvent } from '#events/types.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { type BotJson, botJson } from './json.ts'
import { botOf, canAdministerBot, listBots, listBotsByChannel } from './queries.ts'

/** Somebody has a bot to administer that they did not have before. */
interface BotAddEvent extends WireEvent {
  type: 'realm_bot'
  op: 'add'
  bot: BotJson
}

/** Something about a bot changed; `bot` has its id and what changed. */
interface BotUpdateEvent extends WireEvent {
  type: 'realm_bot'
  op: 'update'
  bot: { user_id: number } & Partial<BotJson>
}

/** A bot is no longer somebody's to administer. */
interface BotDeleteEvent extends WireEvent {
  type: 'realm_bot'
  op: 'delete'
  bot: { user_id: number }
}

function botAddEvent(read: Read, bot: User): BotAddEvent {
  return { type: 'realm_bot', op: 'add', bot: botJson(read, botOf(read, bot)) }
}

function botDeleteEvent(bot: User): BotDeleteEvent {
  return { type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }
}

/** Tells whoever administers a bot what changed about it. */
export function emitBotUpdate(tx: Tx, bot: User, changes: Partial<BotJson>): void {
  const event: BotUpdateEvent = {
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot.id, ...changes },
  }
  tx.emit(event, (userId) => administers(tx, userId, bot))
}

/** Tells whoever administers a new bot of it. */
export function emitBotAdded(tx: Tx, bot: User): void {
  tx.emit(botAddEvent(tx, bot), (userId) => administers(tx, userId, bot))
}

/** Tells whoever administers a bot that the channel which it writes or listens to has another name. */
export function tellOfChannelName(tx: Tx, { id, name }: Channel): void {
  for (const { user, options } of listBotsByChannel(tx, id)) {
    if (options.sendingChannelId === id) emitBotUpdate(tx, user, { default_sending_stream: name })
    if (options.eventsChannelId === id) {
      emitBotUpdate(tx, user, { default_events_register_stream: name })
    }
  }
}

/** Tells those to whom a bot came, or from whom it went, when its owner or its role changed. */
export function emitAdministrators(tx: Tx, before: User, bot: User): void {
  const could = (userId: number) => administers(tx, userId, before)
  const can = (userId: number) => administers(tx, userId, bot)
  tx.emit(botDeleteEvent(bot), (userId) => could(userId) && !can(userId))
  tx.emit(botAddEvent(tx, bot), (userId) => can(userId) && !could(userId))
}

/** Tells somebody which bots come to them, or leave them, with another role of their own. */
export function tellOfBots(tx: Tx, before: User, user: User): void {
  for (const bot of listBots(tx)) {
    const can = canAdministerBot(user, bot)
    if (can === canAdministerBot(before, bot)) continue
    tx.emit(can ? botAddEvent(tx, bot) : botDeleteEvent(bot), [user.id])
  }
}

function administers(read: Read, userId: number, bot: User): boolean {
  const user = findUser(read, userId)
  return user !== undefined && canAdministerBot(user, bot)
}

/** What of a change of a person's public data those hear as well who administer that bot. */
export function botChanges(changes: Readonly<Record<string, unknown>>): Partial<BotJson> {
  const names: Record<string, keyof BotJson> = {
    full_name: 'full_name',
    is_active: 'is_active',
    avatar_url: 'avatar_url',
    bot_owner_id: 'owner_id',
    new_email: 'email',
  }
  const known = Object.entries(changes).filter(([name]) => Object.hasOwn(names, name))
  return Object.fromEntries(known.map(([name, value]) => [names[name], value]))
}
