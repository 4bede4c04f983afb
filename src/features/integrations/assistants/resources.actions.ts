import {
  type CompleteResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { canAccessContent } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  isSubscribed,
  listChannelsByName,
} from '#features/foundation/channels/queries.ts'
import { listTopics } from '#features/foundation/core/topics.queries.ts'
import { normalizeTopic, topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { ApiError } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Change, onChange } from './changes.actions.ts'
import { cut } from './tools/messages.queries.ts'
import { channelPlace, type KnownPlace, namedChannel } from './tools/places.queries.ts'
import { page } from './tools/reading.actions.ts'
import type { Reading } from './tools/tool.actions.ts'

const scheme = 'parley://channel/'
const mimeType = 'text/markdown'

/** The most resources that a session or request follows. */
export const mostFollowed = 200

/** The resource of a channel, by its ID: channels are renamed. */
const uriOf = ({ id }: Pick<Channel, 'id'>) => `${scheme}${id}`

export const resourceTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${scheme}{channel}`,
      name: 'channel',
      title: 'Channel',
      description: 'The newest messages of a channel, by its name or ID.',
      mimeType,
    },
    {
      uriTemplate: `${scheme}{channel}/topic/{topic}`,
      name: 'topic',
      title: 'Topic',
      description: 'The newest messages of a topic.',
      mimeType,
    },
  ],
}

/** How many resources a list has before its cursor. */
const pageLength = 100

/** The channels that the caller may read: those that they subscribe to first. */
export function listResources({ store, user }: Caller, cursor = '0'): ListResourcesResult {
  const from = Number(cursor)
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
  }
  const readable = listChannelsByName(store).filter(
    (channel) => !channel.isArchived && canAccessContent(store, user, channel),
  )
  const isOwn = ({ id }: Channel) => isSubscribed(store, user.id, id)
  const all = [...readable.filter(isOwn), ...readable.filter((channel) => !isOwn(channel))]
  const end = from + pageLength
  return {
    resources: all.slice(from, end).map((channel) => ({
      uri: uriOf(channel),
      name: channel.name,
      title: `#${channel.name}`,
      ...(channel.description && { description: cut(channel.description, 200) }),
      mimeType,
    })),
    ...(end < all.length && { nextCursor: String(end) }),
  }
}

/** The conversation of a resource. @throws ResourceNotFoundError also if the caller may not read it */
function placeOfUri(
  { store, user }: Caller,
  uri: string,
): KnownPlace & { readonly channel: Channel } {
  const [, name, topic] =
    /^parley:\/\/channel\/([^/]{1,600})(?:\/topic\/([^/]{0,600}))?$/.exec(uri) ?? []
  try {
    const channel = namedChannel({ store, user }, decodeURIComponent(name ?? ''))
    if (canAccessContent(store, user, channel)) {
      const decoded = topic === undefined ? undefined : decodeURIComponent(topic)
      return { ...channelPlace(store, channel, decoded), channel }
    }
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof URIError)) throw error
  }
  throw new ResourceNotFoundError(uri.slice(0, 1000))
}

/** How many messages a resource has at most. */
const mostMessages = 50

/** @throws ResourceNotFoundError */
export async function readResource(call: Reading, uri: string): Promise<ReadResourceResult> {
  const place = placeOfUri(call.caller, uri)
  const { markdown } = await page(call, place, {
    cursor: undefined,
    anchor: 'newest',
    limit: mostMessages,
  })
  return { contents: [{ uri, mimeType, text: markdown }] }
}

/** @throws ResourceNotFoundError */
export function requireResource(caller: Caller, uri: string): void {
  placeOfUri(caller, uri)
}

/**
 * Calls `notify` for each of these resources that changes, as long as the caller may read it.
 *
 * @returns ends it
 */
export function followResources(
  caller: Caller,
  uris: ReadonlySet<string>,
  notify: (uri: string) => void,
): () => void {
  return onChange(caller.store, (change) => {
    for (const uri of uris) if (isAbout(caller, uri, change)) notify(uri)
  })
}

function isAbout(caller: Caller, uri: string, { recipientId, topic }: Change): boolean {
  const { store } = caller
  try {
    caller.requireCurrent(store)
    const place = placeOfUri(caller, uri)
    if (place.channel.recipientId !== recipientId) return false
    return (
      place.topic === undefined || topicKey(normalizeTopic(store, place.topic)) === topicKey(topic)
    )
  } catch {
    // Whatever keeps them from reading it keeps them from hearing of it.
    return false
  }
}

/** The most values that a completion may have. @source Model Context Protocol, "Completion" */
const mostValues = 100

interface Completing {
  readonly name: string
  readonly value: string
  /** The other arguments, as far as they are known. */
  readonly others: Readonly<Record<string, string>> | undefined
}

/** The names of channels or topics that continue what was typed; none for other arguments. */
export function complete(
  { store, user }: Caller,
  { name, value, others }: Completing,
): CompleteResult {
  const all = name === 'channel' ? channelNames() : name === 'topic' ? topicNames() : []
  const typed = value.toLowerCase().replace(/^#/, '')
  const starts = all.filter((each) => each.toLowerCase().startsWith(typed))
  const contains = all.filter(
    (each) => each.toLowerCase().includes(typed) && !starts.includes(each),
  )
  const found = [...starts, ...contains]
  const values = found.slice(0, mostValues)
  return { completion: { values, total: found.length, hasMore: found.length > values.length } }

  function channelNames(): string[] {
    return listChannelsByName(store)
      .filter((channel) => !channel.isArchived && canAccessContent(store, user, channel))
      .map((channel) => channel.name)
  }

  function topicNames(): string[] {
    if (others?.channel === undefined) return []
    try {
      const channel = namedChannel({ store, user }, others.channel)
      return listTopics(store, user, channel, false).map((topic) => topic.name)
    } catch (error) {
      if (error instanceof ApiError) return []
      throw error
    }
  }
}
