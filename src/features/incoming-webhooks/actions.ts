import type { Integration } from '#features/bots/integrations.ts'
import { sendMessage } from '#features/messages/actions.ts'
import { composeMessage, type RequestedMessage } from '#features/messages/compose.rules.ts'
import { limits } from '#features/realm/limits.ts'
import { findUser } from '#features/users/queries.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { cut } from './markdown.ts'
import { matchesAnyPattern, type Note } from './note.ts'
import { cleanText } from './text.ts'

/** Where the webhook URL sends messages, and for which events. */
export interface Destination {
  /** Name or ID of a channel; undefined: a direct message to the bot's owner. */
  readonly channel: string | undefined
  readonly topic: string | undefined
  /** Patterns of event names; undefined: all events. */
  readonly only: readonly string[] | undefined
  readonly except: readonly string[] | undefined
}

/**
 * Sends a note as the calling bot, unless the webhook URL filters out its event.
 *
 * @throws BAD_REQUEST a direct message for a bot without an active owner; also as `composeMessage`
 *   and `sendMessage`
 * @source Zulip documentation, "Incoming webhooks overview"
 */
export async function postNote(
  caller: Caller,
  { displayName }: Integration,
  destination: Destination,
  note: Note,
): Promise<void> {
  if (!isWanted(destination, note)) return
  const { store, server, user: bot } = caller
  const asked: RequestedMessage = {
    ...placeOf(destination, note, () => {
      const owner = findUser(store, bot.botOwnerId ?? 0)
      if (!owner?.isActive)
        throw badRequest('The bot has no owner to send messages to. Name a channel.')
      return owner.id
    }),
    content: cut(cleanText(note.content), limits.messageLength),
    client: `Zulip${displayName.replace(/\W/g, '')}Webhook`,
    readBySender: true,
  }
  const draft = composeMessage(store, bot, asked, server.realmUrl)
  await store.write((tx, user) => void sendMessage(tx, user, draft))
}

function isWanted({ only, except }: Destination, { event, action }: Note): boolean {
  if (event === null) return true
  const isOneOf = (patterns: readonly string[]) =>
    matchesAnyPattern(event, patterns) ||
    (action !== undefined && matchesAnyPattern(`${event}:${action}`, patterns))
  return (!only || isOneOf(only)) && !(except && isOneOf(except))
}

function placeOf(
  { channel, topic }: Destination,
  note: Note,
  owner: () => number,
): Pick<RequestedMessage, 'kind' | 'to' | 'topic'> {
  if (channel === undefined) return { kind: 'direct', to: [owner()] }
  const name = topic ?? cut(cleanText(note.topic).replace(/\s+/g, ' '), limits.topicLength)
  const id = /^\d{1,15}$/.test(channel) ? Number(channel) : undefined
  return { kind: 'channel', to: id ?? channel, topic: name }
}

/** UNAUTHORIZED: the request does not prove that the service knows the secret. */
export function wrongSecret(): ApiError {
  return new ApiError('UNAUTHORIZED', 'The payload does not contain the secret of this bot.')
}
