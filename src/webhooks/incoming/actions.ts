import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { sendMessage } from '#messages/actions.ts'
import { type AskedMessage, composeMessage } from '#messages/compose.ts'
import { limits } from '#realm/limits.ts'
import { findUser } from '#users/queries.ts'
import type { Integration } from '#webhooks/integrations.ts'
import { cleanText } from '#webhooks/text.ts'
import { cut } from './markdown.ts'
import { fits, type Note } from './note.ts'

/** Where the address says that notes go, and which of them. */
export interface Destination {
  /** Name or id of a channel; undefined: to the bot's owner alone. */
  readonly channel: string | undefined
  readonly topic: string | undefined
  /** Patterns; undefined: all events. */
  readonly only: readonly string[] | undefined
  readonly except: readonly string[] | undefined
}

/**
 * Has the bot that called say a note, unless its address is not interested.
 *
 * @throws BAD_REQUEST a bot without an owner to write to; what `composeMessage` and `sendMessage` say
 * @source the API documentation of incoming webhooks, "URLs"
 */
export async function postNote(
  { store, server, user }: Caller,
  { displayName }: Integration,
  destination: Destination,
  note: Note,
): Promise<void> {
  if (!isWanted(destination, note)) return
  const asked: AskedMessage = {
    ...placeOf(destination, note, () => {
      const owner = findUser(store, user.botOwnerId ?? 0)
      if (!owner?.isActive) throw badRequest('The bot has no owner to write to: name a channel.')
      return owner.id
    }),
    content: cut(cleanText(note.content), limits.messageLength),
    client: `Zulip${displayName.replace(/\W/g, '')}Webhook`,
    readBySender: true,
  }
  const draft = composeMessage(store, user, asked, server.realmUrl)
  await store.write((tx) => void sendMessage(tx, user, draft))
}

function isWanted({ only, except }: Destination, { event, action }: Note): boolean {
  if (event === null) return true
  const isOneOf = (patterns: readonly string[]) =>
    fits(event, patterns) || (action !== undefined && fits(`${event}:${action}`, patterns))
  return (!only || isOneOf(only)) && !(except && isOneOf(except))
}

function placeOf(
  { channel, topic }: Destination,
  note: Note,
  owner: () => number,
): Pick<AskedMessage, 'kind' | 'to' | 'topic'> {
  if (channel === undefined) return { kind: 'direct', to: [owner()] }
  const name = topic ?? cut(cleanText(note.topic).replace(/\s+/g, ' '), limits.topicLength)
  const id = /^\d{1,15}$/.test(channel) ? Number(channel) : undefined
  return { kind: 'channel', to: id ?? channel, topic: name }
}

/** @throws UNAUTHORIZED the service could not show that it knows the secret */
export function wrongSecret(): ApiError {
  return new ApiError('UNAUTHORIZED', 'The payload does not carry the secret of this bot.')
}
