import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  findChannel,
  findChannelByName,
} from '#features/foundation/channels/queries.ts'
import { isTopicOf } from '#features/foundation/core/queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { requireFittingTopic } from '#features/foundation/recipients/topics.rules.ts'
import { canAccessUser, findAccessibleUserByAddress } from '#features/foundation/users/access.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { render } from '#platform/markdown/render.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { authorLookups } from './lookups.queries.ts'
import { type Widget, widgetIn } from './submessages/widgets.ts'

/** The forms of `to`: one or a list of ids, names or email addresses. */
export type Addressee = number | string | readonly (number | string)[]

/** The queue of the sending client, and the `local_message_id` of the `message` event there. */
export interface LocalEcho {
  readonly queueId: string
  readonly localId: string
}

/** A message before it is sent, with its recipients looked up and its content rendered. */
export interface Draft {
  readonly channel: Channel | undefined
  /** The participants of a direct message and its sender, by id; empty for a channel message. */
  readonly people: readonly User[]
  readonly topic: string
  readonly content: string
  readonly rendered: RenderedMarkdown
  readonly client: string
  readonly readBySender: boolean
  /** Ids of other recipients for whom it starts as read. */
  readonly readBy?: readonly number[] | undefined
  readonly echo: LocalEcho | undefined
  /** The widget that it shows, such as a poll. */
  readonly widget?: Widget | undefined
}

export interface RequestedMessage {
  readonly kind: 'channel' | 'direct'
  readonly to: Addressee
  /** As the client sent it; ignored for direct messages. */
  readonly topic?: string | undefined
  readonly content: string
  readonly client: string
  readonly readBySender: boolean
  readonly echo?: LocalEcho | undefined
  /** Replaces the widget that the content would create. */
  readonly widget?: Widget | undefined
}

/**
 * Looks up and renders a message that a user wants to send. The write itself checks permissions.
 *
 * @throws STREAM_DOES_NOT_EXIST with `stream` or `stream_id`
 * @throws BAD_REQUEST an unknown user, a missing or invalid topic, or an empty text
 */
export function composeMessage(
  read: Read,
  sender: User,
  asked: RequestedMessage,
  realmUrl: string,
): Draft {
  const isChannel = asked.kind === 'channel'
  const channel = isChannel ? addressedChannel(read, sender, asked.to) : undefined
  const people = isChannel ? [] : addressedPeople(read, sender, asked.to)
  const content = checkContent(asked.content)
  if (isChannel && asked.topic === undefined) {
    throw badRequest(sentSentence('Missing topic'), { parameter: 'topic' })
  }
  return {
    channel,
    people,
    topic: channel ? requireFittingTopic(read, asked.topic ?? '', isTopicOf(read, channel)) : '',
    content,
    rendered: render(content, authorLookups(read, sender, realmUrl)),
    client: asked.client,
    readBySender: asked.readBySender,
    echo: asked.echo,
    widget: asked.widget ?? widgetIn(content),
  }
}

/** Whether people read with this client, so that messages sent with it start as read. */
export function isReadByDefault(client: string): boolean {
  return /^(website|zulip(flutter|mobile|electron|terminal|android|ios|desktop))/i.test(client)
}

/** In UTF-16 units: longer content is refused, not cut. */
export const contentLimit = 250_000

/** The longest topic that is cut rather than refused, in UTF-16 units. */
export const longestTopic = 10_000

/** The content in its stored form. @throws BAD_REQUEST empty */
export function checkContent(source: string): string {
  const content = source.replaceAll('\r\n', '\n').trimEnd()
  if (content.trim() === '')
    throw badRequest(sentSentence('Message must not be empty'), { parameter: 'content' })
  return cutContent(content)
}

/** The end of content that was cut. */
const cutMark = '\n[message truncated]'

/**
 * Cuts content that is too long, as programs write it, to the limit, which is in code points.
 *
 * @source Zulip API, "Send a message"
 */
export function cutContent(content: string): string {
  const most = limits.messageLength
  if (content.length <= most) return content
  // No code point has more than two units.
  const points = [...content.slice(0, 2 * most + 2)]
  return points.length <= most ? content : points.slice(0, most - cutMark.length).join('') + cutMark
}

function addressedChannel(read: Read, sender: User, to: Addressee): Channel {
  const name = typeof to === 'object' && to.length === 1 ? to[0] : to
  if (typeof name !== 'number' && typeof name !== 'string') {
    throw badRequest(sentSentence('Expected exactly one channel'), { parameter: 'to' })
  }
  const channel =
    typeof name === 'number' ? findChannel(read, name) : findChannelByName(read, name.trim())
  if (channel && canAccessMetadata(read, sender, channel)) return channel
  if (typeof name === 'number') {
    throw new ApiError(
      'STREAM_DOES_NOT_EXIST',
      sentSentence("Channel with ID '{id}' does not exist", { id: String(name) }),
      {
        stream_id: name,
      },
      { parameter: 'to' },
    )
  }
  throw new ApiError(
    'STREAM_DOES_NOT_EXIST',
    sentSentence("Channel '{name}' does not exist", { name }),
    { stream: name },
    { parameter: 'to' },
  )
}

/** The maximum number of names in `to` of a direct message. */
export const maxPeople = 500

/** The named users and the sender, by id. */
function addressedPeople(read: Read, sender: User, to: Addressee): User[] {
  const names = typeof to === 'object' ? to : typeof to === 'string' ? to.split(',') : [to]
  if (names.length === 0 || names.length > maxPeople) {
    throw badRequest(sentSentence('Message must have recipients'), { parameter: 'to' })
  }
  const people = new Map<number, User>([[sender.id, sender]])
  for (const name of names) {
    const user = findAccessible(read, sender, name)
    if (!user) {
      throw badRequest(
        typeof name === 'number'
          ? sentSentence('Invalid user ID {id}', { id: String(name) })
          : sentSentence("Invalid email '{email}'", { email: name }),
        { parameter: 'to' },
      )
    }
    people.set(user.id, user)
  }
  return [...people.values()].sort((a, b) => a.id - b.id)
}

function findAccessible(read: Read, sender: User, name: number | string): User | undefined {
  if (typeof name === 'string') return findAccessibleUserByAddress(read, sender, name)
  const user = findUser(read, name)
  return user && canAccessUser(read, sender, user) ? user : undefined
}
