import type { Channel } from '#features/foundation/channels/queries.ts'
import type { ChangedUser } from '#features/foundation/users/occasions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type BotJson, botJson } from './json.ts'
import { botOf, canAdministerBot, listBots, listBotsByChannel } from './queries.ts'
import type { botEventShapes } from './shapes.ts'

/** The user may now administer this bot. */
type BotAddEvent = EventOf<typeof botEventShapes, 'realm_bot', 'add'>

/** A bot changed; `bot` holds its ID and the changes. */
type BotUpdateEvent = EventOf<typeof botEventShapes, 'realm_bot', 'update'>

/** The user may no longer administer this bot. */
type BotDeleteEvent = EventOf<typeof botEventShapes, 'realm_bot', 'delete'>

function botAddEvent(read: Read, bot: User): BotAddEvent {
  return { type: 'realm_bot', op: 'add', bot: botJson(read, botOf(read, bot)) }
}

function botDeleteEvent(bot: User): BotDeleteEvent {
  return { type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }
}

/** Emits a bot's changes to its administrators. */
export function emitBotUpdate(tx: Tx, bot: User, changes: Partial<BotJson>): void {
  const event: BotUpdateEvent = {
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot.id, ...changes },
  }
  tx.emit(event, (userId) => administers(tx, userId, bot))
}

/** Emits a new bot to its administrators. */
export function emitBotAdded(tx: Tx, bot: User): void {
  tx.emit(botAddEvent(tx, bot), (userId) => administers(tx, userId, bot))
}

/**
 * Emits a channel's new name to the administrators of the bots that use it as a default channel.
 */
export function emitBotChannelName(tx: Tx, { id, name }: Channel): void {
  for (const { user, options } of listBotsByChannel(tx, id)) {
    if (options.sendingChannelId === id) emitBotUpdate(tx, user, { default_sending_stream: name })
    if (options.eventsChannelId === id) {
      emitBotUpdate(tx, user, { default_events_register_stream: name })
    }
  }
}

/** Emits a bot to the users who gain or lose its administration when its owner or role changes. */
export function emitBotAdministrators(tx: Tx, before: User, bot: User): void {
  const could = (userId: number) => administers(tx, userId, before)
  const can = (userId: number) => administers(tx, userId, bot)
  tx.emit(botDeleteEvent(bot), (userId) => could(userId) && !can(userId))
  tx.emit(botAddEvent(tx, bot), (userId) => can(userId) && !could(userId))
}

/** Emits to a user the bots whose administration they gain or lose when their own role changes. */
export function emitVisibleBots(tx: Tx, before: User, user: User): void {
  for (const bot of listBots(tx)) {
    const can = canAdministerBot(user, bot)
    if (can === canAdministerBot(before, bot)) continue
    tx.emit(can ? botAddEvent(tx, bot) : botDeleteEvent(bot), [user.id])
  }
}

/** Emits `realm_bot` to a bot's administrators for those changes of its account that are in it. */
export function emitBotChanges(tx: Tx, { user, changes }: ChangedUser): void {
  if (user.botType === null) return
  const forAdministrators = botChanges(changes)
  if (Object.keys(forAdministrators).length > 0) emitBotUpdate(tx, user, forAdministrators)
}

function administers(read: Read, userId: number, bot: User): boolean {
  const user = findUser(read, userId)
  return user !== undefined && canAdministerBot(user, bot)
}

/**
 * The part of a change of a user's public data that also belongs in the bot's `realm_bot` event.
 */
function botChanges(changes: Readonly<Record<string, unknown>>): Partial<BotJson> {
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
