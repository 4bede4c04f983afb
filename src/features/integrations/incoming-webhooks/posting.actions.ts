import { setImmediate } from 'node:timers/promises'
import { findChannelByName } from '#features/foundation/channels/queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { Integration, Note } from '#features/integrations/webhook-services/declaration.ts'
import { matchesAnyPattern } from '#features/integrations/webhook-services/filters.ts'
import { silenced } from '#features/integrations/webhook-services/format.ts'
import { contentText, topicText } from '#features/integrations/webhook-services/rendering.ts'
import { sendMessage } from '#features/messaging/messages/actions.ts'
import {
  composeMessage,
  type Draft,
  type RequestedMessage,
} from '#features/messaging/messages/compose.rules.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'

/** The recipient and the selected events of a webhook URL. */
export interface Destination {
  /** Name or ID of a channel; undefined: a direct message to the bot's owner. */
  readonly channel: string | undefined
  readonly topic: string | undefined
  /** Patterns of event names; undefined: all events. */
  readonly only: readonly string[] | undefined
  readonly except: readonly string[] | undefined
}

/** The most messages about one delivery; further ones are only counted. */
export const mostMessages = 20

/**
 * Sends messages about a delivery as the calling bot, in one transaction. Those of events that the
 * webhook URL filters out are left out.
 *
 * @returns the events of the delivery, and the number of messages
 * @throws BAD_REQUEST a direct message for a bot without an active owner; also as `composeMessage`
 *   and `sendMessage`
 * @source Zulip documentation, "Incoming webhooks overview"
 */
export async function postNotes(
  caller: Caller,
  service: Integration,
  asked: Destination,
  notes: readonly Note[],
): Promise<{ readonly events: readonly string[]; readonly count: number }> {
  const wanted = notes.filter((note) => isWanted(asked, note))
  const events = [...new Set(notes.flatMap((note) => note.events?.slice(0, 1) ?? []))].slice(0, 3)
  if (wanted.length === 0) return { events, count: 0 }
  const destination = unescaped(caller.store, asked)
  const drafts: Draft[] = []
  for (const [i, note] of wanted.slice(0, mostMessages).entries()) {
    const more = i === mostMessages - 1 ? wanted.length - mostMessages : 0
    const rest = more > 0 ? `\n\n*(${more} further messages are left out.)*` : ''
    const whole = { ...note, content: note.content + rest }
    drafts.push(caller.timed(() => draftOf(caller, service, destination, whole)))
    // Each may be as long as a message can be, and others have their turn between two.
    await setImmediate()
  }
  await gathered(caller.store)
  await caller.store.write((tx, user) => {
    for (const draft of drafts) sendMessage(tx, user, draft)
  })
  return { events, count: drafts.length }
}

/** Deliveries that come within this many turns of the event loop are written together. */
const turnsApart = 4

const gatherings = perDatabase(() => ({ next: undefined as Promise<void> | undefined }))

/**
 * Waits for further deliveries in a flood, because a commit for each would slow down everyone else.
 */
function gathered(read: Read): Promise<void> {
  const memory = gatherings(read)
  memory.next ??= (async () => {
    for (let turn = 0; turn < turnsApart; turn++) await setImmediate()
    memory.next = undefined
  })()
  return memory.next
}

function draftOf(
  { store, server, user: bot }: Caller,
  { displayName }: Integration,
  destination: Destination,
  note: Note,
): Draft {
  const compose = (content: string) =>
    composeMessage(
      store,
      bot,
      {
        ...placeOf(destination, note, () => {
          const owner = findUser(store, bot.botOwnerId ?? 0)
          if (!owner?.isActive)
            throw badRequest('The bot has no owner to send messages to. Name a channel.')
          return owner.id
        }),
        content,
        client: `Zulip${displayName.replace(/\W/g, '')}Webhook`,
        // These bots read nothing, so their read state need not be kept.
        readBySender: false,
      },
      server.realmUrl,
    )
  // With a space before it, a command such as `/poll` is only text.
  const content = contentText(note.content.replace(/^\s*\//, ' /'), limits.messageLength)
  const draft = compose(content)
  return notifies(draft) ? compose(cutAgain(silenced(content))) : draft
}

/** Silent mentions are a character longer than others. */
const cutAgain = (content: string) => contentText(content, limits.messageLength)

/** Whether it mentions anyone, which only users of this server may do. */
function notifies({ rendered: { mentions } }: Draft): boolean {
  const { userIds, groupIds, channelWildcard, topicWildcard } = mentions
  return userIds.length > 0 || groupIds.length > 0 || channelWildcard || topicWildcard
}

function isWanted({ only, except }: Destination, { events = [] }: Note): boolean {
  if (events.length === 0) return true
  const isOneOf = (patterns: readonly string[]) =>
    events.some((event) => matchesAnyPattern(event, patterns))
  return (!only || isOneOf(only)) && !(except && isOneOf(except))
}

function placeOf(
  { channel, topic }: Destination,
  note: Note,
  owner: () => number,
): Pick<RequestedMessage, 'kind' | 'to' | 'topic'> {
  if (channel === undefined || note.isForOwner) return { kind: 'direct', to: [owner()] }
  const id = /^\d{1,15}$/.test(channel) ? Number(channel) : undefined
  const name = topicText(topic ?? note.topic, limits.topicLength)
  return { kind: 'channel', to: id ?? channel, topic: name }
}

/** Some services escape the URL once more before they call it. */
function unescaped(read: Read, asked: Destination): Destination {
  const { channel, topic } = asked
  const isEscaped = (text: string | undefined) => text !== undefined && /%[\da-f]{2}/i.test(text)
  const isKnown = channel === undefined || findChannelByName(read, channel) !== undefined
  return {
    ...asked,
    ...(channel !== undefined && isEscaped(channel) && !isKnown && { channel: decoded(channel) }),
    ...(topic !== undefined && isEscaped(topic) && { topic: decoded(topic) }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
