import { canAccessMetadata } from '#channels/access.ts'
import { type Channel, findChannel, findChannelByName } from '#channels/queries.ts'
import { ApiError, badRequest, missingArgument } from '#errors.ts'
import { render } from '#markdown/render.ts'
import type { Rendered } from '#markdown/types.ts'
import { limits } from '#realm/limits.ts'
import type { Read } from '#store/write.ts'
import { requireTopic } from '#topics/names.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser, findUserByAddress, type User } from '#users/queries.ts'
import { authorLookups } from './lookups.ts'
import { type Widget, widgetIn } from './submessages/widgets.ts'

/** What a client may write into `to`: ids or names, one or a list of them. */
export type Addressee = number | string | readonly (number | string)[]

/** For the sender's own queue: its `message` event carries this `local_message_id`. */
export interface LocalEcho {
  readonly queueId: string
  readonly localId: string
}

/** A message before it is sent: its places looked up and its text rendered, outside the write. */
export interface Draft {
  readonly channel: Channel | undefined
  /** The other people of a direct message and its sender, by id; empty for a channel message. */
  readonly people: readonly User[]
  readonly topic: string
  readonly content: string
  readonly rendered: Rendered
  readonly client: string
  readonly readBySender: boolean
  /** Others of those it reaches for whom it starts as read. */
  readonly readBy?: readonly number[] | undefined
  readonly echo: LocalEcho | undefined
  /** The poll or the like that it shows. */
  readonly widget?: Widget | undefined
}

export interface AskedMessage {
  readonly kind: 'channel' | 'direct'
  readonly to: Addressee
  /** As the client sent it; ignored for direct messages. */
  readonly topic?: string | undefined
  readonly content: string
  readonly client: string
  readonly readBySender: boolean
  readonly echo?: LocalEcho | undefined
  /** Shown instead of what the text asks for. */
  readonly widget?: Widget | undefined
}

/**
 * Looks up and renders what somebody wants to send. What the sender may do is asked again, and
 * only there, in the write itself.
 *
 * @throws STREAM_DOES_NOT_EXIST with `stream` or `stream_id`; BAD_REQUEST unknown people, no
 * topic, an empty or too long text
 */
export function composeMessage(
  read: Read,
  sender: User,
  asked: AskedMessage,
  realmUrl: string,
): Draft {
  const isChannel = asked.kind === 'channel'
  const channel = isChannel ? addressedChannel(read, sender, asked.to) : undefined
  const people = isChannel ? [] : addressedPeople(read, sender, asked.to)
  const content = checkContent(asked.content)
  if (isChannel && asked.topic === undefined) {
    throw missingArgument('topic')
  }
  return {
    channel,
    people,
    topic: isChannel ? requireTopic(read, asked.topic ?? '') : '',
    content,
    rendered: render(content, authorLookups(read, sender, realmUrl)),
    client: asked.client,
    readBySender: asked.readBySender,
    echo: asked.echo,
    widget: asked.widget ?? widgetIn(content),
  }
}

/** Whether a client is one that people read with: what they send there, they have seen. */
export function isReadByDefault(client: string): boolean {
  return /^(website|zulip(flutter|mobile|electron|terminal|android|ios|desktop))/i.test(client)
}

/** In UTF-16 units: what is longer is refused before anyone counts its characters. */
export const contentLimit = 60_000

/** The text as it is stored. @throws BAD_REQUEST empty, or longer than allowed (code points) */
export function checkContent(source: string): string {
  const content = source.replaceAll('\r\n', '\n').trimEnd()
  if (content.trim() === '') throw badRequest('Message must not be empty')
  if (content.length > limits.messageLength && [...content].length > limits.messageLength) {
    throw badRequest(`Message is too long (limit: ${limits.messageLength} characters)`)
  }
  return content
}

function addressedChannel(read: Read, sender: User, to: Addressee): Channel {
  const name = typeof to === 'object' && to.length === 1 ? to[0] : to
  if (typeof name !== 'number' && typeof name !== 'string') {
    throw badRequest('Expected exactly one channel')
  }
  const channel =
    typeof name === 'number' ? findChannel(read, name) : findChannelByName(read, name.trim())
  if (channel && canAccessMetadata(read, sender, channel)) return channel
  if (typeof name === 'number') {
    throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel with ID '${name}' does not exist`, {
      stream_id: name,
    })
  }
  throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${name}' does not exist`, { stream: name })
}

/** The most people in one direct conversation. */
const maxPeople = 500

/** The named people and the sender, by id. */
function addressedPeople(read: Read, sender: User, to: Addressee): User[] {
  const names = typeof to === 'object' ? to : typeof to === 'string' ? to.split(',') : [to]
  if (names.length === 0 || names.length > maxPeople) {
    throw badRequest('Message must have recipients')
  }
  const people = new Map<number, User>([[sender.id, sender]])
  for (const name of names) {
    const user = typeof name === 'number' ? findUser(read, name) : findUserByAddress(read, name)
    if (!user || !canAccessUser(read, sender, user)) {
      throw badRequest(
        typeof name === 'number' ? `Invalid user ID ${name}` : `Invalid email '${name}'`,
      )
    }
    people.set(user.id, user)
  }
  return [...people.values()].sort((a, b) => a.id - b.id)
}
